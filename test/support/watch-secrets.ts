// Runs in every process of the suite before its tests: registers the secrets of each HTTP exchange that a server of this
// process takes part in, whoever the client is, Chromium included.
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { registerSecrets, registerSecretsIn } from './suite-secrets.ts'

/** Random by nature; other cookies hold words. */
const SECRET_COOKIE = /^[^=]*verbatim_(?:session|form|oidc)[^=]*=([^;]+)/u

/** A process that runs several test files runs this module before each of them, and watches once. */
const WATCHING = Symbol.for('verbatim.watch-secrets')
if (!(WATCHING in globalThis)) {
  Object.assign(globalThis, { [WATCHING]: true })
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    const { authorization = '', cookie = '' } = request.headers
    registerSecretsIn(authorization)
    registerSecretsIn(request.url ?? '')
    registerCookies(cookie.split('; '))
  })
  subscribe('http.server.response.finish', (message) => {
    const { response } = message as { response: ServerResponse }
    const set = response.getHeader('Set-Cookie')
    registerCookies(Array.isArray(set) ? set : typeof set === 'string' ? [set] : [])
  })
}

function registerCookies(cookies: readonly string[]): void {
  for (const one of cookies) registerSecrets(SECRET_COOKIE.exec(one)?.[1])
}

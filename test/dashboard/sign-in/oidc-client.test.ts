import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { createOidcClient } from '../../../src/dashboard/sign-in/oidc-client.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'

test('an issuer that has told half of its metadata, or no address of the web, is asked anew at the next sign-in, not in an hour', async () => {
  const answers: Readonly<Record<string, string>>[] = []
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: address, ...answers.shift() }))
  })
  const address = await listenOnLoopback(server)
  const whole = {
    authorization_endpoint: `${address}/auth`,
    token_endpoint: `${address}/token`,
    jwks_uri: `${address}/jwks`,
  }
  answers.push({}, { ...whole, authorization_endpoint: 'javascript:alert(1)' }, whole)
  const client = createOidcClient({ issuer: address, clientId: 'a', clientSecret: 'b', label: 'SSO' })
  const begin = (): Promise<string> =>
    client.begin(`${address}/back`).then(
      ({ url }) => url.origin + url.pathname,
      (error: unknown) => String(error),
    )
  expect(await begin()).toContain('the issuer does not say where people sign in')
  expect(await begin()).toContain('the issuer does not say where people sign in')
  expect(await begin()).toBe(`${address}/auth`)
  await endServer(server)
})

test('an issuer whose answer never ends is given up after a megabyte, not when the time is over or the memory', async () => {
  let sent = 0
  const server = createServer((_, response) => {
    const piece = Buffer.alloc(100_000, ' ')
    const send = (): void => {
      while (!response.destroyed && sent < 1_000_000_000) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', send)
      }
    }
    response.setHeader('content-type', 'application/json')
    send()
  })
  const issuer = await listenOnLoopback(server)
  const client = createOidcClient({ issuer, clientId: 'a', clientSecret: 'b', label: 'SSO' })
  await expect(client.begin(`${issuer}/back`)).rejects.toThrow()
  expect(sent).toBeLessThan(50_000_000)
  await endServer(server)
})

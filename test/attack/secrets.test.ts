// Secrets: none of those used in a busy run stands in its log or its answers, and none is compared letter by letter.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { mintKey } from '../../src/accounts/keys/key.ts'
import { createVisitorClient } from '../dashboard/visitor-client.ts'
import { article, startSearchSite } from '../support/search-site.ts'
import { startService } from '../support/service.ts'
import { exchange } from './raw-client.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const PASSWORD = 'correct horse battery staple 7'
const WRONG_PASSWORD = 'incorrect donkey capacitor paperclip 8'
const PROVIDER_KEY = 'BSAprovider0key1that2must3not4leak'

/** A service whose first engine refuses its key and quotes it back, as some do. */
async function startBusyService() {
  const site = await startSearchSite({
    '/a': { html: article('Keys', ['A key is revoked by deleting it in the dashboard of the service.']) },
    '/refuses': { answer: (_, response) => response.writeHead(401).end(`bad key ${PROVIDER_KEY}`) },
  })
  closers.push(() => site.close())
  site.find('/a')
  const service = await startService({
    LOG_LEVEL: 'trace',
    SEARCH_PROVIDERS: 'brave,searxng',
    BRAVE_API_KEY: PROVIDER_KEY,
    BRAVE_URL: `${site.siteUrl}/refuses`,
    SEARXNG_URL: site.engineUrl,
  })
  closers.push(() => service.close())
  return { site, service }
}

describe('the log of a busy run', () => {
  test('holds none of the keys, passwords, cookies, links and provider keys that were used', async () => {
    const { service } = await startBusyService()
    const { accounts } = service.service
    const unknown = mintKey()
    const cutOff = service.key.slice(0, 30)
    const invitation = await accounts.invitations.create({ isAdmin: true, createdBy: null })
    const visitor = createVisitorClient(service.url)
    await visitor.post(`/invitations/${invitation.token}`, `/invitations/${invitation.token}`, {
      name: 'Ada',
      email: 'ada@example.org',
      password: PASSWORD,
    })
    const session = visitor.cookies.get('verbatim_session') ?? ''
    expect(session).not.toBe('')
    const page = await (await visitor.post('/keys', '/keys', { name: 'Website' })).text()
    const made = /vbt_[0-9A-Za-z]{36}/u.exec(page)?.[0] ?? ''
    const stranger = createVisitorClient(service.url)
    await stranger.signIn('ada@example.org', WRONG_PASSWORD)
    await stranger.get(`/resets/vbr_${'a'.repeat(43)}`)

    const ask = (path: string, headers: Record<string, string>, body = '{"query":"How is a key revoked?"}') =>
      fetch(`${service.url}${path}`, { method: 'POST', headers, body })
    const json = { 'Content-Type': 'application/json' }
    for (const key of [service.key, made, unknown, cutOff]) {
      await ask('/v1/search', { ...json, Authorization: `Bearer ${key}` })
      await ask('/v1/search', {
        ...json,
        Authorization: `Basic ${Buffer.from(`u:${key}`).toString('base64')}`,
      })
      await ask(`/v1/search?api_key=${key}`, json)
      await ask(`/v1/search/${key}`, json)
      await ask('/mcp', { ...json, Authorization: `Bearer ${key}` }, `{"key":"${key}"`)
      await ask('/v1/search', { ...json, Authorization: `Bearer ${service.key}`, 'X-Request-Id': key })
      await exchange(service.url, `GET /${key} HTTP/9\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    }
    await accounts.keys.revoke(made, { userId: null })
    await ask('/v1/search', { ...json, Authorization: `Bearer ${made}` })

    const log = service.logged.join('')
    expect(log).toContain('/v1/search')
    expect(log).toContain('brave')
    const used = {
      made,
      unknown,
      cutOff,
      session,
      PASSWORD,
      WRONG_PASSWORD,
      PROVIDER_KEY,
      first: service.key,
    }
    const leaked = Object.entries({ ...used, invitation: invitation.token }).filter(([, secret]) =>
      log.includes(secret),
    )
    expect(leaked).toEqual([])
  })

  test('tells no caller why an engine refused its key', async () => {
    const { site, service } = await startBusyService()
    site.breakEngine(500)
    const response = await service.search({ query: 'q', include: ['explain'] })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain(PROVIDER_KEY)
  })
})

describe('secrets are compared in constant time, by construction', () => {
  const SOURCE = join(import.meta.dirname, '..', '..', 'src')
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:accounts|http|dashboard)\/.*\.tsx?$/u.test(name))
    .map((name) => ({ name, text: readFileSync(join(SOURCE, name), 'utf8') }))

  test('no line of accounts/, http/ or dashboard/ compares a key, hash, token, password or secret with an operator', () => {
    const compared =
      /\b\w*(?:hash|token|secret|password|signature)\w*\s*[!=]==?\s*(?!null|undefined|''|"|'|\d)\w/iu
    const found = files.flatMap(({ name, text }) =>
      text
        .split('\n')
        .map((line, index) => ({ place: `${name}:${index + 1}`, line: line.trim() }))
        .filter(({ line }) => compared.test(line)),
    )
    expect(found).toEqual([])
  })

  test('the store knows no key and no token, only SHA-256 of them', async () => {
    const { service } = await startBusyService()
    const { record, key } = await service.service.accounts.keys.create({ name: 'k', ownerId: null })
    const bytes = readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:db|sqlite)(?:-wal)?$/u.test(name))
      .map((name) => readFileSync(join(service.dataDir, name), 'latin1'))
      .join('')
    expect(bytes).toContain(record.id)
    expect(bytes).not.toContain(key)
    expect(bytes).not.toContain(service.key)
  })
})

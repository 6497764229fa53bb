// What a key may be used for, and tokens that stand in the address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeyScope } from '../../src/contract/key-scopes.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'
import { registerSecrets } from '../support/suite-secrets.ts'

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': { html: article('Keys', ['A key can be revoked at any time in the dashboard of the service.']) },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

interface KeyOptions {
  scopes?: KeyScope[]
  isPathToken?: boolean
  rateLimitPoints?: number
}
const keyWith = async (options: KeyOptions): Promise<{ key: string; id: string }> => {
  const made = await service.service.accounts.keys.create({ name: 'test', ownerId: null, ...options })
  registerSecrets(made.key)
  return { key: made.key, id: made.record.id }
}
const BODIES: Record<string, unknown> = {
  '/v1/search': { query: 'revoke a key' },
  '/v1/read': { url: 'http://127.0.0.1:9/' },
  '/v1/rerank': { query: 'q', documents: ['a'] },
  '/v1/verify': { url: 'http://127.0.0.1:9/', quotes: ['q'] },
  '/compat/tavily/search': { query: 'revoke a key' },
}
const post = (path: string, headers: Record<string, string>, body: unknown = BODIES[path]) =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

describe('scopes', () => {
  test.each([
    ['search', ['/v1/search', '/compat/tavily/search']],
    ['read', ['/v1/read']],
    ['rerank', ['/v1/rerank']],
    ['verify', ['/v1/verify']],
  ] as const)('a key for %s alone opens %j and nothing else', async (scope, open) => {
    const { key } = await keyWith({ scopes: [scope] })
    for (const path of Object.keys(BODIES)) {
      const { status } = await post(path, bearer(key))
      expect([path, status]).toEqual([path, (open as readonly string[]).includes(path) ? 200 : 403])
    }
  })

  test('the refusal names the scope that is missing, to people and to programs', async () => {
    const { key } = await keyWith({ scopes: ['read'] })
    const answer = await post('/v1/search', bearer(key))
    expect(await answer.json()).toMatchObject({ code: 'insufficient_scope', retryable: false })
    expect(answer.headers.get('WWW-Authenticate')).toContain('scope="search"')
  })

  test('a key for which no scopes were named opens everything but the metrics', async () => {
    for (const path of Object.keys(BODIES)) expect((await post(path, bearer(service.key))).status).toBe(200)
    const scrape = (key: string) =>
      fetch(`${service.url}/metrics`, { headers: { ...bearer(key), 'X-Forwarded-For': '192.0.2.1' } })
    expect((await scrape(service.key)).status).toBe(404)
    expect((await scrape((await keyWith({ scopes: ['metrics'] })).key)).status).toBe(200)
  })
})

describe('a token in the address', () => {
  const at = (token: string) => `/compat/tavily/${token}/search`
  const body = BODIES['/v1/search']

  test('opens the metrics where it was made for them, and a key for headers does not', async () => {
    const scrape = async ({ key }: { key: string }): Promise<number> => {
      const headers = { 'X-Forwarded-For': '192.0.2.1' }
      return (await fetch(`${service.url}/metrics/${key}`, { headers })).status
    }
    expect(await scrape(await keyWith({ isPathToken: true, scopes: ['metrics'] }))).toBe(200)
    expect(await scrape(await keyWith({ isPathToken: true }))).toBe(404)
    expect(await scrape(await keyWith({ scopes: ['metrics'] }))).toBe(404)
  })

  test('opens searches without any header, and those alone', async () => {
    const { key } = await keyWith({ isPathToken: true })
    expect(key).toMatch(/^vbp_[0-9A-Za-z]{36}$/u)
    const answer = await post(at(key), {}, body)
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { results: unknown[] }).results).toHaveLength(1)
    expect((await post(`/v1/${key}/read`, {}, BODIES['/v1/read'])).status).toBe(403)
  })

  test('is refused like a key when it is unknown, mistyped or revoked, in words for who can send no header', async () => {
    const { key, id } = await keyWith({ isPathToken: true })
    for (const wrong of [`vbp_${'a'.repeat(36)}`, key.slice(0, -1), `${key.slice(0, -1)}_`])
      expect((await post(at(wrong), {}, body)).status).toBeGreaterThanOrEqual(401)
    expect((await post(at(`vbp_${'a'.repeat(36)}`), bearer(service.key), body)).status).toBe(401)
    await service.service.accounts.keys.revoke(id, { userId: null })
    const answer = await post(at(key), {}, body)
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { detail: { error: expect.stringMatching(/^A valid path token is required/u) } },
    ])
  })

  test('is the only secret that may stand there: a key in the address is refused and told its place, and is not logged', async () => {
    for (const headers of [{}, bearer(service.key)]) {
      const answer = await post(at(service.key), headers, body)
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { detail: { error: expect.stringMatching(/does not belong in an address.* --path/u) } },
      ])
    }
    expect(service.logged.join('')).not.toContain(service.key)
  })

  test('has a rate limit of its own', async () => {
    const { key } = await keyWith({ isPathToken: true, rateLimitPoints: 1 })
    expect((await post(at(key), {}, body)).status).toBe(200)
    expect((await post(at(key), {}, body)).status).toBe(429)
    expect((await post('/v1/search', bearer(service.key))).status).toBe(200)
  })

  test('stands in no line of the log and counts for its own usage', async () => {
    const { key, id } = await keyWith({ isPathToken: true })
    await post(at(key), {}, body)
    await post(at(`${key}x`), {}, body)
    expect(service.logged.join('')).not.toContain(key)
    await service.service.accounts.usage.flush()
    expect((await service.service.accounts.usage.requestsSince(new Date(0))).get(id)).toBe(1)
  })
})

test('the header X-API-Key opens foreign shapes and nothing else', async () => {
  const header = { 'X-API-Key': service.key }
  expect((await post('/compat/tavily/search', header)).status).toBe(200)
  expect((await post('/v1/search', header)).status).toBe(401)
})

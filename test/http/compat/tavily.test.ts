import { tavily } from '@tavily/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': {
      html: article('Managing keys', [TEXT], '<meta property="article:published_time" content="2026-01-05">'),
    },
    '/other': { html: article('Other', ['Nothing of the kind stands here.']) },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const client = (apiKey = service.key) => tavily({ apiKey, apiBaseURL: `${service.url}/compat/tavily` })

describe('the Tavily SDK, unchanged but for its base URL', () => {
  test('searches and finds its fields filled', async () => {
    const answer = await client().search('How do I revoke a key?', {
      maxResults: 3,
      searchDepth: 'advanced',
      topic: 'general',
    })
    expect(answer.query).toBe('How do I revoke a key?')
    expect(answer.results[0]).toMatchObject({ title: 'Managing keys', url: `${site.siteUrl}/keys` })
    expect(answer.results[0]?.content).toContain('revoked at any time')
    expect(answer.results[0]?.score).toBeGreaterThan(0)
    expect(answer.results[0]?.score).toBeLessThanOrEqual(1)
    expect(answer.responseTime).toBeGreaterThanOrEqual(0)
    expect(answer.requestId).toMatch(/^req_/u)
  })

  test('passes its filters on', async () => {
    const filters = { timeRange: 'week', language: 'de' } as const
    const answer = await client().search('revoke', { ...filters, includeDomains: ['nowhere.example'] })
    expect(answer.results).toEqual([])
    expect(site.asked.at(-1)?.get('time_range')).toBe('week')
    expect(site.asked.at(-1)?.get('language')).toBe('de')
  })

  test('searches in English when no language is named', async () => {
    await client().search('revoke')
    expect(site.asked.at(-1)?.get('language')).toBe('en')
  })

  test('understands our refusals: a wrong key', async () => {
    await expect(client('vbt_wrong').search('q')).rejects.toThrow(/API key/u)
  })

  test('understands our refusals: an empty query, an unknown depth', async () => {
    await expect(client().search(' ')).rejects.toThrow(/query/u)
    await expect(client().search('q', { searchDepth: 'deepest' as 'basic' })).rejects.toThrow(/search_depth/u)
  })

  test('understands our refusals: too many requests', async () => {
    const { key } = await service.service.accounts.keys.create({
      name: 'one',
      ownerId: null,
      rateLimitPoints: 1,
    })
    await client(key).search('q')
    await expect(client(key).search('q')).rejects.toThrow(/rate limit/u)
  })
})

describe('what Tavily knows and we do not', () => {
  const post = (path: string, body: unknown) =>
    fetch(`${service.url}/compat/tavily${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  test.each([
    ['max_hours', { max_hours: 4 }, /^max_hours is not supported here; use time_range/u],
    ['exact_match', { exact_match: true }, /^exact_match is not supported here/u],
  ])('%s decides what is found, so it is refused rather than passed over', async (_name, field, says) => {
    const answer = await post('/search', { query: 'q', ...field })
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { detail: { error: string } }).detail.error).toMatch(says)
  })

  test('a country lifts its pages and leaves out none, so that naming one is no error', async () => {
    site.find('/keys')
    const answer = await post('/search', { query: 'revoke a key', country: 'germany' })
    expect([answer.status, ((await answer.json()) as { results: unknown[] }).results.length]).toEqual([
      200, 1,
    ])
  })

  test('a field that was left empty counts as not sent', async () => {
    site.find('/keys')
    const unset = { start_date: null, end_date: '', country: null, exact_match: false, time_range: null }
    expect((await post('/search', { query: 'revoke a key', ...unset })).status).toBe(200)
  })

  test.each(['/crawl', '/map', '/'])('%s is 404 in the shape its SDKs read', async (path) => {
    const answer = await post(path, { urls: ['https://a.example'] })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      detail: {
        error: "There is nothing at this address. Of Tavily's API this service answers search and extract.",
      },
    })
  })

  test('a wrong method is 405 in that shape, too', async () => {
    const answer = await fetch(`${service.url}/compat/tavily/search`)
    expect(answer.status).toBe(405)
    expect(await answer.json()).toEqual({ detail: { error: 'This address answers POST.' } })
  })
})

describe("domains as Tavily's clients write them", () => {
  const titles = async (domains: { includeDomains?: string[]; excludeDomains?: string[] }) => {
    site.find('/keys', '/other')
    const answer = await client().search('Nothing of the kind: how to revoke a key?', domains)
    return answer.results.map(({ title }) => title).toSorted()
  }

  test.each([
    ['https://127.0.0.1'],
    ['http://127.0.0.1/'],
    ['127.0.0.1/'],
    ['*.127.0.0.1'],
    ['127.0.0.1:8080'],
  ])('%s includes and excludes the whole domain', async (domain) => {
    expect(await titles({ includeDomains: [domain] })).toContain('Managing keys')
    expect(await titles({ excludeDomains: [domain] })).toEqual([])
  })

  test('a path includes and excludes what lies below it, and nothing beside it', async () => {
    expect(await titles({ includeDomains: ['127.0.0.1/keys'] })).toEqual(['Managing keys'])
    expect(await titles({ includeDomains: ['127.0.0.1/key'] })).toEqual([])
    expect(await titles({ excludeDomains: ['127.0.0.1/keys'] })).not.toContain('Managing keys')
  })

  test.each(['two words', 'a*b.example', '', 'user@host.example'])(
    '"%s" is no domain: 400',
    async (domain) => {
      await expect(client().search('q', { includeDomains: [domain] })).rejects.toThrow(/domain/u)
    },
  )
})

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

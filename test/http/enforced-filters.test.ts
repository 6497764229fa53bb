// What an engine cannot filter, the service filters on the pages it has opened. Marginalia is asked, through the whole
// service: it knows neither dates nor exclusions, and its language is only a preference.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { openEngineServer, type Reply } from '../providers/engines/engine-server.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const KEY = 'marginalia-key-of-the-operator'
const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'
const published = (date: string): string => `<meta property="article:published_time" content="${date}">`
const DAY_MS = 86_400_000
const lately = new Date(Date.now() - 10 * DAY_MS).toISOString().slice(0, 10)

let site: SearchSite
let elsewhere: SearchSite
let engine: Awaited<ReturnType<typeof openEngineServer>>
let service: TestService
let isRefusing = false
beforeAll(async () => {
  site = await startSearchSite({
    '/recent': { html: article('Recent', [TEXT], published(lately)) },
    '/old': { html: article('Old', [TEXT], published('2019-03-01')) },
    '/undated': { html: article('Undated', [TEXT]) },
    '/german': {
      html: article(
        'Deutsch',
        ['Ein Schlüssel lässt sich jederzeit im Dashboard widerrufen.'],
        published(lately),
      ).replace('"en"', '"de"'),
    },
  })
  elsewhere = await startSearchSite({ '/recent': { html: article('Elsewhere', [TEXT], published(lately)) } })
  const hits = [
    `${site.siteUrl}/old`,
    `${site.siteUrl}/german`,
    `${site.siteUrl}/undated`,
    `${elsewhere.siteUrl.replace('127.0.0.1', 'localhost')}/recent`,
    `${site.siteUrl}/recent`,
  ]
  const reply: Reply = (_, response) => {
    const answer = isRefusing
      ? { error: `the key ${KEY} is used up` }
      : { results: hits.map((url) => ({ url, title: url, description: '' })) }
    response.writeHead(isRefusing ? 503 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }
  engine = await openEngineServer([reply])
  service = await startService({
    SEARCH_PROVIDERS: 'marginalia',
    MARGINALIA_API_KEY: KEY,
    MARGINALIA_URL: engine.origin,
    EGRESS_ALLOW: '127.0.0.1,localhost',
  })
})
afterAll(async () => {
  await service.close()
  await engine.close()
  await site.close()
  await elsewhere.close()
})

test('recency, language and excluded domains hold although the engine knows none of them', async () => {
  const response = await service.search({
    query: 'How do I revoke a key?',
    recency: 'month',
    language: 'en',
    exclude_domains: ['localhost'],
    include: ['explain'],
  })
  const { results, explain } = (await response.json()) as SearchResponse
  expect(results.map(({ title }) => title)).toEqual(['Recent'])
  expect(explain?.['filters']).toEqual({
    applied: { recency: 'after', language: 'after', includeDomains: 'none', excludeDomains: 'after' },
    dropped: { recency: 2, language: 1 },
    dropped_pages: [
      { url: expect.any(String), reason: expect.any(String) },
      { url: expect.any(String), reason: expect.any(String) },
      { url: expect.any(String), reason: expect.any(String) },
    ],
  })
  expect(engine.requests[0]?.query['query']).toBe('How do I revoke a key?')
})

test('the engine’s key stands in no answer and in no line of the log, also when the engine refuses and repeats it', async () => {
  isRefusing = true
  const response = await service.search({ query: 'anything', include: ['proof', 'explain'] })
  expect(response.status).toBe(500)
  const answer = await response.text()
  expect(answer).toContain('search_unavailable')
  expect(engine.requests.at(-1)?.headers['api-key']).toBe(KEY)
  expect(answer).not.toContain(KEY)
  expect(service.logged.join('')).toContain('rate limit')
  expect(service.logged.join('')).not.toContain(KEY)
})

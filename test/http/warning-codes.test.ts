import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const KEYS =
  'Keys are made in the dashboard by whoever has an account there. A key that has leaked can be revoked at any time, which takes effect within one second. The list of keys shows when each was used last.'
const CHALLENGE =
  '<!doctype html><title>Just a moment...</title><h1>keys.example</h1><p>Verifying you are human. This may take a few seconds.</p><p>keys.example needs to review the security of your connection before proceeding. A leaked key is revoked.</p>'
const PAYWALLED = article('Keys of others', [
  KEYS.replace('one second', 'one minute'),
  'Subscribe to continue reading.',
  'Already a subscriber? Log in',
])

let site: SearchSite
let service: TestService
beforeAll(async () => {
  const html = (body: string, status = 200) => ({
    answer: (_: unknown, response: ServerResponse) =>
      void response.writeHead(status, { 'Content-Type': 'text/html' }).end(body),
  })
  site = await startSearchSite({
    '/keys': html(article('Keys', [KEYS])),
    '/challenge': html(CHALLENGE),
    '/refused': html(`${CHALLENGE}<script>window._cf_chl_opt={}</script>`, 403),
    '/forbidden': html('<h1>Forbidden</h1>', 403),
    '/paywalled': html(PAYWALLED),
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

async function find(body: Record<string, unknown>): Promise<SearchResponse['results']> {
  site.find('/keys', '/challenge', '/refused', '/forbidden', '/paywalled')
  const response = await service.search({ query: 'How fast is a leaked key revoked?', ...body })
  expect(response.status).toBe(200)
  return ((await response.json()) as SearchResponse).results
}

test('what stands in a page’s place is never a snippet, and its name is told to those who ask for it', async () => {
  const results = await find({ include: ['warning_code'] })
  const facts = results.map(({ url, warning, warning_code, snippets }) => [
    new URL(url).pathname,
    { code: warning_code, hasWarning: warning !== null, isQuoted: snippets.length > 0 },
  ])
  expect(Object.fromEntries(facts)).toEqual({
    '/keys': { code: null, hasWarning: false, isQuoted: true },
    '/challenge': { code: 'challenge', hasWarning: true, isQuoted: false },
    '/refused': { code: 'challenge', hasWarning: true, isQuoted: false },
    '/forbidden': { code: 'blocked', hasWarning: true, isQuoted: false },
    '/paywalled': { code: 'paywall', hasWarning: true, isQuoted: true },
  })
})

test('without asking a result has the fields of the specification and no other', async () => {
  for (const result of await find({}))
    expect(Object.keys(result)).toEqual([
      'rank',
      'url',
      'title',
      'snippets',
      'warning',
      'publish_date',
      'last_updated',
    ])
})

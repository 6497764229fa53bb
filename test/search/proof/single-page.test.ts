import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TimeLimitError } from '../../../src/concurrency/deadline.ts'
import type { SearchResponse } from '../../../src/contract.ts'
import type { VerifyResponse } from '../../../src/contract/verify.ts'
import type { Capture } from '../../../src/pages/capture.ts'
import { createMemoryProofStore } from '../../../src/search/proof/proof-store.ts'
import { createPageAccess, type PageAccessParts } from '../../../src/search/proof/single-page.ts'
import { browserPath, describeInBrowser } from '../../support/describe-in-browser.ts'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

const ENGLISH =
  'A key can be revoked at any time in the dashboard, and the revocation takes effect within one second on every replica.'
const GERMAN =
  'Ein Schlüssel lässt sich jederzeit auf der Übersichtsseite sperren, und die Sperre gilt binnen einer Sekunde auf jedem Rechner.'
const never = new AbortController().signal
const WRITTEN_BY_SCRIPT =
  'Whoever revokes the last key of an application is asked twice, because the application then stops at once.'

/** In the reader's language, without `Vary`. */
const choose: RequestListener = (request, response) => {
  const [language, text] =
    request.headers['accept-language']?.startsWith('de') === true ? ['de', GERMAN] : ['en', ENGLISH]
  response
    .setHeader('Content-Type', 'text/html; charset=utf-8')
    .end(article('Keys', [text, text]).replace('lang="en"', `lang="${language}"`))
}

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/negotiated': {
      answer(request, response) {
        const text = request.headers['accept-language']?.startsWith('de') === true ? GERMAN : ENGLISH
        response
          .setHeader('Content-Type', 'text/html; charset=utf-8')
          .setHeader('Vary', 'Accept-Language')
          .end(article('Keys', [text, text]))
      },
    },
    '/chosen': { answer: choose },
    '/chosen-too': { answer: choose },
    '/scripted': {
      answer: (_, response) =>
        response
          .setHeader('Content-Type', 'text/html; charset=utf-8')
          .end(
            `${article('Keys', [ENGLISH, ENGLISH, ENGLISH, ENGLISH])}<script>document.querySelector('p').textContent='${WRITTEN_BY_SCRIPT}'</script>`,
          ),
    },
  })
  service = await startService({
    SEARCH_PROVIDERS: 'searxng',
    SEARXNG_URL: site.engineUrl,
    BROWSER: browserPath === null ? 'off' : 'auto',
    CHROMIUM_PATH: browserPath ?? undefined,
  })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const post = (route: string, body: object): Promise<Response> =>
  fetch(`${service.url}${route}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

async function verify(body: object): Promise<VerifyResponse['quotes']> {
  const response = await post('/v1/verify', body)
  return ((await response.json()) as VerifyResponse).quotes
}

/** Searches the page at `path`, and says what has become of `quote` when the page is opened anew. */
async function standingAfterSearch(path: string, quote: string, asked: object): Promise<string | undefined> {
  site.find(path)
  const search = await service.search({ ...asked, include: ['proof'] })
  const [result] = ((await search.json()) as SearchResponse).results
  const [told] = await verify({ content_sha256: result?.content_sha256, quotes: [quote], recheck: true })
  expect(told?.match).toBe('exact')
  return told?.now?.standing
}

test('a page that was read in another language is opened anew in that language', async () => {
  const asked = { query: 'Wie sperre ich einen Schlüssel?', language: 'de' }
  expect(await standingAfterSearch('/negotiated', GERMAN, asked)).toBe('stands')
})

test('quotes in another language than English are looked for on the page in theirs, too', async () => {
  const quotes = await verify({
    url: `${site.siteUrl}/negotiated`,
    quotes: [GERMAN, 'Das steht dort nicht.'],
  })
  expect(quotes.map(({ match }) => match)).toEqual(['exact', 'none'])
})

describe('of a site that chooses by language and does not say so, after a search in German', () => {
  async function searchInGerman(path: string): Promise<string> {
    site.find(path)
    await service.search({ query: 'Wie sperre ich einen Schlüssel?', language: 'de' })
    return site.siteUrl + path
  }

  test('English quotes are looked for on the English page', async () => {
    const url = await searchInGerman('/chosen')
    const [quote] = await verify({ url, quotes: [ENGLISH] })
    expect(quote?.match).toBe('exact')
  })

  test('what was read without naming a language is opened anew in the one that came', async () => {
    const url = await searchInGerman('/chosen-too')
    const response = await post('/v1/read', { urls: [url], include: ['proof'] })
    const { results } = (await response.json()) as { results: { content_sha256: string }[] }
    const content_sha256 = results[0]?.content_sha256
    const [quote] = await verify({ content_sha256, quotes: [GERMAN], recheck: true })
    expect([quote?.match, quote?.now?.standing]).toEqual(['exact', 'stands'])
  })
})

test('what was found on a page is not lost because there is no room to look at it in another language', async () => {
  const pageIn = (language: string | undefined): string => (language === 'de' ? GERMAN : ENGLISH)
  const looked: string[] = []
  const capture = { url: 'http://a.test/', content: '', fetchedAt: '2026-01-05T08:00:00Z', warning: null }
  const access = createPageAccess({
    loadPage: (_, { language }) => Promise.resolve({ ...capture, content: pageIn(language) } as Capture),
    readPage: ({ content }) =>
      Promise.resolve({ page: { title: null, text: String(content) } } as Awaited<
        ReturnType<PageAccessParts['readPage']>
      >),
    findQuotes(page, quotes) {
      looked.push(page.text)
      if (looked.length > 1) return Promise.reject(new TimeLimitError('looking', 1))
      return Promise.resolve(
        quotes.map((quote) =>
          page.text.includes(quote)
            ? { match: 'exact', start: 0, end: quote.length }
            : { match: 'none', start: null, end: null },
        ),
      )
    },
    recheckQuotes: () => Promise.resolve([]),
    proofStore: createMemoryProofStore({ maxBytes: 1_000_000, maxAgeMs: 60_000 }),
  })
  const { quotes } = await access.verify({ url: capture.url, quotes: [ENGLISH, GERMAN] }, never)
  expect(looked).toEqual([ENGLISH, GERMAN])
  expect(quotes.map(({ match }) => match)).toEqual(['exact', 'none'])
})

describeInBrowser('a page that the browser showed', () => {
  test('is opened anew in the browser, so that what its scripts wrote still stands', async () => {
    const asked = { query: 'What happens when the last key is revoked?', search_depth: 'exhaustive' }
    expect(await standingAfterSearch('/scripted', WRITTEN_BY_SCRIPT, asked)).toBe('stands')
  })
})

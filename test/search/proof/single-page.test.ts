import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchResponse } from '../../../src/contract.ts'
import type { VerifyResponse } from '../../../src/contract/verify.ts'
import { browserPath, describeInBrowser } from '../../support/describe-in-browser.ts'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

const ENGLISH =
  'A key can be revoked at any time in the dashboard, and the revocation takes effect within one second on every replica.'
const GERMAN =
  'Ein Schlüssel lässt sich jederzeit auf der Übersichtsseite sperren, und die Sperre gilt binnen einer Sekunde auf jedem Rechner.'
const WRITTEN_BY_SCRIPT =
  'Whoever revokes the last key of an application is asked twice, because the application then stops at once.'

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

/** Searches the page at `path`, and says what has become of `quote` when the page is opened anew. */
async function standingAfterSearch(path: string, quote: string, asked: object): Promise<string | undefined> {
  site.find(path)
  const search = await service.search({ ...asked, include: ['proof'] })
  const [result] = ((await search.json()) as SearchResponse).results
  const response = await fetch(`${service.url}/v1/verify`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ content_sha256: result?.content_sha256, quotes: [quote], recheck: true }),
  })
  const { quotes } = (await response.json()) as VerifyResponse
  expect(quotes[0]?.match).toBe('exact')
  return quotes[0]?.now?.standing
}

test('a page that was read in another language is opened anew in that language', async () => {
  const asked = { query: 'Wie sperre ich einen Schlüssel?', language: 'de' }
  expect(await standingAfterSearch('/negotiated', GERMAN, asked)).toBe('stands')
})

test('quotes in another language than English are looked for on the page in theirs, too', async () => {
  const response = await fetch(`${service.url}/v1/verify`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: `${site.siteUrl}/negotiated`, quotes: [GERMAN, 'Das steht dort nicht.'] }),
  })
  const { quotes } = (await response.json()) as VerifyResponse
  expect(quotes.map(({ match }) => match)).toEqual(['exact', 'none'])
})

describeInBrowser('a page that the browser showed', () => {
  test('is opened anew in the browser, so that what its scripts wrote still stands', async () => {
    const asked = { query: 'What happens when the last key is revoked?', search_depth: 'exhaustive' }
    expect(await standingAfterSearch('/scripted', WRITTEN_BY_SCRIPT, asked)).toBe('stands')
  })
})

// How long a client of a foreign shape waits: its own time limit less the way there, however long a page hangs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patienceOf, patienceOfSeconds } from '../../../src/http/compat/foreign-search.ts'
import { budgetWithin } from '../../../src/search/depth.ts'
import { hangingPage, article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'
import { ANSWER, QUESTION } from './compat-service.ts'

describe('the time a client leaves', () => {
  test('is its own time limit less half a second, in milliseconds and in seconds', () => {
    expect(patienceOf(7_500)).toEqual({ patienceMs: 7_000 })
    expect(patienceOfSeconds(5)).toEqual({ patienceMs: 4_500 })
  })

  test('is never beyond its limit however short that is, and the depth’s where the client says nothing', () => {
    expect([patienceOf(800), patienceOfSeconds(0.1)]).toEqual([{ patienceMs: 400 }, { patienceMs: 50 }])
    expect([patienceOf(null), patienceOf(undefined), patienceOfSeconds(null)]).toEqual([{}, {}, {}])
  })

  test('is the deadline of a search, whatever its depth, with room for scoring inside it', () => {
    for (const depth of ['precise', 'balanced', 'exhaustive'] as const) {
      const { deadlineMs, pageBudgetMs, scoringReserveMs } = budgetWithin(depth, 1_500)
      expect(deadlineMs).toBe(1_500)
      expect(pageBudgetMs + scoringReserveMs).toBeLessThanOrEqual(deadlineMs)
    }
  })
})

describe('beside a page that never answers', () => {
  /** What each client sends. */
  const TIMEOUT_MS = 4_500
  /** Before a search or a reading alone would end, and long after the time limit, for a machine that is busy. */
  const WATCH_MS = 7_400

  /** What a busy machine may take beyond a time limit, and still less than what would be waited without it. */
  const SLACK_MS = 2_500

  const counts = { asked: 0, closed: 0 }
  let site: SearchSite
  let service: TestService
  beforeAll(async () => {
    site = await startSearchSite({
      '/keys': { html: article('Managing keys', [ANSWER]) },
      '/hang': hangingPage(counts),
    })
    service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
    // Kept from here on, so that reading it takes no time.
    await service.search({ query: QUESTION })
  })
  afterAll(async () => {
    await service.close()
    await site.close()
  })

  const ask = async (
    path: string,
    body: object,
    watchMs = WATCH_MS,
  ): Promise<{ status: number; text: string }> => {
    const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' }
    const signal = AbortSignal.timeout(watchMs)
    const answer = await fetch(`${service.url}/compat${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
      signal,
    })
    return { status: answer.status, text: await answer.text() }
  }

  test('a search is answered in time with what was read', async () => {
    const body = { query: QUESTION, timeout: TIMEOUT_MS / 1_000 }
    const { status, text } = await ask('/tavily/search', body)
    expect(status).toBe(200)
    expect(text).toContain(ANSWER)
  })

  test('a search that wants the pages, too, keeps time to read them', async () => {
    const body = { query: QUESTION, include_raw_content: true, timeout: TIMEOUT_MS / 1_000 }
    const { text } = await ask('/tavily/search', body)
    const { results } = JSON.parse(text) as { results: { url: string; raw_content: string | null }[] }
    expect(results.map(({ url, raw_content: content }) => [url, content?.includes(ANSWER)])).toEqual([
      [`${site.siteUrl}/keys`, true],
    ])
  })

  test('a search of Firecrawl that wants the pages, too, is answered in time with what was read', async () => {
    const body = { query: QUESTION, timeout: TIMEOUT_MS, scrapeOptions: { formats: ['markdown'] } }
    const { text } = await ask('/firecrawl/v2/search', body)
    const found: unknown = JSON.parse(text)
    const answer = expect.stringContaining(ANSWER)
    const read = { url: `${site.siteUrl}/keys`, description: answer, markdown: answer }
    expect(found).toMatchObject({ data: { web: expect.arrayContaining([expect.objectContaining(read)]) } })
  })

  test('a page that was too slow for a search is not waited for once more to be read', async () => {
    const before = counts.asked
    const body = { query: QUESTION, contents: { text: true } }
    const { text } = await ask('/exa/search', body, 30_000)
    const { results } = JSON.parse(text) as { results: { url: string; text?: string }[] }
    expect(results.map(({ url, text: read }) => [url, read?.includes(ANSWER)]).toSorted()).toEqual([
      [`${site.siteUrl}/hang`, undefined],
      [`${site.siteUrl}/keys`, true],
    ])
    expect(counts.asked - before).toBe(1)
  })

  test('a page is read for Jina’s clients in the time of their header, or before Agno gives up without one', async () => {
    const read = async (headers: Record<string, string>, limitMs: number): Promise<number> => {
      const answer = await fetch(`${service.url}/compat/jina/r/${site.siteUrl}/hang`, {
        headers: { Authorization: `Bearer ${service.key}`, ...headers },
        signal: AbortSignal.timeout(limitMs + SLACK_MS),
      })
      return answer.status
    }
    expect(await read({ 'X-Timeout': '2' }, 1_500)).toBe(422)
    expect(await read({}, 4_500)).toBe(422)
  })

  test('a search of SearXNG is answered before Onyx gives up, though it says nothing', async () => {
    const answer = await fetch(`${service.url}/compat/searxng/search`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}` },
      body: new URLSearchParams({ q: QUESTION, format: 'json' }),
      signal: AbortSignal.timeout(4_500 + SLACK_MS),
    })
    expect(await answer.text()).toContain(ANSWER)
  })

  test('a scrape is answered before LibreChat gives up, though it says nothing', async () => {
    const { status } = await ask('/firecrawl/v2/scrape', { url: `${site.siteUrl}/hang` }, 7_000 + SLACK_MS)
    expect(status).toBe(408)
  })

  test.each([
    ['/tavily/search', { timeout: 0.01 }],
    ['/tavily/extract', { timeout: 0.01 }],
    ['/firecrawl/v2/search', { timeout: 1 }],
    ['/firecrawl/v2/scrape', { timeout: 1 }],
  ])('%s with no time to speak of is no error of the service', async (path, limit) => {
    const url = `${site.siteUrl}/hang`
    const { status } = await ask(path, { query: QUESTION, url, urls: [url], ...limit })
    expect([200, 408, 429]).toContain(status)
  })

  test('extracting is answered in time with what was read, and the page that hangs listed as failed', async () => {
    const urls = [`${site.siteUrl}/keys`, `${site.siteUrl}/hang`]
    const { status, text } = await ask('/tavily/extract', { urls, timeout: TIMEOUT_MS / 1_000 })
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      results: [{ url: urls[0] }],
      failed_results: [{ url: urls[1] }],
    })
  })

  test('scraping the page that hangs is answered in time, as too slow', async () => {
    const asked = { url: `${site.siteUrl}/hang`, timeout: TIMEOUT_MS }
    const { status, text } = await ask('/firecrawl/v2/scrape', asked)
    expect(status).toBe(408)
    expect(JSON.parse(text)).toMatchObject({ success: false })
  })
})

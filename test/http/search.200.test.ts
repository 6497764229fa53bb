import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const REVOKING = [
  'An API key can be revoked at any time in the dashboard: open Keys, choose Delete beside the key and confirm. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401.',
  'To rotate a key without an outage, create the new key first, move every application to it, and revoke the old key only then. Nothing is lost in between, because both keys are valid until the old one has been revoked by you.',
  'Our office kitchen was renovated in spring. The new oven bakes bread in under forty minutes, and the dishwasher is so quiet that nobody notices when it runs during a meeting in the room beside it, which pleases everyone.',
]
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
/** Within the last year, whenever the tests run. */
const PUBLISHED = `${daysAgo(100)}T08:00:00+01:00`
const UPDATED = daysAgo(70)
const HEAD = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","datePublished":"${PUBLISHED}","dateModified":"${UPDATED}"}</script>`
const GARDEN =
  'Tomatoes want a warm and sunny place. Water them in the morning, at the root and never over the leaves, and remove the side shoots once a week, so that the plant puts its strength into the fruit and not into leaves.'

/** A table too long for one passage: the last row is far from its header. */
const PLANS = `A plan says how many keys an account may have.</p><table><tr><th>Plan</th><th>Keys</th><th>Price</th></tr>${Array.from(
  { length: 40 },
  (_, row) =>
    `<tr><td>The plan called Chestnut ${row}</td><td>${row} keys</td><td>${row} euros a month</td></tr>`,
).join('')}<tr><td>The plan called Walnut</td><td>9000 keys</td><td>70 euros a month</td></tr></table><p>`

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': { html: article('Managing API keys', REVOKING, HEAD) },
    '/garden': { html: article('The garden in June', [GARDEN]) },
    '/twins': { html: article('Twins', [REVOKING[0] ?? '', REVOKING[0] ?? '', REVOKING[1] ?? '']) },
    '/german': {
      html: article('Schlüssel', ['Ein Schlüssel lässt sich jederzeit im Dashboard widerrufen.']).replace(
        '"en"',
        '"de"',
      ),
    },
    '/unlabelled': { html: article('Keys, unlabelled', [REVOKING[0] ?? '']).replace(' lang="en"', '') },
    '/old': {
      html: article(
        'Old news',
        [REVOKING[0] ?? ''],
        '<meta property="article:published_time" content="2019-03-01">',
      ),
    },
    '/plans': { html: article('Plans and their keys', [GARDEN]).replace(GARDEN, PLANS) },
    '/missing': { answer: (_, response) => response.writeHead(404).end('<p>gone</p>') },
    '/broken': { answer: (_, response) => response.writeHead(503).end('<p>down</p>') },
    '/hang': { answer: () => {} },
    '/picture': {
      answer: (_, response) => response.setHeader('Content-Type', 'image/png').end(Buffer.alloc(64, 1)),
    },
    '/inside': {
      answer: (_, response) => response.writeHead(302, { Location: 'http://10.0.0.1/admin' }).end(),
    },
    '/metadata': {
      answer: (_, response) => response.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
    },
    '/empty': { html: '<!doctype html><title>Empty</title><body></body>' },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const ask = async (body: Record<string, unknown>): Promise<SearchResponse> => {
  const response = await service.search({ query: 'How do I revoke an API key?', ...body })
  expect(response.status).toBe(200)
  return (await response.json()) as SearchResponse
}

describe('200: the answer', () => {
  test('holds passages that answer the question, word for word, best first', async () => {
    site.find('/garden', '/keys')
    const { results } = await ask({})
    expect(results.map((result) => result.rank)).toEqual([1, 2])
    expect(results[0]?.url).toBe(`${site.siteUrl}/keys`)
    expect(results[0]?.title).toBe('Managing API keys')
    expect(results[0]?.snippets[0]?.text).toContain('revoked at any time in the dashboard')
    const page = ['Managing API keys', 'The garden in June', ...REVOKING, GARDEN].join('\n')
    for (const { text } of results.flatMap((result) => result.snippets))
      for (const block of text.split('\n\n')) expect(page).toContain(block)
    const scores = results.flatMap((result) => result.snippets.map((snippet) => snippet.relevance_score))
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
    for (const { snippets } of results) {
      const own = snippets.map((snippet) => snippet.relevance_score)
      expect(own).toEqual(own.toSorted((a, b) => b - a))
    }
  })

  test('carries exactly the fields of the specification, and no more', async () => {
    site.find('/keys')
    const response = await ask({})
    expect(Object.keys(response)).toEqual(['query', 'results', 'total_latency_ms'])
    expect(Object.keys(response.results[0] ?? {}).toSorted()).toEqual(
      ['last_updated', 'publish_date', 'rank', 'snippets', 'title', 'url', 'warning'].toSorted(),
    )
    expect(Object.keys(response.results[0]?.snippets[0] ?? {})).toEqual(['text', 'relevance_score'])
    expect(Number.isInteger(response.total_latency_ms)).toBe(true)
    expect(response.total_latency_ms).toBeGreaterThanOrEqual(0)
  })

  test.each([
    'q',
    '  spaced  out ',
    'ünï©ödé 漢字 🧪 \u202Eabc',
    'line\nbreak\ttab',
    '"quotes" \\ / \u0000',
    '<b>&amp;</b>',
  ])('echoes the query byte for byte: %j', async (query) => {
    site.find('/garden')
    expect((await ask({ query })).query).toBe(query)
  })

  test('has as many results as asked for, where there are that many', async () => {
    site.find('/keys', '/garden', '/unlabelled', '/twins')
    expect((await ask({ num_results: 2 })).results.map((result) => result.rank)).toEqual([1, 2])
    expect((await ask({ num_results: 4 })).results).toHaveLength(4)
    expect((await ask({ num_results: 10 })).results).toHaveLength(4)
  })

  test.each([1, 2, 5])('has at most %i snippets per result when that is asked for', async (count) => {
    site.find('/keys', '/twins')
    const { results } = await ask({ max_snippets_per_result: count, search_depth: 'exhaustive' })
    for (const result of results) expect(result.snippets.length).toBeLessThanOrEqual(count)
    expect(results[0]?.snippets.length).toBeGreaterThan(0)
  })

  test('says nothing twice in one result', async () => {
    site.find('/twins')
    const { results } = await ask({ max_snippets_per_result: 5, search_depth: 'exhaustive' })
    const texts = results[0]?.snippets.map((snippet) => snippet.text) ?? []
    expect(texts.filter((text) => text.includes('revoked at any time'))).toHaveLength(1)
  })

  test('tells the dates that the page itself gives, in ISO 8601, else null', async () => {
    site.find('/keys', '/garden')
    const { results } = await ask({})
    const byTitle = new Map(results.map((result) => [result.title, result]))
    expect(byTitle.get('Managing API keys')?.publish_date).toBe(PUBLISHED)
    expect(byTitle.get('Managing API keys')?.last_updated).toBe(UPDATED)
    expect(byTitle.get('The garden in June')?.publish_date).toBeNull()
  })

  test('ignores fields that it does not know', async () => {
    site.find('/garden')
    expect((await ask({ colour: 'green', include_images: true })).results).toHaveLength(1)
  })
})

describe('200: depth', () => {
  test('precise returns nothing of a page that holds nothing relevant', async () => {
    site.find('/garden')
    const { results } = await ask({ search_depth: 'precise' })
    expect(results).toHaveLength(1)
    expect(results[0]?.snippets).toEqual([])
    expect(results[0]?.warning).toBeNull()
  })

  test('precise returns the fewest snippets, exhaustive the most', async () => {
    site.find('/keys', '/garden', '/twins')
    const count = async (depth: string) => {
      const { results } = await ask({ search_depth: depth, max_snippets_per_result: 5 })
      const quoted = results.filter(({ snippets }) => snippets.length > 0)
      return { pages: quoted.length, snippets: quoted.flatMap(({ snippets }) => snippets).length }
    }
    const precise = await count('precise')
    const balanced = await count('balanced')
    const exhaustive = await count('exhaustive')
    expect(precise.snippets).toBeGreaterThan(0)
    expect(balanced.snippets).toBeGreaterThanOrEqual(precise.snippets)
    // Of pages: where windows overlap, one snippet may say what two said.
    expect(exhaustive.pages).toBeGreaterThanOrEqual(balanced.pages)
  })
})

describe('200: pages that fail', () => {
  test.each([
    ['/missing', /404/u],
    ['/broken', /503/u],
    ['/picture', /./u],
    ['/inside', /./u],
    ['/metadata', /./u],
    ['/empty', /./u],
    ['http://127.0.0.1:9/', /./u],
    ['http://name.invalid/', /./u],
    ['http://10.0.0.1/', /./u],
  ])(
    '%s is still returned, without snippets, with a warning; the other page is whole',
    async (path, says) => {
      site.find(path, '/keys')
      const { results } = await ask({})
      expect(results).toHaveLength(2)
      expect(results[0]?.title).toBe('Managing API keys')
      expect(results[0]?.snippets.length).toBeGreaterThan(0)
      expect(results[0]?.warning).toBeNull()
      expect(results[1]?.snippets).toEqual([])
      expect(results[1]?.warning).toMatch(says)
      expect(results[1]?.warning).not.toMatch(/ECONN|ENOTFOUND|undici|at \w+ \(|10\.0\.0\.1|169\.254/u)
    },
  )

  test('a page that hangs never holds the answer beyond the deadline', async () => {
    site.find('/hang', '/keys')
    const { results, total_latency_ms: latencyMs } = await ask({ search_depth: 'precise' })
    expect(latencyMs).toBeLessThan(4_000)
    expect(results.map((result) => result.snippets.length > 0)).toEqual([true, false])
    expect(results[1]?.warning).toMatch(/time/u)
  })

  test('when every page fails the answer is still an answer', async () => {
    site.find('/missing', '/broken')
    const { results } = await ask({})
    expect(results.map((result) => [result.rank, result.snippets.length])).toEqual([
      [1, 0],
      [2, 0],
    ])
  })
})

describe('200: filters', () => {
  test('language is passed to the engine and enforced on what the page says of itself', async () => {
    site.find('/german', '/unlabelled', '/keys')
    const english = await ask({ language: 'en' })
    expect(english.results.map((result) => result.title).toSorted()).toEqual([
      'Keys, unlabelled',
      'Managing API keys',
    ])
    expect(site.asked.at(-1)?.get('language')).toBe('en')
    const german = await ask({ language: 'de' })
    expect(german.results.map((result) => result.title)).toContain('Schlüssel')
    expect(german.results.map((result) => result.title)).not.toContain('Managing API keys')
  })

  test('recency is passed to the engine and enforced on the page’s own date', async () => {
    site.find('/old', '/keys')
    const { results } = await ask({ recency: 'year' })
    expect(results.map((result) => result.title)).toEqual(['Managing API keys'])
    expect(site.asked.at(-1)?.get('time_range')).toBe('year')
  })

  test('domains are enforced on every hit, sub-domains included', async () => {
    site.find('/keys', 'http://elsewhere.invalid/x')
    expect(
      (await ask({ include_domains: ['elsewhere.invalid'] })).results.map((result) => result.url),
    ).toEqual(['http://elsewhere.invalid/x'])
    expect((await ask({ exclude_domains: ['invalid'] })).results.map((result) => result.title)).toEqual([
      'Managing API keys',
    ])
    expect((await ask({ include_domains: ['nothing.example'] })).results).toEqual([])
  })

  test('domains are enforced on the address after redirects', async () => {
    const other = await startSearchSite({ '/away': { html: article('Away', [REVOKING[0] ?? '']) } })
    const away = `${other.siteUrl.replace('127.0.0.1', 'localhost')}/away`
    const hop = await startSearchSite({
      '/hop': { answer: (_, response) => response.writeHead(302, { Location: away }).end() },
    })
    const fresh = await startService({
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: hop.engineUrl,
      EGRESS_ALLOW: '127.0.0.1,localhost',
    })
    const body = { query: 'revoke key', exclude_domains: ['localhost'] }
    const response = (await (await fresh.search(body)).json()) as SearchResponse
    expect(response.results).toEqual([])
    await fresh.close()
    await hop.close()
    await other.close()
  })
})

describe('200: what include adds', () => {
  test('proof lets every snippet be checked against the page’s text', async () => {
    site.find('/keys')
    const { results } = await ask({ include: ['proof'] })
    const result = results[0]
    expect(result?.content_sha256).toMatch(/^[0-9a-f]{64}$/u)
    expect(result?.fetched_at).toMatch(/^\d{4}-\d\d-\d\dT/u)
    for (const snippet of result?.snippets ?? []) {
      expect((snippet.end ?? 0) - (snippet.start ?? 0)).toBe(snippet.text.length)
      expect(snippet.text_fragment_url).toContain(`${site.siteUrl}/keys#:~:text=`)
    }
  })

  test('explain tells the provider, the model, the stages, the filters and how each page was read', async () => {
    site.find('/keys', '/german')
    const body = { query: 'How do I revoke an API key?', include: ['explain'] }
    const response = await service.search(body, { 'Cache-Control': 'no-cache' })
    const { explain } = (await response.json()) as SearchResponse
    expect(explain).toMatchObject({
      depth: 'balanced',
      provider: { name: 'searxng' },
      filters: {
        dropped: { language: 1 },
        dropped_pages: [{ url: `${site.siteUrl}/german`, reason: 'language' }],
      },
      threshold: 0.02,
      pages: [{ read_by: 'static' }],
    })
    const [page] = (explain?.['pages'] ?? []) as { load_ms: number; elapsed_ms: number }[]
    expect(page?.load_ms).toBeLessThanOrEqual(page?.elapsed_ms ?? 0)
    expect(Object.keys(explain?.['stages_ms'] ?? {})).toEqual(['provider', 'pages', 'score'])
  })
})

test('explain tells what stands above a passage, the header of a row far down its table too', async () => {
  site.find('/plans')
  const { results } = await ask({
    query: 'How many keys has the plan called Walnut?',
    include: ['explain'],
    min_score: 0,
    max_snippets_per_result: 5,
  })
  const snippet = results[0]?.snippets.find(({ text }) => text.includes('Walnut'))
  expect(snippet?.text).not.toContain('Price')
  expect(snippet?.headings?.at(-1)).toBe('Plan Keys Price')
})

describe('200: streamed', () => {
  test('as NDJSON every line is an event, and the last one is the whole answer', async () => {
    site.find('/keys', '/garden', '/missing')
    const response = await service.search({ query: 'revoke a key' }, { Accept: 'application/x-ndjson' })
    expect(response.headers.get('content-type')).toContain('application/x-ndjson')
    const lines = (await response.text()).split('\n').filter((line) => line !== '')
    const events = lines.map((line) => JSON.parse(line) as { event: string; summary?: SearchResponse })
    expect(events.map((event) => event.event)).toEqual(['result', 'result', 'result', 'summary'])
    expect(events.at(-1)?.summary?.results.map((result) => result.rank)).toEqual([1, 2, 3])
  })

  test('as server-sent events the same', async () => {
    site.find('/keys')
    const response = await service.search({ query: 'revoke a key' }, { Accept: 'text/event-stream' })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const text = await response.text()
    expect(text.match(/^event: \w+$/gmu)).toEqual(['event: result', 'event: summary'])
  })

  test('a failure after the stream has begun is its last event', async () => {
    site.breakEngine(500)
    const fresh = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
    const response = await fresh.search({ query: 'q' }, { Accept: 'application/x-ndjson' })
    expect(JSON.parse((await response.text()).trim())).toMatchObject({
      event: 'error',
      error: { status: 500, code: 'search_unavailable' },
    })
    site.breakEngine(null)
    await fresh.close()
  })
})

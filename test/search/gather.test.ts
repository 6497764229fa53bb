import { expect, test } from 'vitest'
import type { Capture } from '../../src/pages/capture.ts'
import { gatherPages, type GatherParts, type GatherPlan } from '../../src/search/gather.ts'

const capture = (url: string, content: string): Capture => ({
  id: url,
  requestedUrl: url,
  url,
  mediaType: 'text/html',
  content,
  lastModified: null,
  contentLanguage: null,
  fetchedAt: '2026-01-01T00:00:00Z',
  readBy: 'static',
  warning: null,
})

const PLAN: GatherPlan = {
  pageCount: 2,
  rendering: 'auto',
  scroll: false,
  overlap: false,
  passagesPerPage: 100,
  pageBudgetMs: 60_000,
  deadlineMs: Number.MAX_SAFE_INTEGER,
  fresh: false,
  language: 'en',
}

const hitsOf = (...names: string[]) =>
  names.map((name) => ({ url: `https://${name}.example/`, title: name, publishedAt: null, excerpt: null }))

/** Parts that read of every page the address of it, but for what a test puts in their place. */
const partsWith = (parts: Partial<GatherParts>): GatherParts => ({
  loadPage: async (url) => capture(url, ''),
  readPage: async ({ url }) => ({
    page: { title: url, text: url, isCut: false, publishDate: null, lastUpdated: null, language: null },
    passages: [],
    canonicalUrl: null,
    truncated: false,
    sketch: new Uint32Array(0),
    captureDigest: { sha256: '', bytes: 0 },
  }),
  judge: () => null,
  onFailure: () => undefined,
  ...parts,
})

const gather = (
  hits: ReturnType<typeof hitsOf>,
  parts: Partial<GatherParts>,
  plan: Partial<GatherPlan> = {},
) => gatherPages(hits, { ...PLAN, ...plan }, partsWith(parts), AbortSignal.timeout(60_000))

test('a page that fails costs its own result alone, and its inner detail goes to the log', async () => {
  const secret = new Error('connect ECONNREFUSED 10.1.2.3:5432')
  const logged: unknown[] = []
  const { pages } = await gather(hitsOf('good', 'bad'), {
    loadPage: async (url) => {
      if (url.includes('bad')) throw secret
      return capture(url, '')
    },
    onFailure: (_url, error) => void logged.push(error),
  })
  expect(pages.find(({ url }) => url.includes('good'))).toMatchObject({ warning: null, outcome: 'read' })
  const failed = pages.find(({ url }) => url.includes('bad'))
  expect(failed).toMatchObject({ page: null, passages: [], outcome: 'unexpected' })
  expect(failed?.warning).not.toContain('10.1.2.3')
  expect(logged).toEqual([secret])
})

test('a page that a filter drops is named with its reason, and the next hit is opened in its place', async () => {
  const asked: string[] = []
  const { pages, dropped } = await gather(hitsOf('a', 'dropped', 'c', 'd'), {
    loadPage: async (url) => {
      asked.push(url)
      return capture(url, '')
    },
    judge: ({ url }) => (url.includes('dropped') ? 'language' : null),
  })
  expect(pages.map(({ url }) => url).toSorted()).toEqual(['https://a.example/', 'https://c.example/'])
  expect(dropped).toEqual([{ url: 'https://dropped.example/', reason: 'language' }])
  expect(asked).not.toContain('https://d.example/')
})

test('hits that end at one page are one result', async () => {
  const { pages, dropped } = await gather(hitsOf('a', 'b'), {
    loadPage: async () => capture('https://a.example/', ''),
  })
  expect(pages.map(({ url }) => url)).toEqual(['https://a.example/'])
  expect(dropped).toEqual([{ url: 'https://a.example/', reason: 'duplicate' }])
})

test('pages that claim to be one another, or one third, are all shown where their texts differ', async () => {
  const names = new Map([
    ['https://site.example/a', 'https://site.example/b'],
    ['https://site.example/b', 'https://site.example/c'],
    ['https://site.example/c', 'https://site.example/a'],
    ['https://site.example/d', 'https://site.example/a'],
  ])
  const hits = [...names.keys()].map((url) => ({ url, title: '', publishedAt: null, excerpt: null }))
  const plan = { pageCount: hits.length }
  const gatherSaying = (textOf: (url: string) => string) => {
    const parts = partsWith({})
    const canonicalOf = (url: string) => names.get(url) ?? null
    return gather(
      hits,
      {
        ...parts,
        async readPage(loaded, options, signal) {
          const whole = await parts.readPage(loaded, options, signal)
          const page = { ...whole.page, text: textOf(loaded.url) }
          return { ...whole, page, canonicalUrl: canonicalOf(loaded.url) }
        },
      },
      plan,
    )
  }
  expect((await gatherSaying((url) => url)).dropped).toEqual([])
  expect((await gatherSaying(() => 'the same')).pages).toHaveLength(1)
})

test('no further hit takes the place of a dropped one once time is up', async () => {
  const deadlineMs = Date.now() + 500
  const { pages } = await gather(
    hitsOf('a', 'b', 'late'),
    {
      judge() {
        while (Date.now() < deadlineMs);
        return 'language'
      },
    },
    { deadlineMs },
  )
  expect(pages.map(({ url }) => url)).not.toContain('https://late.example/')
})

test('an end of the search itself is no page’s failure: it rejects with the signal’s reason', async () => {
  const reason = new Error('the client went away')
  const left = new AbortController()
  const gathering = gatherPages(
    hitsOf('a'),
    PLAN,
    partsWith({
      loadPage: (_url, _options, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          left.abort(reason)
        }),
    }),
    left.signal,
  )
  await expect(gathering).rejects.toBe(reason)
})

import { expect, test } from 'vitest'
import { cutPassages } from '../../src/extract/passages/cut-passages.ts'
import { type Capture, PageError } from '../../src/pages/capture.ts'
import { gatherPage, type PageParts, type PagePlan } from '../../src/search/gather-page.ts'
import { read, readFixture } from '../extract/fixtures.ts'

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

const PLAN: PagePlan = {
  rendering: 'auto',
  scroll: false,
  overlap: false,
  passagesPerPage: 100,
  pageBudgetMs: 60_000,
  deadlineMs: Number.MAX_SAFE_INTEGER,
  fresh: false,
  language: 'en',
}

const PARTS: PageParts = {
  loadPage: async (url) => capture(url, ''),
  async readPage({ content }) {
    const page = await read(content)
    return {
      page,
      passages: cutPassages(page, { overlap: false, limit: 100 }),
      canonicalUrl: null,
      truncated: false,
      sketch: new Uint32Array(0),
      captureDigest: { sha256: '', bytes: 0 },
    }
  },
  onFailure: () => undefined,
}

const gather = (url: string, parts: Partial<PageParts>) =>
  gatherPage(
    { url, title: '', publishedAt: null, excerpt: null },
    0,
    PLAN,
    { ...PARTS, ...parts },
    AbortSignal.timeout(60_000),
  )

test('a page that was read from data for machines says so in its warning, another has none', async () => {
  const warningOf = async (fixture: string): Promise<string | null> => {
    const loadPage = async (url: string): Promise<Capture> => capture(url, readFixture(fixture))
    return (await gather('https://a.example/', { loadPage })).warning
  }
  expect(await warningOf('questions-in-data/source.html')).toContain('data for machines')
  expect(await warningOf('article/source.html')).toBeNull()
})

test('a page that failed stands where it was last, but not where this service would not go', async () => {
  const urlAfter = async (code: 'gone' | 'address_refused'): Promise<string> => {
    const page = await gather('https://a.example/', {
      async loadPage() {
        throw new PageError('https://b.example/', { code, message: 'It could not be opened.' })
      },
    })
    expect(page).toMatchObject({ page: null, outcome: code })
    return page.url
  }
  expect(await urlAfter('gone')).toBe('https://b.example/')
  expect(await urlAfter('address_refused')).toBe('https://a.example/')
})

import { expect, test } from 'vitest'
import { cutPassages } from '../../src/extract/passages/cut-passages.ts'
import type { Capture } from '../../src/pages/capture.ts'
import { gatherPages } from '../../src/search/gather.ts'
import { read, readFixture } from '../extract/fixtures.ts'

const capture = (url: string, content: string): Capture => ({
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

test('a page that was read from data for machines says so in its warning, another has none', async () => {
  const contents = new Map([
    ['https://a.example/data', readFixture('questions-in-data/source.html')],
    ['https://a.example/shown', readFixture('article/source.html')],
  ])
  const hits = [...contents.keys()].map((url) => ({ url, title: '', publishedAt: null, excerpt: null }))
  const { pages } = await gatherPages(
    hits,
    {
      pageCount: 2,
      rendering: 'auto',
      scroll: false,
      overlap: false,
      passagesPerPage: 100,
      pageBudgetMs: 60_000,
      deadlineMs: Date.now() + 60_000,
      fresh: false,
      language: 'en',
    },
    {
      loadPage: async (url) => capture(url, contents.get(url) ?? ''),
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
      judge: () => null,
      onFailure: (_url, error) => {
        throw error
      },
    },
    AbortSignal.timeout(60_000),
  )
  const warnings = new Map(pages.map(({ url, warning }) => [url, warning]))
  expect(warnings.get('https://a.example/data')).toContain('data for machines')
  expect(warnings.get('https://a.example/shown')).toBeNull()
})

import { expect, test } from 'vitest'
import { sketchOf } from '../../../src/search/copies/sketch.ts'
import { gatherPages } from '../../../src/search/gather.ts'

const TEXT = Array.from({ length: 90 }, (_, at) => `word${at % 13}${at}`).join(' ')

/** Opens pages of these addresses, all of one text unless they say otherwise, published on these days. */
async function gather(pages: readonly { url: string; day: string | null; text?: string }[], count: number) {
  const signal = new AbortController().signal
  const now = Date.now()
  return gatherPages(
    pages.map(({ url }) => ({ url, title: url, excerpt: null, publishedAt: null })),
    {
      pageCount: count,
      rendering: 'auto',
      scroll: false,
      overlap: false,
      passagesPerPage: 100,
      pageBudgetMs: 60_000,
      deadlineMs: now + 60_000,
      fresh: false,
      language: 'en',
    },
    {
      loadPage: async (url) => ({
        id: url,
        requestedUrl: url,
        url,
        mediaType: 'text/plain',
        content: '',
        lastModified: null,
        contentLanguage: null,
        fetchedAt: new Date(now).toISOString(),
        readBy: 'static',
        warning: null,
      }),
      async readPage({ url }) {
        const { day = null, text = TEXT } = pages.find((page) => page.url === url) ?? {}
        const block = {
          kind: 'paragraph',
          start: 0,
          end: text.length,
          headings: [],
          contentWeight: 1,
        } as const
        return {
          page: {
            title: null,
            text,
            isCut: false,
            publishDate: day === null ? null : { iso: day, source: 'meta' },
            lastUpdated: null,
            language: null,
          },
          passages: [],
          canonicalUrl: null,
          truncated: false,
          sketch: sketchOf({ text, blocks: [block] }),
          captureDigest: { sha256: '', bytes: 0 },
        }
      },
      judge: () => null,
      onFailure: () => undefined,
    },
    signal,
  )
}

test('of pages of several sites that print one text the earliest is shown, names the others, and the next hit takes their place', async () => {
  const { pages, dropped } = await gather(
    [
      { url: 'https://late.example/', day: '2026-03-02' },
      { url: 'https://early.example/', day: '2026-03-01' },
      { url: 'https://other.example/', day: null, text: TEXT.split(' ').toReversed().join(' ') },
      { url: 'https://undated.example/', day: null },
    ],
    2,
  )
  expect(dropped).toEqual([{ url: 'https://late.example/', reason: 'copy' }])
  expect(pages.map(({ url, copies }) => [url, copies]).toSorted()).toEqual([
    ['https://early.example/', ['https://late.example/']],
    ['https://other.example/', []],
  ])
})

test('pages of one site are made of one mould and never taken for copies', async () => {
  const { pages } = await gather(
    [
      { url: 'https://one.example/a', day: null },
      { url: 'https://www.one.example/b', day: null },
    ],
    2,
  )
  expect(pages).toHaveLength(2)
})

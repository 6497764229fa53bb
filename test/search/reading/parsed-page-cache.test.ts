import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Capture } from '../../../src/pages/capture.ts'
import type { ReadResult } from '../../../src/search/gather-page.ts'
import { createParsedPageCache } from '../../../src/search/reading/parsed-page-cache.ts'

const CAPTURE: Capture = {
  id: 'first',
  requestedUrl: 'https://a.example/',
  url: 'https://a.example/',
  mediaType: 'text/html',
  content: '<p>One</p>',
  lastModified: null,
  contentLanguage: null,
  fetchedAt: '2026-01-01T00:00:00Z',
  readBy: 'static',
  warning: null,
}
const OPTIONS = { overlap: false, limit: 10, deadlineMs: Number.POSITIVE_INFINITY }
const never = new AbortController().signal

function readings(maxBytes = 100_000) {
  let reads = 0
  const kept = createParsedPageCache({
    maxBytes,
    maxAgeMs: 60_000,
    read: async (capture, _options, knownSha256): Promise<ReadResult | null> => {
      const sha256 = createHash('sha256').update(capture.content).digest('hex')
      if (sha256 === knownSha256) return null
      reads += 1
      if (capture.content === 'unreadable') throw new Error('unreadable')
      const text = String(capture.content)
      const page = {
        title: null,
        text,
        isCut: text.endsWith('…'),
        publishDate: null,
        lastUpdated: null,
        language: null,
      }
      const digest = { sha256, bytes: capture.content.length }
      const sketch = new Uint32Array(0)
      return { page, canonicalUrl: null, passages: [], truncated: false, sketch, captureDigest: digest }
    },
  })
  const readCapture = (capture: Capture, options = OPTIONS) => kept.readPage(capture, options, never)
  let captures = 0
  const read = (capture: Partial<Capture> = {}, options = OPTIONS) =>
    readCapture({ ...CAPTURE, id: `${(captures += 1)}`, ...capture }, options)
  return { read, readCapture, load: kept.load, reads: () => reads }
}

describe('kept readings', () => {
  test('a PDF of which time allowed only a part is read again for the next caller', async () => {
    const { read, reads } = readings()
    const hurried = { mediaType: 'application/pdf', content: 'the first page …' }
    await read(hurried)
    await read(hurried)
    expect(reads()).toBe(2)
  })

  test('a copy of a page is told by its id alone: nothing is done that would grow with the page', async () => {
    const { read, readCapture, reads } = readings()
    const first = await read({ id: 'one' })
    const whoLooks = {
      get content(): string {
        throw new Error('the page was looked at')
      },
    }
    const copy = Object.defineProperties(
      { ...CAPTURE, id: 'one' },
      Object.getOwnPropertyDescriptors(whoLooks),
    )
    expect(await readCapture(copy)).toBe(first)
    expect(reads()).toBe(1)
  })

  test('a page that came unchanged is read once, whoever fetched it and when', async () => {
    const { read, reads, load } = readings()
    const first = await read()
    expect(await read({ readBy: 'cache', fetchedAt: '2026-01-02T00:00:00Z' })).toBe(first)
    expect(reads()).toBe(1)
    expect(load()).toMatchObject({ entries: 1, hits: 1, misses: 1 })
  })

  test.each<[string, Partial<Capture>, typeof OPTIONS]>([
    ['content', { content: '<p>Two</p>' }, OPTIONS],
    ['address, which dates and links are read from', { url: 'https://a.example/2020/01/02/' }, OPTIONS],
    ['media type', { mediaType: 'text/plain' }, OPTIONS],
    ['last change', { lastModified: '2025-01-01T00:00:00Z' }, OPTIONS],
    ['language', { contentLanguage: 'de' }, OPTIONS],
    ['cut', {}, { ...OPTIONS, overlap: true }],
    ['limit', {}, { ...OPTIONS, limit: 11 }],
  ])('another %s is read anew', async (_what, capture, options) => {
    const { read, reads } = readings()
    await read()
    await read(capture, options)
    expect(reads()).toBe(2)
  })

  test('a failure is not kept', async () => {
    const { read, reads } = readings()
    await expect(read({ content: 'unreadable' })).rejects.toThrow('unreadable')
    await expect(read({ content: 'unreadable' })).rejects.toThrow('unreadable')
    expect(reads()).toBe(2)
  })

  test('never holds more than its bytes', async () => {
    const { read, load } = readings(10_000)
    for (let page = 0; page < 50; page += 1)
      await read({ url: `https://a.example/${page}`, content: 'x'.repeat(1_000) })
    expect(load().bytes).toBeLessThanOrEqual(10_000)
    expect(load().entries).toBeGreaterThan(1)
  })
})

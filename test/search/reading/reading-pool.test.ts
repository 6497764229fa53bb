import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UnreadableError } from '../../../src/extract/document.ts'
import { cutPassages } from '../../../src/extract/passages/cut-passages.ts'
import { readPage } from '../../../src/extract/read-page.ts'
import { assessRendering } from '../../../src/extract/classify/rendering-need.ts'
import type { Capture } from '../../../src/pages/capture.ts'
import { openReadingPool, type ReadingPool } from '../../../src/search/reading/reading-pool.ts'

const ARTICLE = readFileSync(
  join(import.meta.dirname, '..', '..', 'fixtures', 'extract', 'article', 'source.html'),
  'utf8',
)
const PDF = readFileSync(
  join(import.meta.dirname, '..', '..', 'fixtures', 'extract', 'pdf-report', 'source.pdf'),
)
const OPTIONS = { overlap: false, limit: 100 }
const never = new AbortController().signal

const capture = (content: string | Uint8Array, mediaType = 'text/html'): Capture => ({
  requestedUrl: 'https://a.example/',
  url: 'https://a.example/',
  mediaType,
  content,
  lastModified: null,
  contentLanguage: null,
  fetchedAt: '2026-01-01T00:00:00Z',
  readBy: 'static',
  warning: null,
})

let pool: ReadingPool
beforeAll(async () => {
  pool = await openReadingPool()
})
afterAll(() => pool.close())

describe('the reading pool', () => {
  test('reads and cuts a page exactly as the extractor does, every passage a slice of its text', async () => {
    const { page, passages } = await pool.readPage(capture(ARTICLE), OPTIONS, never)
    const expected = await readPage({ ...capture(ARTICLE), now: new Date() }, never)
    expect(page.text).toBe(expected.text)
    expect(page.title).toBe(expected.title)
    expect(passages).toEqual(
      cutPassages(expected, OPTIONS).map(({ start, end, text, headings }) => ({
        start,
        end,
        text,
        headings,
      })),
    )
    for (const { start, end, text } of passages) expect(page.text.slice(start, end)).toBe(text)
  })

  test('reads a PDF and leaves the bytes to the cache they came from', async () => {
    const bytes = new Uint8Array(PDF)
    const { page } = await pool.readPage(capture(bytes, 'application/pdf'), OPTIONS, never)
    expect(page.text.length).toBeGreaterThan(100)
    expect(bytes.byteLength).toBe(PDF.byteLength)
  })

  test('says whether markup is enough to be read, as the extractor does', async () => {
    const application = '<body><div id="root"></div><script src="/app.js"></script></body>'
    for (const html of [ARTICLE, application]) {
      const expected = assessRendering(html, 'https://a.example/').verdict
      expect(await pool.assessRendering(html, 'https://a.example/', never)).toBe(expected)
    }
    expect(await pool.assessRendering(application, 'https://a.example/', never)).toBe('thin')
  })

  test.skipIf(process.platform !== 'linux')('its threads yield to the thread that serves', () => {
    const niceness = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))
    expect(niceness).toContain(getPriority() + 3)
  })

  test('says that there are more passages than the limit', async () => {
    const { passages, truncated } = await pool.readPage(capture(ARTICLE), { overlap: false, limit: 1 }, never)
    expect(passages).toHaveLength(1)
    expect(truncated).toBe(true)
  })

  test('tells in public words why a page cannot be read', async () => {
    const reading = pool.readPage(capture('%PDF-nonsense', 'image/png'), OPTIONS, never)
    await expect(reading).rejects.toThrow(UnreadableError)
    await expect(reading).rejects.toMatchObject({ code: 'not_text' })
  })

  test('rejects with the reason of its signal and reads on for others', async () => {
    const controller = new AbortController()
    const left = pool.readPage(capture(ARTICLE.repeat(50)), OPTIONS, controller.signal)
    controller.abort(new Error('the client went away'))
    await expect(left).rejects.toThrow('the client went away')
    expect((await pool.readPage(capture(ARTICLE), OPTIONS, never)).passages.length).toBeGreaterThan(0)
  })

  test('a huge page does not hold up a small one', async () => {
    const order: string[] = []
    const huge = pool
      .readPage(capture(`<main>${'<p>A sentence of some words.</p>'.repeat(60_000)}</main>`), OPTIONS, never)
      .then(() => order.push('huge'))
    const small = pool.readPage(capture(ARTICLE), OPTIONS, never).then(() => order.push('small'))
    await Promise.all([huge, small])
    expect(order).toEqual(['small', 'huge'])
  })
})

import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, getPriority } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UnreadableError } from '../../../src/extract/document.ts'
import { cutPassages } from '../../../src/extract/passages/cut-passages.ts'
import { TimeLimitError } from '../../../src/concurrency/deadline.ts'
import { readPage } from '../../../src/extract/read-page.ts'
import { assessRendering } from '../../../src/extract/classify/rendering-need.ts'
import { captureOf, READING_OPTIONS, readPatiently } from '../../support/patient-reading.ts'
import { pdfOf } from '../../support/pdf.ts'
import { zipOf } from '../../support/zip.ts'
import { openReadingPool, type ReadingPool } from '../../../src/search/reading/reading-pool.ts'

const ARTICLE = readFileSync(
  join(import.meta.dirname, '..', '..', 'fixtures', 'extract', 'article', 'source.html'),
  'utf8',
)
const PDF = readFileSync(
  join(import.meta.dirname, '..', '..', 'fixtures', 'extract', 'pdf-report', 'source.pdf'),
)
const never = new AbortController().signal

let pool: ReadingPool
beforeAll(async () => {
  pool = await openReadingPool()
})
afterAll(() => pool.close())

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const DOCUMENT = readFileSync(
  join(import.meta.dirname, '..', '..', 'fixtures', 'extract', 'documents', 'lighthouse.docx'),
)

describe('the reading pool', () => {
  test('reads and cuts a page exactly as the extractor does, every passage a slice of its text', async () => {
    const { page, passages } = await pool.readPage(captureOf(ARTICLE), READING_OPTIONS, never)
    const expected = await readPage({ ...captureOf(ARTICLE), now: new Date() }, never)
    expect(page.text).toBe(expected.text)
    expect(page.title).toBe(expected.title)
    expect(passages).toEqual(cutPassages(expected, READING_OPTIONS))
    for (const { start, end, text } of passages) expect(page.text.slice(start, end)).toBe(text)
  })

  test('reads a PDF and a Word document, and leaves the bytes to the cache they came from', async () => {
    const bytes = new Uint8Array(PDF)
    expect((await readPatiently(pool, bytes)).page.text.length).toBeGreaterThan(100)
    expect((await readPatiently(pool, DOCUMENT, WORD)).page.text).toContain(
      'The lamp is lit half an hour before sunset',
    )
    expect(bytes.byteLength).toBe(PDF.byteLength)
  })

  test('gives the digest of what it read: of the bytes of a document, of the text of a page in UTF-8', async () => {
    const digestOf = (content: string | Uint8Array) => ({
      sha256: createHash('sha256').update(content).digest('hex'),
      bytes: Buffer.byteLength(content),
    })
    expect((await readPatiently(pool, PDF)).captureDigest).toEqual(digestOf(PDF))
    const page = await pool.readPage(captureOf(ARTICLE), READING_OPTIONS, never)
    expect(page.captureDigest).toEqual(digestOf(ARTICLE))
  })

  test('does not read a page that is known, and reads any other', async () => {
    const known = createHash('sha256').update(ARTICLE).digest('hex')
    const read = (content: string) => pool.readUnlessKnown(captureOf(content), READING_OPTIONS, known, never)
    expect(await read(ARTICLE)).toBeNull()
    expect((await read(`${ARTICLE} `))?.page.text).toContain('.')
  })

  test('decodes what came of a long page as it would be decoded anywhere', async () => {
    const bytes = Buffer.from('<p>Schlüssel 鍵</p>'.repeat(100_000))
    const hints = { contentType: 'text/html; charset=utf-8', mediaType: 'text/html', truncated: false }
    const asked = { url: 'https://a.example/', bytes, hints, deadlineMs: Date.now() + 20_000 }
    expect(await pool.decodeLong(asked, never)).toBe(bytes.toString('utf8'))
    await expect(pool.decodeLong({ ...asked, deadlineMs: Date.now() }, never)).rejects.toThrow(TimeLimitError)
  })

  test('says whether markup is enough to be read, as the extractor does', async () => {
    const application = '<body><div id="root"></div><script src="/app.js"></script></body>'
    for (const html of [ARTICLE, application]) {
      const { verdict } = await assessRendering(html, 'https://a.example/', never)
      expect(await pool.assessRendering(html, 'https://a.example/', never)).toBe(verdict)
    }
    expect(await pool.assessRendering(application, 'https://a.example/', never)).toBe('thin')
  })

  test.skipIf(process.platform !== 'linux')('its threads yield to the thread that serves', () => {
    const niceness = readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))
    expect(niceness).toContain(getPriority() + 3)
  })

  test('says that there are more passages than the limit', async () => {
    const { passages, truncated } = await pool.readPage(
      captureOf(ARTICLE),
      { ...READING_OPTIONS, limit: 1 },
      never,
    )
    expect(passages).toHaveLength(1)
    expect(truncated).toBe(true)
  })

  test.each([
    ['text/html', `<p>${'A sentence of some words. '.repeat(45_000)}</p>`],
    ['text/plain', 'A sentence of some words.\n'.repeat(45_000)],
    ['application/json', `["${'A sentence of some words. '.repeat(45_000)}"]`],
  ])('says that a page was cut at a million characters: %s', async (mediaType, content) => {
    const all = { ...READING_OPTIONS, limit: 100_000 }
    const { page, truncated } = await pool.readPage(captureOf(content, mediaType), all, never)
    expect(page.text.length).toBeLessThan(content.length)
    expect(truncated).toBe(true)
  })

  test('tells in public words why a page cannot be read', async () => {
    const reading = pool.readPage(captureOf('%PDF-nonsense', 'image/png'), READING_OPTIONS, never)
    await expect(reading).rejects.toThrow(UnreadableError)
    await expect(reading).rejects.toMatchObject({ code: 'not_text' })
  })

  test('rejects with the reason of its signal and reads on for others', async () => {
    const controller = new AbortController()
    const left = pool.readPage(captureOf(ARTICLE.repeat(50)), READING_OPTIONS, controller.signal)
    controller.abort(new Error('the client went away'))
    await expect(left).rejects.toThrow('the client went away')
    expect((await pool.readPage(captureOf(ARTICLE), READING_OPTIONS, never)).passages.length).toBeGreaterThan(
      0,
    )
  })

  test('a huge page does not hold up a small one', async () => {
    const order: string[] = []
    const huge = pool
      .readPage(
        captureOf(`<main>${'<p>A sentence of some words.</p>'.repeat(60_000)}</main>`),
        READING_OPTIONS,
        never,
      )
      .then(() => order.push('huge'))
    const small = pool.readPage(captureOf(ARTICLE), READING_OPTIONS, never).then(() => order.push('small'))
    await Promise.all([huge, small])
    expect(order).toEqual(['small', 'huge'])
  })

  test('small PDFs that show their words a million times keep no other page waiting, however many they are', async () => {
    const words = pdfOf('BT /F1 12 Tf 10 10 Td (words) Tj\n'.repeat(300_000))
    expect(words.byteLength).toBeLessThan(50_000)
    const order: string[] = []
    const gone = new AbortController()
    // More than there are threads: any of them that read a PDF would keep pages from its turns.
    const documents = Array.from({ length: Math.max(4, availableParallelism()) }, () =>
      pool
        .readPage(captureOf(words, 'application/pdf'), READING_OPTIONS, gone.signal)
        .catch(() => null)
        .then(() => order.push('document')),
    )
    const articles = Array.from({ length: 8 }, () =>
      pool.readPage(captureOf(ARTICLE), READING_OPTIONS, never).then(() => order.push('article')),
    )
    await Promise.all(articles)
    expect(order).not.toContain('document')
    gone.abort(new Error('enough'))
    await Promise.all(documents)
  })

  test('documents that take all the time there is leave some to one that takes little', async () => {
    const breaks = '<w:br/>'.repeat(4_000_000)
    const parts = [{ name: 'word/document.xml', content: `<w:body><w:p><w:r>${breaks}</w:r></w:p></w:body>` }]
    const endless = zipOf(parts)
    const asked = { ...READING_OPTIONS, deadlineMs: Date.now() + 24_000 }
    const gone = new AbortController()
    const ended = Promise.allSettled(
      Array.from({ length: 8 }, () => pool.readPage(captureOf(endless, WORD), asked, gone.signal)),
    )
    const { page } = await pool.readPage(captureOf(DOCUMENT, WORD), asked, never)
    expect(page.text).toContain('The lamp is lit half an hour before sunset')
    gone.abort(new Error('enough'))
    await ended
  })

  test('a page that nobody waits for any more is not read to its end', async () => {
    const left = new AbortController()
    // As that of a client, for whom so many pages are read at once.
    setMaxListeners(0, left.signal)
    const order: string[] = []
    const huge = captureOf(`<main>${'<p>A sentence of some words.</p>'.repeat(60_000)}</main>`)
    const abandoned = Array.from({ length: 20 }, () => pool.readPage(huge, READING_OPTIONS, left.signal))
    const outcomes = Promise.allSettled(abandoned)
    const wanted = pool.readPage(huge, READING_OPTIONS, never).then(() => order.push('wanted'))
    left.abort(new Error('the client went away'))
    await wanted
    expect(pool.waiting()).toBe(0)
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
  })
})

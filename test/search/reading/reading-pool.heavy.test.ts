// A document for which no memory is enough, in the process that reads documents.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TimeLimitError } from '../../../src/concurrency/deadline.ts'
import { openReadingPool, type ReadingPool } from '../../../src/search/reading/reading-pool.ts'
import { pdfOf, pdfOfSpaces, shownLines } from '../../support/pdf.ts'

const OPTIONS = { overlap: false, limit: 100, deadlineMs: Number.POSITIVE_INFINITY }
const never = new AbortController().signal

let pool: ReadingPool
beforeAll(async () => {
  pool = await openReadingPool()
})
afterAll(() => pool.close())

async function readPdf(content: Uint8Array): Promise<string> {
  const capture = {
    requestedUrl: 'https://a.example/',
    url: 'https://a.example/',
    mediaType: 'application/pdf',
    content,
    lastModified: null,
    contentLanguage: null,
    fetchedAt: '2026-01-01T00:00:00Z',
    readBy: 'static' as const,
    warning: null,
  }
  return (await pool.readPage(capture, OPTIONS, never)).page.text
}

/** As often as it takes its process to start, which on a crowded machine is longer than any page is waited for. */
async function readSmallPdf(content: Uint8Array): Promise<string> {
  for (;;) {
    try {
      return await readPdf(content)
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error
    }
  }
}

test('a PDF that unpacks to more than there is memory ends alone, in words of ours, and the next one is read', async () => {
  const bomb = await pdfOfSpaces(1_500_000_000)
  const before = process.memoryUsage.rss()
  expect(bomb.byteLength).toBeLessThan(2_000_000)
  await expect(readPdf(bomb)).rejects.toThrow(/takes more time or memory|took longer/u)
  const small = pdfOf(shownLines(['The gardener waters the roses in the evening,', 'when the sun is low.']))
  expect(await readSmallPdf(small)).toContain('The gardener waters the roses')
  expect(process.memoryUsage.rss() - before).toBeLessThan(500_000_000)
})

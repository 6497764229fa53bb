// A document for which no memory is enough, in the process that reads documents.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReadingPool, type ReadingPool } from '../../../src/search/reading/reading-pool.ts'
import { captureOf, READING_OPTIONS, readPatiently } from '../../support/patient-reading.ts'
import { pdfOf, pdfOfSpaces, shownLines } from '../../support/pdf.ts'

const never = new AbortController().signal

let pool: ReadingPool
beforeAll(async () => {
  pool = await openReadingPool()
})
afterAll(() => pool.close())

test('a PDF that unpacks to more than there is memory ends alone, in words of ours, and the next one is read', async () => {
  const bomb = await pdfOfSpaces(1_500_000_000)
  const before = process.memoryUsage.rss()
  expect(bomb.byteLength).toBeLessThan(2_000_000)
  const reading = pool.readPage(captureOf(bomb, 'application/pdf'), READING_OPTIONS, never)
  await expect(reading).rejects.toThrow(/takes more time or memory|took longer/u)
  const small = pdfOf(shownLines(['The gardener waters the roses in the evening,', 'when the sun is low.']))
  expect((await readPatiently(pool, small)).page.text).toContain('The gardener waters the roses')
  expect(process.memoryUsage.rss() - before).toBeLessThan(500_000_000)
})

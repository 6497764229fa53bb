// Reads one page into text for the index.
import type { CrawlerOptions } from '../library/crawl/crawl.ts'
import type { ReadingPool } from '../search/reading/reading-pool.ts'

/** Reads a page on a thread, for crawls and documents, of which no passages are cut and none is read twice. */
export function pageReaderOf(reading: Pick<ReadingPool, 'readPage'>): CrawlerOptions['readPage'] {
  const options = { overlap: false, limit: 0, deadlineMs: Number.POSITIVE_INFINITY }
  return async (capture, signal) => (await reading.readPage(capture, options, signal)).page
}

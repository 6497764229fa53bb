// Reading documents in a pool of the tests' own, on a machine that may have more to do.
import { randomUUID } from 'node:crypto'
import { TimeLimitError } from '../../src/concurrency/deadline.ts'
import type { Capture } from '../../src/pages/capture.ts'
import type { ReadResult } from '../../src/search/gather-page.ts'
import type { ReadingPool } from '../../src/search/reading/reading-pool.ts'

export const READING_OPTIONS = { overlap: false, limit: 100, deadlineMs: Number.POSITIVE_INFINITY }

/** What a site answered with that content. */
export const captureOf = (content: string | Uint8Array, mediaType = 'text/html'): Capture => ({
  id: randomUUID(),
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

/**
 * A document is asked for as often as it takes its process to start: on a crowded machine that is longer than any page is
 * waited for.
 */
export async function readPatiently(
  pool: ReadingPool,
  content: Uint8Array,
  mediaType = 'application/pdf',
): Promise<ReadResult> {
  for (;;) {
    try {
      return await pool.readPage(captureOf(content, mediaType), READING_OPTIONS, new AbortController().signal)
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error
    }
  }
}

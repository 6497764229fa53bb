// Pages lately read and cut, by the digest of what they were made from, so that a page served from the page cache is
// not parsed anew for every question. Bounded by bytes and age; nothing in it is ever wrong, because whatever goes
// into the reading goes into the key.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CacheLoad } from '../../telemetry/observations.ts'
import type { Capture } from '../../pages/capture.ts'
import type { PageParts, ReadOptions, ReadResult } from '../gather-page.ts'

export interface ParsedPageCacheOptions {
  read: PageParts['readPage']
  maxBytes: number
  /** Relative dates ("3 days ago") are read against the time of the reading: it must not be long past. */
  maxAgeMs: number
}

/** A passage's text is a slice that shares the page's memory; what remains is an object and its place in an array. */
const PASSAGE_BYTES = 200
const ENTRY_BYTES = 1_000

/** `read`, remembered. A rejection is not kept. */
export function createParsedPageCache({ read, maxBytes, maxAgeMs }: ParsedPageCacheOptions) {
  const readings = new LRUCache<string, ReadResult>({
    maxSize: maxBytes,
    ttl: maxAgeMs,
    sizeCalculation: ({ page, passages, written = '' }) =>
      ENTRY_BYTES + (page.text.length + written.length) * 2 + passages.length * PASSAGE_BYTES,
  })
  const counts = { hits: 0, misses: 0 }

  const readPage: PageParts['readPage'] = async (capture, options, signal) => {
    const key = keyOf(capture, options)
    const kept = readings.get(key)
    counts[kept === undefined ? 'misses' : 'hits'] += 1
    if (kept !== undefined) return kept
    const result = await read(capture, options, signal)
    if (!isHurried(capture, result)) readings.set(key, result)
    return result
  }
  return {
    readPage,
    load: (): CacheLoad => ({ ...counts, entries: readings.size, bytes: readings.calculatedSize }),
  }
}

/** How much of a PDF is read depends on the time there was: the next caller may have more. */
const isHurried = (capture: Capture, { page }: ReadResult): boolean =>
  capture.mediaType === 'application/pdf' && page.isCut

function keyOf(capture: Capture, options: ReadOptions): string {
  const { url, mediaType, lastModified, contentLanguage } = capture
  return createHash('sha256')
    .update(JSON.stringify([url, mediaType, lastModified, contentLanguage]))
    .update(JSON.stringify([options.overlap, options.limit, options.notation ?? null]))
    .update(capture.content)
    .digest('base64url')
}

// Pages lately read and cut, so that a page served from the page cache is not parsed anew for every question. Bounded by
// bytes and age; nothing in it is ever wrong: it is told by the page's own id, or by the digest of its content, which the
// thread makes that would read it.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CacheLoad } from '../../telemetry/observations.ts'
import type { Capture } from '../../pages/capture.ts'
import type { PageParts, ReadOptions, ReadResult } from '../gather-page.ts'

/** Reads a page; null when its SHA-256 is the known one. */
export type ReadUnlessKnown = (
  capture: Capture,
  options: ReadOptions,
  knownSha256: string | null,
  signal: AbortSignal,
) => Promise<ReadResult | null>

export interface ParsedPageCacheOptions {
  read: ReadUnlessKnown
  maxBytes: number
  /** Relative dates ("3 days ago") are read against the time of the reading: it must not be long past. */
  maxAgeMs: number
}

interface KeptReading {
  /** Of the capture that came last with this content. */
  captureId: string
  result: ReadResult
}

/** A passage's text is a slice that shares the page's memory; what remains is an object and its place in an array. */
const PASSAGE_BYTES = 200
const ENTRY_BYTES = 1_000

/** `read`, remembered. A rejection is not kept. */
export function createParsedPageCache({ read, maxBytes, maxAgeMs }: ParsedPageCacheOptions) {
  const readings = new LRUCache<string, KeptReading>({
    maxSize: maxBytes,
    ttl: maxAgeMs,
    sizeCalculation: ({ result: { page, passages, written = '' } }) =>
      ENTRY_BYTES + (page.text.length + written.length) * 2 + passages.length * PASSAGE_BYTES,
  })
  const counts = { hits: 0, misses: 0 }

  const readPage: PageParts['readPage'] = async (capture, options, signal) => {
    const place = placeOf(capture, options)
    const kept = readings.get(place)
    if (kept?.captureId !== capture.id) {
      const known = kept?.result.captureDigest.sha256 ?? null
      const result = await read(capture, options, known, signal)
      if (result !== null) {
        counts.misses += 1
        if (!isHurried(capture, result)) readings.set(place, { captureId: capture.id, result })
        return result
      }
    }
    if (kept === undefined) throw new Error('a page is known of which nothing is kept')
    counts.hits += 1
    // Whoever has this copy next need not ask; how old the reading is stays as it is.
    kept.captureId = capture.id
    return kept.result
  }

  return {
    readPage,
    load: (): CacheLoad => ({ ...counts, entries: readings.size, bytes: readings.calculatedSize }),
  }
}

/** How much of a PDF is read depends on the time there was: the next caller may have more. */
const isHurried = (capture: Capture, { page }: ReadResult): boolean =>
  capture.mediaType === 'application/pdf' && page.isCut

/** What a reading is made of beside the content: of each the one that was read last is kept. */
function placeOf({ url, mediaType, lastModified, contentLanguage }: Capture, options: ReadOptions): string {
  const { overlap, limit, notation = null } = options
  const facts = [url, mediaType, lastModified, contentLanguage, overlap, limit, notation]
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}

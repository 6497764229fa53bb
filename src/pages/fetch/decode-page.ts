// A long page from its bytes to its text: without the scripts and styles that nobody reads, and in turns, so that
// whatever else its thread has to do goes on.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeText, type DecodeHints } from './charset.ts'
import { createMarkupFilter } from './markup-filter.ts'

export interface LongPage {
  /** Names the page where decoding it fails. */
  url: string
  bytes: Uint8Array
  hints: DecodeHints
  /** Epoch milliseconds after which nobody waits for the text any more. */
  deadlineMs: number
}

/** A page of fewer bytes is decoded in a few milliseconds, wherever it came in. */
export const LONG_PAGE_BYTES = 1 << 20
/** Scripts enough to tell that a page is built by them, styles as far as they are read: nobody looks at more. */
const MARKUP_RATIONS = { script: 256 * 1_024, style: 2 * 1_024 * 1_024 } as const
/** Filtered in a few milliseconds, whatever the markup. */
const TURN_BYTES = 131_072

/** The text of the page, as far as it is worth reading. Throws nothing but the signal's reason. */
export async function decodeLongPage(
  { bytes, hints }: Pick<LongPage, 'bytes' | 'hints'>,
  signal: AbortSignal,
): Promise<string> {
  const worthReading = /html/u.test(hints.mediaType) ? await filterMarkup(bytes, signal) : bytes
  return (await decodeText(worthReading, hints, signal)).text
}

async function filterMarkup(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  const filter = createMarkupFilter(MARKUP_RATIONS)
  const kept: Buffer[] = []
  for (let start = 0; start < bytes.length; start += TURN_BYTES) {
    kept.push(filter.push(bytes.subarray(start, start + TURN_BYTES)))
    await nextTurn()
    signal.throwIfAborted()
  }
  kept.push(filter.end())
  return Buffer.concat(kept)
}

// A long page from its bytes to its text: without the scripts and styles that nobody reads, and in turns, so that
// whatever else its thread has to do goes on.
import { bytesInTurns } from './bytes-in-turns.ts'
import { decodeText, type DecodeHints } from './charset.ts'
import { createMarkupFilter } from './markup-filter.ts'

/** What came of a page. */
export interface EncodedPage {
  bytes: Uint8Array
  hints: DecodeHints
}

export interface LongPage extends EncodedPage {
  /** Names the page where decoding it fails. */
  url: string
  /** Epoch milliseconds after which nobody waits for the text any more. */
  deadlineMs: number
}

/** A page of fewer bytes is decoded in a few milliseconds, wherever it came in. */
export const LONG_PAGE_BYTES = 1 << 20
/** Scripts enough to tell that a page is built by them, styles as far as they are read: nobody looks at more. */
const MARKUP_RATIONS = { script: 256 * 1_024, style: 2 * 1_024 * 1_024 } as const

/** The text of the page, as far as it is worth reading. Throws nothing but the signal's reason. */
export async function decodeLongPage({ bytes, hints }: EncodedPage, signal: AbortSignal): Promise<string> {
  const worthReading = /html/u.test(hints.mediaType) ? await filterMarkup(bytes, signal) : bytes
  return (await decodeText(worthReading, hints, signal)).text
}

async function filterMarkup(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  const filter = createMarkupFilter(MARKUP_RATIONS)
  const kept: Buffer[] = []
  for await (const piece of bytesInTurns(bytes, signal)) kept.push(filter.push(piece))
  kept.push(filter.end())
  return Buffer.concat(kept)
}

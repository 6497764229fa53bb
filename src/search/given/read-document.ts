// A file that a caller sends: read like a page, on the same threads and processes.
import { randomUUID } from 'node:crypto'
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { overloaded } from '../../errors.ts'
import { UnreadableError } from '../../extract/document.ts'
import { PageError, type Capture } from '../../pages/capture.ts'
import { decodeText } from '../../pages/fetch/charset.ts'
import { isText, sniffMediaType } from '../../pages/fetch/media-type.ts'
import type { PageParts } from '../gather-page.ts'
import type { SearchOptions } from '../search-context.ts'

export const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024
export const DOCUMENT_DEADLINE_MS = 20_000
const TOO_SLOW = 'The file takes more time to read than this service gives to one.'

export interface SentFile {
  bytes: Uint8Array
  /** As the sender labelled it; '' for no label. */
  contentType: string
  name: string
}

export interface ReadDocument {
  title: string | null
  /** Markdown. */
  text: string
  language: string | null
  /** A sentence for the caller when there is no text to be had; else null. */
  failure: string | null
}

export type DocumentReader = ReturnType<typeof createDocumentReader>

/**
 * Makes the function that reads files. It never rejects because of the file, but `ApiError` overloaded when all are
 * busy.
 */
export function createDocumentReader({ readPage }: Pick<PageParts, 'readPage'>) {
  return async function readDocument(
    file: SentFile,
    { arrivedAtMs }: Pick<SearchOptions, 'arrivedAtMs'>,
    signal: AbortSignal,
  ): Promise<ReadDocument> {
    const deadlineMs = arrivedAtMs + DOCUMENT_DEADLINE_MS
    try {
      const reading = { overlap: false, limit: 1, deadlineMs, notation: 'markdown' } as const
      const { page, written } = await readPage(await captureOf(file), reading, signal)
      return {
        title: page.title,
        text: written ?? page.text,
        language: page.language?.code ?? null,
        failure: null,
      }
    } catch (error) {
      signal.throwIfAborted()
      return { title: null, text: '', language: null, failure: sentenceOf(error) }
    }
  }
}

/** Decoding a file takes time in proportion to its bytes, which are bounded as those of a page are. */
async function captureOf({ bytes, contentType, name }: SentFile): Promise<Capture> {
  const mediaType = sniffMediaType(contentType === '' ? null : contentType, bytes)
  const hints = { contentType, mediaType, truncated: false }
  // Readers tell Markdown by the end of an address; this one leads nowhere (RFC 6761).
  const url = new URL(encodeURIComponent(name), 'http://file.invalid/').href
  return {
    id: randomUUID(),
    requestedUrl: url,
    url,
    mediaType,
    // The reader of PDF takes no Buffer.
    content: isText(mediaType) ? (await decodeText(bytes, hints)).text : new Uint8Array(bytes),
    lastModified: null,
    contentLanguage: null,
    fetchedAt: new Date().toISOString(),
    readBy: 'static',
    warning: null,
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof UnreadableError) return error.message
  if (error instanceof TimeLimitError) return TOO_SLOW
  if (error instanceof PageError && error.warning.code === 'busy') throw overloaded()
  if (error instanceof PageError) return error.warning.message
  throw error
}

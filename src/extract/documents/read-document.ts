// Documents that are files: which reader is for which media type.
import { UnreadableError, type PageText } from '../document.ts'
import type { BytesInput } from '../page-input.ts'
import { readEpub } from './read-epub.ts'
import { readOpenDocument } from './open-document/read-open-document.ts'
import { readSlides } from './office/read-slides.ts'
import { readWord } from './office/read-word.ts'
import { readWorkbook } from './office/read-workbook.ts'

type Reader = (input: BytesInput, signal: AbortSignal) => Promise<PageText>

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', readWord],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', readWorkbook],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', readSlides],
  ['application/vnd.oasis.opendocument.text', readOpenDocument],
  ['application/vnd.oasis.opendocument.spreadsheet', readOpenDocument],
  ['application/vnd.oasis.opendocument.presentation', readOpenDocument],
  ['application/epub+zip', readEpub],
])

/** Whether there is a reader for it here. */
export const hasReader = (mediaType: string): boolean => READERS.has(mediaType)

/** How the old binary formats begin, and the envelope of newer ones that are protected (MS-CFB §2.2). */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const PROTECTED_ENTRY = Buffer.from('EncryptedPackage', 'utf16le')
const ENCRYPTED = 'The document is protected by a password.'
const OLD_FORMAT = 'The document is of an old format that this service does not read.'

/** @throws {UnreadableError} when there is no text to be had; and the signal's reason. */
export function readDocument(input: BytesInput, signal: AbortSignal): Promise<PageText> {
  const bytes = Buffer.from(input.content.buffer, input.content.byteOffset, input.content.byteLength)
  if (bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE))
    throw bytes.includes(PROTECTED_ENTRY)
      ? new UnreadableError('encrypted', ENCRYPTED)
      : new UnreadableError('not_text', OLD_FORMAT)
  const read = READERS.get(input.mediaType)
  if (read === undefined) throw new Error(`no reader for ${input.mediaType}`)
  return read(input, signal)
}

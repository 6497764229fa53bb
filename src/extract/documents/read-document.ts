// Documents that are files: which reader is for which media type.
import { UnreadableError, type PageText } from '../document.ts'
import type { BytesInput } from '../page-input.ts'
import { readEpub } from './read-epub.ts'
import { readOpenDocument } from './open-document/read-open-document.ts'
import { readSlides } from './office/read-slides.ts'
import { readWord } from './office/read-word.ts'
import { readWorkbook } from './office/read-workbook.ts'

const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'

const READERS: ReadonlyMap<string, (input: BytesInput, signal: AbortSignal) => Promise<PageText>> = new Map([
  [`${OFFICE}wordprocessingml.document`, readWord],
  [`${OFFICE}spreadsheetml.sheet`, readWorkbook],
  [`${OFFICE}presentationml.presentation`, readSlides],
  [`${OPEN_DOCUMENT}text`, readOpenDocument],
  [`${OPEN_DOCUMENT}spreadsheet`, readOpenDocument],
  [`${OPEN_DOCUMENT}presentation`, readOpenDocument],
  ['application/epub+zip', readEpub],
])

/** How the old binary formats begin, and the envelope of newer ones that are protected (MS-CFB §2.2). */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const PROTECTED_ENTRY = Buffer.from('EncryptedPackage', 'utf16le')
const ENCRYPTED = 'The document is protected by a password.'
const OLD_FORMAT = 'The document is of an old format that this service does not read.'

export const isDocument = (mediaType: string): boolean => READERS.has(mediaType)

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

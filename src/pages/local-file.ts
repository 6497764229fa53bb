// A file of this machine as a page: for files that the operator put into the index, and for nothing else.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PageError, type Capture, type PageWarning } from './capture.ts'
import { decodeText } from './fetch/charset.ts'
import { DOCUMENT_FORMATS, isDocument, isText, sniffMediaType } from './fetch/media-type.ts'

/** Larger files are not read: they travel to the reader whole. */
export const FILE_BYTES_MAX = 32 * 2 ** 20

/** What the ending of a name says of files that can be read. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['.txt', 'text/plain'],
  ['.text', 'text/plain'],
  ['.md', 'text/markdown'],
  ['.markdown', 'text/markdown'],
  ['.html', 'text/html'],
  ['.htm', 'text/html'],
  ['.xhtml', 'application/xhtml+xml'],
  ['.xml', 'text/xml'],
  ['.json', 'application/json'],
  ['.csv', 'text/csv'],
  ['.tsv', 'text/tab-separated-values'],
  ['.pdf', 'application/pdf'],
  ...DOCUMENT_FORMATS.map(({ ending, mediaType }): [string, string] => [ending, mediaType]),
])

const GONE: PageWarning = { code: 'gone', message: 'The file is not there any more.' }
const UNREADABLE: PageWarning = { code: 'unreachable', message: 'The file could not be opened.' }
const TOO_LARGE: PageWarning = { code: 'too_large', message: 'The file is larger than this service reads.' }
const NOT_TEXT: PageWarning = { code: 'not_text', message: 'The file holds no text to read.' }

/** Whether the name of a file says that it can be read. */
export const isReadableName = (name: string): boolean => MEDIA_TYPES.has(extname(name).toLowerCase())

/**
 * `path` is where the file lies, when its address does not say.
 * @throws {PageError} when the file is gone, too large, no file or no text.
 */
export const loadLocalFile = async (url: string, path: string = fileURLToPath(url)): Promise<Capture> =>
  captureFile(url, await readBytes(url, path))

export interface FileContent {
  bytes: Buffer
  modifiedAt: Date
}

/**
 * What a file says, wherever it was kept.
 * @throws {PageError} when there is none, or it is no text.
 */
export async function captureFile(url: string, content: FileContent | null): Promise<Capture> {
  if (content === null) throw new PageError(url, GONE)
  const { bytes, modifiedAt } = content
  const contentType = MEDIA_TYPES.get(extname(new URL(url).pathname).toLowerCase()) ?? null
  const mediaType = sniffMediaType(contentType, bytes)
  if (!isText(mediaType) && !isDocument(mediaType)) throw new PageError(url, NOT_TEXT)
  return {
    id: randomUUID(),
    requestedUrl: url,
    url,
    mediaType,
    content: isDocument(mediaType)
      ? bytes
      : (await decodeText(bytes, { contentType, mediaType, truncated: false })).text,
    lastModified: modifiedAt.toISOString(),
    contentLanguage: null,
    fetchedAt: new Date().toISOString(),
    readBy: 'static',
    warning: null,
  }
}

/** A link is not followed and a pipe is not waited for: what was indexed was a file. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

async function readBytes(url: string, path: string): Promise<FileContent> {
  try {
    const file = await open(path, FLAGS)
    try {
      const found = await file.stat()
      if (!found.isFile()) throw new PageError(url, NOT_TEXT)
      if (found.size > FILE_BYTES_MAX) throw new PageError(url, TOO_LARGE)
      return { bytes: await file.readFile(), modifiedAt: found.mtime }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof PageError) throw error
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new PageError(url, isGone ? GONE : UNREADABLE, error)
  }
}

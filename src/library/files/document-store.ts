// Documents that people hand over: kept, read into the index like files of this machine, and known by addresses of
// their own, which tell nothing of where they lie.
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UnreadableError } from '../../extract/document.ts'
import { makeFolder } from '../../folders.ts'
import type { Capture } from '../../pages/capture.ts'
import { FILE_BYTES_MAX, isReadableName, loadLocalFile } from '../../pages/local-file.ts'
import type { Library } from '../page-index.ts'
import type { DocumentFacts, DocumentFiles } from './document-files.ts'
import { indexFile, type FileIndexerParts } from './file-indexer.ts'
import { ignoreMissing } from './folder-files.ts'

/** No path of a machine: those have no host. */
export const DOCUMENTS_ORIGIN = 'file://uploads/'
const DOCUMENTS_MAX = 1_000
/** Larger ones are not read. */
export const DOCUMENT_BYTES_MAX = FILE_BYTES_MAX
const INBOX = '.incoming-'
/** Longer than any form takes: what lies in an inbox of that age was left by a process that was killed. */
const INBOX_LEFT_MS = 3_600_000
/** File systems take names of 255 bytes. */
const STEM_BYTES_MAX = 200

export interface StoredDocument extends DocumentFacts {
  url: string
  name: string
  title: string
}

/** A document that has arrived and is not kept yet. */
export interface ReceivedDocument {
  /** As its sender calls it. */
  name: string
  path: string
}

export interface DocumentOutcome {
  /** As it is kept, or as its sender calls it. */
  name: string
  /** Null when it can be found now, else why it is not kept. */
  refused: string | null
}

/** A place for documents that arrive; `close` removes it with all that was not kept. */
export interface Inbox {
  /** @throws what the stream throws, and when the disk cannot be written. */
  receive(name: string, content: Readable): Promise<ReceivedDocument>
  close(): Promise<void>
}

export interface DocumentStoreOptions {
  /** Where documents arrive. */
  folder: string
  /** Where they are kept. */
  files: DocumentFiles
  library: Pick<Library, 'putPage' | 'removePage' | 'listPages'>
  readPage: FileIndexerParts['readPage']
}

export type DocumentStore = ReturnType<typeof createDocumentStore>

export function createDocumentStore({ folder, files, library, readPage }: DocumentStoreOptions) {
  return {
    /** @throws {PageError} when the document of this address is gone. */
    load: (url: string): Promise<Capture> => files.load(url, documentName(url)),

    /** @throws when the folder cannot be written. */
    async openInbox(): Promise<Inbox> {
      makeFolder(folder, 0o700)
      await removeLeftInboxes(folder)
      const inbox = await mkdtemp(join(folder, INBOX))
      let received = 0
      return {
        async receive(name, content) {
          const path = join(inbox, String((received += 1)))
          await pipeline(content, createWriteStream(path, { mode: 0o600 }))
          return { name, path }
        },
        close: () => rm(inbox, { recursive: true, force: true }),
      }
    },

    /**
     * Keeps what arrived and puts its text into the index, in place of one of the same name. What cannot be read is not
     * kept. @throws the signal's reason.
     */
    async add({ name, path }: ReceivedDocument, signal: AbortSignal): Promise<DocumentOutcome> {
      const kept = keptName(name)
      if (kept === null) return { name, refused: NO_SUCH_FORMAT }
      const url = addressOf(kept)
      const others = await library.listPages(DOCUMENTS_ORIGIN, { after: '', limit: DOCUMENTS_MAX })
      if (others.length === DOCUMENTS_MAX && !others.some((other) => other.url === url))
        return { name, refused: FULL }
      const loadFile = (asked: string): Promise<Capture> => loadLocalFile(asked, path)
      // Before its text can be found: whatever is found can be opened, however the service ends.
      const putPage: Library['putPage'] = async (...page) => {
        await files.keep(kept, path)
        await library.putPage(...page)
      }
      const parts = { library: { putPage }, loadFile, readPage: withText(readPage) }
      const refused = await indexFile(parts, url, DOCUMENTS_ORIGIN, signal)
      return { name: kept, refused }
    },

    /** By name. */
    async list(): Promise<StoredDocument[]> {
      const pages = await library.listPages(DOCUMENTS_ORIGIN, { after: '', limit: DOCUMENTS_MAX })
      const facts = await files.describe(pages.map(({ url }) => documentName(url)))
      return pages.flatMap(({ url, title }) => {
        const name = documentName(url)
        const known = facts.get(name)
        return known === undefined ? [] : [{ url, name, title, ...known }]
      })
    },

    /** Forgets the document; false when there is none of this name. */
    async remove(name: string): Promise<boolean> {
      const kept = keptName(name)
      if (kept === null) return false
      const wasKnown = await library.removePage(addressOf(kept))
      await files.remove(kept)
      return wasKnown
    },
  }
}

async function removeLeftInboxes(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(INBOX))
  for (const path of names.map((name) => join(folder, name))) {
    const inbox = await stat(path).catch(ignoreMissing)
    if (inbox !== null && Date.now() - inbox.mtimeMs > INBOX_LEFT_MS)
      await rm(path, { recursive: true, force: true })
  }
}

/** A document that nothing could ever be found of is refused. */
const withText =
  (readPage: DocumentStoreOptions['readPage']): DocumentStoreOptions['readPage'] =>
  async (capture, signal) => {
    const page = await readPage(capture, signal)
    if (page.text.trim() === '') throw new UnreadableError('empty', 'There is no text in it.')
    return page
  }

const NO_SUCH_FORMAT = 'Files of this kind cannot be read.'
const FULL = `No more than ${DOCUMENTS_MAX} documents can be kept.`

const addressOf = (name: string): string => new URL(encodeURIComponent(name), DOCUMENTS_ORIGIN).href
/** The name of a document, from its address. */
export const documentName = (url: string): string => decodeURIComponent(url.slice(DOCUMENTS_ORIGIN.length))

/** The name without its folders, hidden characters and leading dots; null when it is no name of a file that can be read. */
function keptName(name: string): string | null {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const ending = extname(base)
  if (!isReadableName(base)) return null
  const plain = base
    .normalize('NFC')
    .replace(/\p{C}/gu, '')
    .replace(/^[.\s]+/u, '')
  const stem = Array.from(plain.slice(0, -ending.length))
  while (Buffer.byteLength(stem.join('')) > STEM_BYTES_MAX) stem.pop()
  return stem.join('').trim() === '' ? null : stem.join('') + ending
}

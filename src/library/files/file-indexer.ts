// Files and folders of this machine in the embedded engine: read like pages, each under its own file: address.
import { opendir, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Capture } from '../../pages/capture.ts'
import type { CrawlerOptions } from '../crawl/crawl.ts'
import type { Library } from '../library.ts'
import { unreadReason } from '../unread-reason.ts'

const NO_TEXT = 'The file holds no text to read.'
/** Folders in folders beyond this are not entered. */
const DEPTH_MAX = 64

export interface FileIndexerParts {
  library: Pick<Library, 'putPage' | 'removePage' | 'forgetOthers'>
  loadFile: (url: string) => Promise<Capture>
  readPage: CrawlerOptions['readPage']
  /** Whether the name of a file says that it can be read. */
  isReadableName: (name: string) => boolean
}

export interface FileProgress {
  url: string
  outcome: 'read' | 'failed'
  reason: string | null
  filesRead: number
}

export interface FileRequest {
  filesMax: number
  onProgress?: (progress: FileProgress) => void
}

export interface FileSummary {
  /** The file or folder. */
  url: string
  filesRead: number
  filesFailed: number
  end: 'complete' | 'limit'
}

export type FileIndexer = ReturnType<typeof createFileIndexer>

export function createFileIndexer(parts: FileIndexerParts) {
  return {
    /**
     * Reads a file, or every file in and beneath a folder whose name says that it can be read; hidden ones and links
     * are left out. Files that were there before and are not now are forgotten.
     * @throws the signal's reason; whatever keeps the file or folder itself from being opened.
     */
    async add(url: string, { filesMax, onProgress }: FileRequest, signal: AbortSignal): Promise<FileSummary> {
      const summary: FileSummary = { url, filesRead: 0, filesFailed: 0, end: 'complete' }
      const seen = new Set<string>()
      for await (const path of filesAt(fileURLToPath(url), parts.isReadableName)) {
        signal.throwIfAborted()
        if (seen.size === filesMax) return { ...summary, end: 'limit' }
        const file = pathToFileURL(path).href
        seen.add(file)
        const reason = await indexFile(parts, file, url, signal)
        if (reason !== null) await parts.library.removePage(file)
        if (reason === null) summary.filesRead += 1
        else summary.filesFailed += 1
        const outcome = reason === null ? 'read' : 'failed'
        onProgress?.({ url: file, outcome, reason, filesRead: summary.filesRead })
      }
      await parts.library.forgetOthers(url, seen)
      return summary
    },
  }
}

async function* filesAt(path: string, isReadable: (name: string) => boolean): AsyncGenerator<string> {
  if ((await lstat(path)).isDirectory()) yield* filesBeneath(path, isReadable, 0)
  else yield path
}

/** In the order of their names. */
async function* filesBeneath(
  folder: string,
  isReadable: (name: string) => boolean,
  depth: number,
): AsyncGenerator<string> {
  const entries = []
  for await (const entry of await opendir(folder)) if (!entry.name.startsWith('.')) entries.push(entry)
  entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isFile() && isReadable(entry.name)) yield path
    if (entry.isDirectory() && depth < DEPTH_MAX) yield* filesBeneath(path, isReadable, depth + 1)
  }
}

/** Null when the file is in the index now, else why it is not. @throws the signal's reason. */
export async function indexFile(
  {
    library,
    loadFile,
    readPage,
  }: Pick<FileIndexerParts, 'loadFile' | 'readPage'> & {
    library: Pick<Library, 'putPage'>
  },
  url: string,
  origin: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const page = await readPage(await loadFile(url), signal)
    if (page.text.trim() === '') return NO_TEXT
    await library.putPage(
      {
        url,
        title: page.title ?? decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)),
        text: page.text,
        language: page.language?.code ?? null,
        publishedAt: page.publishDate?.iso ?? null,
        updatedAt: page.lastUpdated?.iso ?? null,
      },
      origin,
    )
    return null
  } catch (error) {
    signal.throwIfAborted()
    const reason = unreadReason(error)
    if (reason === null) throw error
    return reason
  }
}

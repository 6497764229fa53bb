// `verbatim index add`: reads what was named into the library and tells each page, until it is done or interrupted.
import type { CrawlProgress } from '../../library/crawl/crawl.ts'
import type { Crawler } from '../../library/crawl/crawler.ts'
import type { FileIndexer, FileProgress } from '../../library/files/file-indexer.ts'
import type { Library } from '../../library/library.ts'
import { EXIT_INTERRUPTED, openInterrupt } from '../command-end.ts'
import { CommandError } from '../with-accounts.ts'
import { formatFiles, formatProgress, formatSummary } from './index-output.ts'

export interface AddPagesParts {
  /** Opens what reading pages takes. It is closed before the library, which stays the command's. */
  openCrawler: (library: Library) => Promise<{ crawler: Crawler; close: () => Promise<void> }>
  /** The same for files. */
  openFileIndexer: (library: Library) => Promise<{ files: FileIndexer; close: () => Promise<void> }>
}

export interface AddOptions {
  limit: number
  depth: number
  delay: number
}

/** Reads web sites into the library, and tells each page and how each crawl ended. */
export async function addSites(
  parts: AddPagesParts,
  library: Library,
  urls: readonly string[],
  { limit, depth, delay }: AddOptions,
): Promise<void> {
  const interrupt = openInterrupt()
  const onProgress = (progress: CrawlProgress): void =>
    void process.stderr.write(formatProgress(progress, limit))
  const request = { pageLimit: limit, depthLimit: depth, delayMs: delay, onProgress }
  const { crawler, close } = await parts.openCrawler(library)
  try {
    for (const url of urls) {
      const summary = await crawler.crawl(url, request, interrupt.signal)
      process.stderr.write(`${formatSummary(summary)}\n`)
      const isNothing = summary.end === 'complete' && summary.pagesRead === 0
      if (summary.end === 'unreachable' || summary.end === 'busy' || isNothing) process.exitCode = 1
    }
  } catch (error) {
    if (!interrupt.signal.aborted) throw error
    process.stderr.write('Stopped. The same command goes on from here.\n')
    process.exitCode = EXIT_INTERRUPTED
  } finally {
    interrupt.close()
    await close()
  }
}

/** Reads files and folders into the library, and tells each file. */
export async function addFiles(
  parts: AddPagesParts,
  library: Library,
  urls: readonly string[],
  { limit }: AddOptions,
): Promise<void> {
  const interrupt = openInterrupt()
  const onProgress = ({ url, outcome, reason, filesRead }: FileProgress): void =>
    void process.stderr.write(formatProgress({ url, outcome, reason, pagesRead: filesRead }, limit))
  const { files, close } = await parts.openFileIndexer(library)
  try {
    for (const url of urls) {
      const summary = await files.add(url, { filesMax: limit, onProgress }, interrupt.signal)
      process.stderr.write(`${formatFiles(summary)}\n`)
      if (summary.filesRead === 0) process.exitCode = 1
    }
  } catch (error) {
    if (!interrupt.signal.aborted) throw faultOfFile(error) ?? error
    process.stderr.write('Stopped. The same command reads the rest.\n')
    process.exitCode = EXIT_INTERRUPTED
  } finally {
    interrupt.close()
    await close()
  }
}

const FILE_FAULTS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'is not there'],
  ['ENOTDIR', 'is not there'],
  ['EACCES', 'may not be opened by this user'],
  ['EPERM', 'may not be opened by this user'],
  ['ERR_INVALID_FILE_URL_HOST', 'names another machine'],
])

/** What is wrong with a file or folder that was named, or one beneath it; null for what is no fault of a file. */
function faultOfFile(error: unknown): CommandError | null {
  if (error instanceof URIError)
    return new CommandError('In the address of a file a "%" is written as "%25".')
  const { code = '', path }: Partial<NodeJS.ErrnoException> = error instanceof Error ? error : {}
  const fault = FILE_FAULTS.get(code)
  return fault === undefined ? null : new CommandError(`${path ?? 'The address of the file'} ${fault}.`)
}

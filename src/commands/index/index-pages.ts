// `verbatim index`: fills the embedded engine from sites, shows what it knows, and forgets. What a script wants to read
// goes to stdout, everything for people to stderr.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { CRAWL_DEFAULTS, type Crawler, type CrawlSummary } from '../../library/crawl/crawler.ts'
import type { CrawlProgress } from '../../library/crawl/crawl.ts'
import { createCrawledSites, type SiteSummary } from '../../library/crawl/crawled-sites.ts'
import type { FileIndexer, FileProgress, FileSummary } from '../../library/files/file-indexer.ts'
import type { Library } from '../../library/library.ts'
import type { FolderSummary } from '../../library/page-index.ts'
import { normalizeUrl } from '../../providers/hit-urls.ts'
import { EXIT_INTERRUPTED, openInterrupt } from '../command-end.ts'
import { CommandError, countOf, formatMoment, formatTable } from '../with-accounts.ts'

export interface IndexCommandParts {
  openLibrary: () => Promise<Library>
  /** Opens what reading pages takes. It is closed before the library, which stays the command's. */
  openCrawler: (library: Library) => Promise<{ crawler: Crawler; close: () => Promise<void> }>
  /** The same for files. */
  openFileIndexer: (library: Library) => Promise<{ files: FileIndexer; close: () => Promise<void> }>
}

interface AddOptions {
  limit: number
  depth: number
  delay: number
}

export function createIndexCommand(parts: IndexCommandParts): Command {
  const command = new Command('index').description(
    'fill the embedded search engine from web sites, files and folders',
  )

  command
    .command('add')
    .description(
      'read a site, everything on its host beneath the path (an interrupted crawl goes on where it stopped), or a file, or a folder with all that is in it',
    )
    .addArgument(
      new Argument(
        '<url...>',
        'where to start, such as https://docs.example.org/guide/; or a file or folder',
      ).argParser((text, earlier: string[] | undefined) => [...(earlier ?? []), addedAddress(text)]),
    )
    .option(
      '--limit <pages>',
      'most pages to read of each site, or files of each folder',
      wholeNumber(1, 1_000_000),
      CRAWL_DEFAULTS.pageLimit,
    )
    .option(
      '--depth <links>',
      'most links to follow from the start',
      wholeNumber(0, 1_000),
      CRAWL_DEFAULTS.depthLimit,
    )
    .option('--delay <ms>', 'pause between two requests', wholeNumber(0, 600_000), CRAWL_DEFAULTS.delayMs)
    .action((urls: string[], options: AddOptions) =>
      withLibrary(parts, async (library) => {
        const [files, sites] = [urls.filter(isFileUrl), urls.filter((url) => !isFileUrl(url))]
        if (files.length > 0) await addFiles(parts, library, files, options)
        if (sites.length > 0 && process.exitCode !== EXIT_INTERRUPTED)
          await addSites(parts, library, sites, options)
      }),
    )

  command
    .command('list')
    .description('list the sites and how far they are read, and the files and folders')
    .option('--json', 'as JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withLibrary(parts, async (library) => {
        const sites = await createCrawledSites(library).listSites()
        const folders = await library.listFolders()
        const listed = json ? JSON.stringify([...sites, ...folders], null, 2) : formatSites(sites, folders)
        process.stdout.write(json ? `${listed}\n` : listed)
        process.stderr.write(`${countOf(await library.countPages(), 'page')} can be found.\n`)
      }),
    )

  command
    .command('remove')
    .description('forget a site or folder with all its pages, or one page')
    .argument('<url>', 'the address that was added, or a page’s; or a file or folder', forgottenAddress)
    .action((url: string) => withLibrary(parts, (library) => forget(library, url)))

  return command
}

const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/u.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }

const isFileUrl = (url: string): boolean => url.startsWith('file:')

/** In the form the library knows; a file that is to be forgotten may be gone, and then a path is told by its slashes. */
const addressOf =
  (isKnown: (path: string) => boolean) =>
  (text: string): string => {
    const url = isFileUrl(text) && URL.canParse(text) ? new URL(text).href : normalizeUrl(text)
    if (url !== null) return url
    if (isKnown(text)) return pathToFileURL(resolve(text)).href
    throw new InvalidArgumentError(`"${text}" is no http(s) address, and no file or folder.`)
  }
const addedAddress = addressOf((path) => existsSync(path))
const forgottenAddress = addressOf((path) => existsSync(path) || path.includes('/'))

async function withLibrary(
  parts: IndexCommandParts,
  work: (library: Library) => Promise<void>,
): Promise<void> {
  try {
    const library = await parts.openLibrary()
    try {
      await work(library)
    } finally {
      await library.close()
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

async function addSites(
  parts: IndexCommandParts,
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

async function addFiles(
  parts: IndexCommandParts,
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

function formatFiles({ url, filesRead, filesFailed, end }: FileSummary): string {
  const failed = filesFailed === 0 ? '' : `, ${filesFailed} could not be read`
  const rest = end === 'limit' ? ' The limit is reached; --limit raises it.' : ''
  return `${url}: ${countOf(filesRead, 'file')}${failed}.${rest}`
}

function formatProgress(
  { url, outcome, reason, pagesRead }: Pick<CrawlProgress, 'url' | 'outcome' | 'reason' | 'pagesRead'>,
  limit: number,
): string {
  const why = reason === null ? '' : ` (${reason})`
  return `${String(pagesRead).padStart(String(limit).length)}/${limit}  ${outcome.padEnd(7)}  ${url}${why}\n`
}

const ENDS: Readonly<Record<CrawlSummary['end'], string>> = {
  complete: 'All of it is read.',
  limit: 'The page limit is reached; --limit raises it.',
  unreachable: 'The site stopped answering; the same command goes on from here.',
  busy: 'This service was too busy to read on; the same command goes on from here.',
  removed: 'It was removed while it was being read.',
}

function formatSummary({ siteUrl, pagesRead, isResumed, unread, end }: CrawlSummary): string {
  const read = `${siteUrl}: ${countOf(pagesRead, 'page')}${isResumed ? ' (an interrupted crawl went on)' : ''}.`
  if (end !== 'complete' || (unread === 0 && pagesRead > 0)) return `${read} ${ENDS[end]}`
  if (unread === 0) return `${read} There is nothing to read.`
  const unreadable = pagesRead === 0 ? 'Nothing' : 'Not all'
  return `${read} ${unreadable} of it could be read; what was known of it is kept.`
}

function formatSites(sites: readonly SiteSummary[], folders: readonly FolderSummary[]): string {
  const rows = sites.map(({ url, counts, pageLimit, depthLimit, finishedAt }) => [
    url,
    `${counts.read}/${pageLimit}`,
    String(depthLimit),
    String(counts.waiting),
    String(counts.failed),
    formatMoment(finishedAt === null ? null : new Date(finishedAt), 'not finished'),
  ])
  for (const { url, files } of folders) rows.push([url, String(files), '', '', '', ''])
  return formatTable(['SITE', 'READ', 'DEPTH', 'WAITING', 'FAILED', 'FINISHED (UTC)'], rows)
}

async function forget(library: Library, url: string): Promise<void> {
  const isSite = await createCrawledSites(library).removeSite(url)
  const ofOrigin = isSite || isFileUrl(url) ? await library.removeOrigin(url) : 0
  const pages = isSite || ofOrigin > 0 ? ofOrigin : Number(await library.removePage(url))
  if (!isSite && pages === 0)
    throw new CommandError('It is neither a site or folder nor a page. "index list" shows what was added.')
  process.stderr.write(`Forgot ${url} (${countOf(pages, 'page')}).\n`)
}

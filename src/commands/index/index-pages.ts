// `verbatim index`: fills the embedded engine from sites, shows what it knows, and forgets. What a script wants to read
// goes to stdout, everything for people to stderr.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { CRAWL_DEFAULTS, createCrawledSites } from '../../library/crawl/crawled-sites.ts'
import type { Library } from '../../library/library.ts'
import { normalizeUrl } from '../../providers/hit-urls.ts'
import { EXIT_INTERRUPTED } from '../command-end.ts'
import { CommandError, countOf } from '../with-accounts.ts'
import { addFiles, addSites, type AddOptions, type AddPagesParts } from './add-pages.ts'
import { formatSites } from './index-output.ts'

export interface IndexCommandParts extends AddPagesParts {
  openLibrary: () => Promise<Library>
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

async function forget(library: Library, url: string): Promise<void> {
  const isSite = await createCrawledSites(library).removeSite(url)
  const ofOrigin = isSite || isFileUrl(url) ? await library.removeOrigin(url) : 0
  const pages = isSite || ofOrigin > 0 ? ofOrigin : Number(await library.removePage(url))
  if (!isSite && pages === 0)
    throw new CommandError('It is neither a site or folder nor a page. "index list" shows what was added.')
  process.stderr.write(`Forgot ${url} (${countOf(pages, 'page')}).\n`)
}

// Runs the index command as the command line does, over a loader that knows no guard: the tests' sites are on loopback.
import { Command } from 'commander'
import { withUsageExitCode } from '../../../src/commands/command-end.ts'
import { createIndexCommand } from '../../../src/commands/index/index-pages.ts'
import { readPage } from '../../../src/extract/read-page.ts'
import { createCrawler } from '../../../src/library/crawl/crawler.ts'
import { createFileIndexer } from '../../../src/library/files/file-indexer.ts'
import { openLibrary } from '../../../src/library/library.ts'
import { PageError } from '../../../src/pages/capture.ts'
import { isReadableName, loadLocalFile } from '../../../src/pages/local-file.ts'

const [dataDir, ...words] = process.argv.slice(2)

/** As test/library/crawl/load-page.ts. */
async function loadPage(url, signal) {
  const response = await fetch(url, { signal, headers: { 'user-agent': 'Verbatim' } })
  if (!response.ok)
    throw new PageError(url, { code: 'http_status', message: `The site answered ${response.status}.` })
  return {
    requestedUrl: url,
    url: response.url,
    mediaType: response.headers.get('content-type') ?? '',
    content: await response.text(),
    lastModified: null,
    contentLanguage: null,
    fetchedAt: new Date().toISOString(),
    readBy: 'static',
    warning: null,
  }
}

const readCapture = (capture, signal) => readPage({ ...capture, now: new Date() }, signal)

const program = new Command('verbatim').addCommand(
  createIndexCommand({
    openLibrary: () => openLibrary({ dataDir, databaseUrl: null }),
    openCrawler: async (library) => ({
      crawler: createCrawler({
        library,
        loadPage,
        readPage: readCapture,
        product: 'Verbatim',
      }),
      close: async () => undefined,
    }),
    openFileIndexer: async (library) => ({
      files: createFileIndexer({ library, loadFile: loadLocalFile, readPage: readCapture, isReadableName }),
      close: async () => undefined,
    }),
  }),
)
await withUsageExitCode(program).parseAsync(words, { from: 'user' })

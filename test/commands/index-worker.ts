// Runs the index command as the command line does, over a loader that knows no guard: the tests' sites are on loopback.
import { Command } from 'commander'
import { createIndexCommand } from '../../src/commands/index-pages.ts'
import { createCrawler } from '../../src/library/crawl/crawler.ts'
import { openLibrary } from '../../src/library/library.ts'
import { loadPage, readText } from '../library/crawl/load-page.ts'

const [dataDir = '', ...words] = process.argv.slice(2)

await new Command('verbatim')
  .addCommand(
    createIndexCommand({
      openLibrary: () => openLibrary({ dataDir, databaseUrl: null }),
      openCrawler: async (library) => ({
        crawler: createCrawler({ library, loadPage, readPage: readText, product: 'Verbatim' }),
        close: async () => undefined,
      }),
    }),
  )
  .parseAsync(words, { from: 'user' })

// Builds what a crawl needs: by itself for the command line, or as one of the replicas that share their crawls.
import type { Config } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { createClosers, type Closers } from './closers.ts'
import { pageReaderOf } from './page-reader.ts'
import { openConfiguredPages, openConfiguredReading, PRODUCT, userAgentOf } from './page-parts.ts'
import type { SearchParts } from './search-parts.ts'
import { readVersion } from './version.ts'
import { createCrawledSites } from '../library/crawl/crawled-sites.ts'
import { openSiteKeeper, type SiteKeeper } from '../library/crawl/site-keeper.ts'
import type { CrawlQueue } from '../library/crawl/crawl-queue.ts'
import { createRedisHostLock } from '../library/crawl/redis-host-lock.ts'
import { createCrawler, type Crawler } from '../library/crawl/crawler.ts'
import type { CrawlerOptions } from '../library/crawl/crawl.ts'
import { createFileIndexer, type FileIndexer } from '../library/files/file-indexer.ts'
import type { Library } from '../library/library.ts'
import { isReadableName, loadLocalFile } from '../pages/local-file.ts'
import type { Pages } from '../pages/open-pages.ts'
import { openQueueRedis } from '../connections/redis.ts'
import type { Logger } from '../telemetry/log.ts'

const CRAWL_PAGE_MS = 20_000

/** A crawler over `library`, with page reading of its own; closing it leaves the library open. */
export async function openCrawler(
  config: Config,
  { library, log }: { library: Library; log: Logger },
): Promise<{ crawler: Crawler; close: () => Promise<void> }> {
  const closers = createClosers(log)
  try {
    const reading = await openConfiguredReading(log)
    closers.add('reading', () => reading.close())
    const pages = await openConfiguredPages(config, {
      userAgent: userAgentOf(config, await readVersion()),
      ownPages: [],
      redis: null,
      reading: Promise.resolve(reading),
      log,
    })
    closers.add('pages', () => pages.close())
    const parts = { library, pages, readPage: pageReaderOf(reading) }
    const shared = await openSharedCrawls(config, { ...parts, log })
    if (shared !== null) closers.add('crawls', () => shared.close())
    if (shared?.isReady() === false)
      throw new OperatorError('The Redis of REDIS_URL does not answer, and crawls are shared through it.')
    return { crawler: shared ?? createCrawler(crawlerParts(parts)), close: () => closers.closeAll() }
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}

/** What puts files of this machine into `library`; closing it leaves the library open. */
export async function openFileIndexer(
  library: Library,
  log: Logger,
): Promise<{ files: FileIndexer; close: () => Promise<void> }> {
  const reading = await openConfiguredReading(log)
  const files = createFileIndexer({
    library,
    loadFile: loadLocalFile,
    readPage: pageReaderOf(reading),
    isReadableName,
  })
  return { files, close: () => reading.close() }
}

/**
 * What keeps the sites of a service: together with the other replicas, where PostgreSQL and Redis make several one
 * service, and else by itself.
 */
export async function openServiceSites(
  config: Config,
  { library, pages, reading, log }: Pick<SearchParts, 'library' | 'pages' | 'reading'> & { log: Logger },
  closers: Closers,
): Promise<SiteKeeper> {
  const parts = { library, pages, readPage: pageReaderOf(reading) }
  const crawls = await openSharedCrawls(config, { ...parts, log })
  if (crawls !== null) {
    closers.add('crawls', () => crawls.close())
    // Not waited for: without Redis the service starts, and joins when it is back.
    crawls
      .addUnfinished(await createCrawledSites(library).listSites())
      .catch((error: unknown) => log.warn({ err: error }, 'crawls were not resumed'))
  }
  const sites = openSiteKeeper({
    library,
    crawler: crawls ?? createCrawler(crawlerParts(parts)),
    onError: (error) => log.warn({ err: error }, 'a site could not be read; it is tried again'),
    onStoreChange: (error) => {
      if (error === null) log.info('sites are read again when they are due')
      else
        log.warn({ err: error }, 'no site is read when it is due until the database of the library answers')
    },
  })
  closers.add('sites', () => sites.close())
  return sites
}

interface CrawlParts extends Pick<CrawlerOptions, 'library' | 'readPage'> {
  pages: Pick<Pages, 'load'>
}

/** Crawls shared with all replicas, of which this process becomes one; null without PostgreSQL and Redis. */
async function openSharedCrawls(
  config: Config,
  { log, ...parts }: CrawlParts & { log: Logger },
): Promise<CrawlQueue | null> {
  if (config.redisUrl === null || !('databaseUrl' in config.accounts.store)) return null
  const redis = await openQueueRedis(config.redisUrl, { log })
  const hostLock = createRedisHostLock({ redis: redis.client })
  const crawler = createCrawler({ ...crawlerParts(parts), hostLock })
  const onError = (error: Error): void => log.warn({ err: error }, 'a shared crawl met a difficulty')
  // Loaded here, because most installations have no replicas and need no queue.
  const { openCrawlQueue } = await import('../library/crawl/crawl-queue.ts')
  const sites = createCrawledSites(parts.library)
  return openCrawlQueue({ redis, crawler, getSite: (url) => sites.getSite(url), onError })
}

const crawlerParts = ({ library, pages, readPage: read }: CrawlParts): CrawlerOptions => ({
  library,
  loadPage: (url, signal) => {
    const deadlineMs = Date.now() + CRAWL_PAGE_MS
    return pages.load(url, { deadlineMs, rendering: 'auto', scroll: false, fresh: true }, signal)
  },
  readPage: read,
  product: PRODUCT,
})

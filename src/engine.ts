// The half of the composition root that searches: engines, pages, scorer and the pipeline over them, without HTTP and
// accounts. Apart from service.ts, because commands search and crawl without serving.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClosers, type Closers } from './closers.ts'
import { PACKAGE_ROOT, type Config } from './config.ts'
import { readPage } from './extract/read-page.ts'
import { assessRendering } from './extract/rendering-need.ts'
import { createCrawler, type CrawlProgress } from './library/crawler.ts'
import { openLibrary, type Library } from './library/library.ts'
import { createRedisCacheStore } from './pages/cache-store-redis.ts'
import { createMemoryCacheStore } from './pages/cache-store.ts'
import type { Capture } from './pages/capture.ts'
import { openPages } from './pages/open-pages.ts'
import { createLibraryProvider } from './providers/library.ts'
import { openProviders } from './providers/open-providers.ts'
import { openRedis, type OpenRedis } from './redis.ts'
import { openScorer } from './score/scorer.ts'
import { createAdmission } from './search/admission.ts'
import { createKeptPages } from './search/kept-pages.ts'
import { createKeptReadings } from './search/kept-readings.ts'
import { openReadingPool } from './search/reading-pool.ts'
import { observeSearch } from './search/observe.ts'
import { createPageAccess } from './search/page-access.ts'
import { createSearch } from './search/search.ts'
import type { Metrics, ServiceLoad } from './metrics.ts'
import type { Logger } from './telemetry.ts'

/** Enough for some hundred pages; the page cache beneath keeps them longer, and in Redis when there is one. */
const KEPT_READINGS = { maxBytes: 32 * 1024 * 1024, maxAgeMs: 10 * 60_000 } as const
const KEPT_PAGES = { maxBytes: 32 * 1024 * 1024, maxAgeMs: 60 * 60_000 } as const
/** What robots.txt and our own User-Agent call us. */
const PRODUCT = 'Verbatim'
const CRAWL_PAGE_MS = 20_000
/** Stands for "this service" in the library's index (RFC 6761: .invalid never resolves). */
export const DOCUMENTATION_ORIGIN = 'http://documentation.invalid'

export interface EngineOptions {
  /** Where this service answers: our documentation lies there, and nothing else of this machine is opened by it. */
  ownUrl: string
  /** Told what happens; left out by commands, which nobody scrapes. */
  metrics?: Pick<Metrics, 'observeSearch' | 'observeWait' | 'observeProviderFailure'>
  log: Logger
}

export type Engine = Awaited<ReturnType<typeof openEngine>>

/** @throws whatever keeps a part from being built, with a message for the operator; what was opened is closed. */
export async function openEngine(config: Config, options: EngineOptions) {
  const closers = createClosers(options.log)
  try {
    return await buildEngine(config, options, closers)
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}

async function buildEngine(config: Config, { ownUrl, metrics, log }: EngineOptions, closers: Closers) {
  const version = await readVersion()
  const userAgent = userAgentOf(config, version)
  const redis = config.redisUrl === null ? null : await openRedis(config.redisUrl, { log })
  if (redis !== null) closers.add('redis', () => redis.close())
  const library = await openConfiguredLibrary(config, log)
  closers.add('library', () => library.close())
  library.warmUp()
  const providers = openProviders({
    ...config.providers,
    library: createLibraryProvider({ library: withOwnDocumentation(library, ownUrl) }),
    client: { userAgent },
    chain: {
      onFailure: ({ provider, failure, message }) => {
        log.warn({ provider, failure, reason: message }, 'a search engine failed')
        metrics?.observeProviderFailure(provider, failure)
      },
    },
  })
  closers.add('providers', () => providers.close())
  // The slowest parts start side by side: a browser that tests itself, models that load, and threads.
  const openingScorer = openScorer({ ...config.models, log })
  openingScorer.catch(() => undefined) // It is awaited below; until then its failure must not end the process.
  closers.add('scorer', async () => (await openingScorer).close())
  const openingReading = openReadingPool()
  openingReading.catch(() => undefined)
  closers.add('reading', async () => (await openingReading).close())
  const pages = await openConfiguredPages(config, { userAgent, allow: [new URL(ownUrl).host], redis, log })
  closers.add('pages', () => pages.close())
  const scorer = await openingScorer
  const reading = await openingReading

  const readings = createKeptReadings({ ...KEPT_READINGS, read: reading.readPage })
  const parts = {
    loadPage: pages.load,
    readPage: readings.readPage,
    keptPages: createKeptPages(KEPT_PAGES),
  }
  const search = createSearch({
    ...parts,
    findHits: providers.findHits,
    score: (...asked) => scorer.score(...asked),
    log,
  })
  const admission = createAdmission(search, {
    ...config.admission,
    ...(metrics === undefined ? {} : { onStart: metrics.observeWait }),
  })
  return {
    version,
    redis,
    library,
    providers,
    pages,
    scorer,
    search: metrics === undefined ? admission.search : observeSearch(admission.search, metrics.observeSearch),
    pageAccess: createPageAccess(parts),
    /** What the service is busy with at this moment. */
    describeLoad(): ServiceLoad {
      const scoring = scorer.describeLoad()
      return {
        searches: admission.load(),
        browser: pages.browserLoad(),
        reading: { waiting: reading.waiting() },
        scoring: { waiting: scoring?.waiting ?? 0 },
        caches: { readings: readings.load(), ...(scoring === null ? {} : { vectors: scoring.vectors }) },
        redisReady: redis?.isReady() ?? null,
      }
    },
    close: () => closers.closeAll(),
  }
}

/** The embedded engine alone, for commands that fill it. */
export function openConfiguredLibrary(config: Config, log: Logger): Promise<Library> {
  const { store } = config.accounts
  return openLibrary({
    dataDir: config.dataDir,
    databaseUrl: 'databaseUrl' in store ? store.databaseUrl : null,
    onWarning: (message, detail) => log.warn({ detail }, message),
  })
}

/**
 * Our documentation is indexed under an address that no port or host name changes; what is found of it is opened where
 * this very process answers, so that replicas share one index and each reads its own pages.
 */
function withOwnDocumentation(library: Library, ownUrl: string): Pick<Library, 'search'> {
  return {
    async search(query, signal) {
      const hits = await library.search(query, signal)
      return hits.map((hit) => Object.assign(hit, { url: hit.url.replace(DOCUMENTATION_ORIGIN, ownUrl) }))
    },
  }
}

/** A crawler over `library`, with page reading of its own; closing it leaves the library open. */
export async function openCrawler(
  config: Config,
  options: { library: Library; delayMs: number; onProgress: (progress: CrawlProgress) => void; log: Logger },
) {
  const { library, delayMs, onProgress, log } = options
  const pages = await openConfiguredPages(config, {
    userAgent: userAgentOf(config, await readVersion()),
    allow: [],
    redis: null,
    log,
  })
  const loadPage = (url: string, signal: AbortSignal): Promise<Capture> => {
    const deadlineMs = Date.now() + CRAWL_PAGE_MS
    return pages.load(url, { deadlineMs, rendering: 'auto', scroll: false, fresh: true }, signal)
  }
  const crawler = createCrawler({ library, loadPage, readPage, product: PRODUCT, delayMs, onProgress })
  return { crawler, close: () => pages.close() }
}

function openConfiguredPages(
  config: Config,
  options: { userAgent: string; allow: readonly string[]; redis: OpenRedis | null; log: Logger },
) {
  const { userAgent, allow, redis, log } = options
  return openPages({
    userAgent,
    product: PRODUCT,
    respectRobots: config.pages.robots,
    egress: { allow: [...config.pages.egressAllow, ...allow] },
    browser: {
      mode: config.browser.mode,
      chromiumPath: config.browser.chromiumPath,
      limits: { tabs: config.browser.contexts },
    },
    assessRendering: (html, url) => assessRendering(html, url).verdict,
    cacheStore:
      redis === null
        ? createMemoryCacheStore({ bytesMax: config.pages.cacheBytes })
        : createRedisCacheStore({ redis: redis.client }),
    logger: log,
  })
}

function userAgentOf(config: Config, version: string): string {
  return `${PRODUCT}/${version} (${config.pages.contact ?? 'self-hosted search; its operator names no contact'})`
}

/** The version in package.json. */
async function readVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(PACKAGE_ROOT, 'package.json'), 'utf8'))
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null
  return typeof version === 'string' ? version : 'unknown'
}

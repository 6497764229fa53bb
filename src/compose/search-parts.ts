// Builds what searching needs: engines, pages, scorer and the pipeline over them, without HTTP and accounts, which
// commands do without.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createClosers, type Closers } from './closers.ts'
import { readVersion } from './version.ts'
import type { Config } from '../config.ts'
import { pageReaderOf } from './page-reader.ts'
import { createDocumentStore, DOCUMENTS_ORIGIN, type DocumentStore } from '../library/files/document-store.ts'
import { createFolderFiles } from '../library/files/folder-files.ts'
import { createPostgresFiles } from '../library/files/postgres-files.ts'
import { openLibrary, type Library } from '../library/library.ts'
import { createRedisCacheStore } from '../pages/cache/redis-store.ts'
import { createMemoryCacheStore } from '../pages/cache/memory-store.ts'
import { loadLocalFile } from '../pages/local-file.ts'
import { openPages } from '../pages/open-pages.ts'
import { createLibraryProvider } from '../providers/engines/library.ts'
import { openProviders } from '../providers/open-providers.ts'
import { openRedis, type OpenRedis } from '../connections/redis.ts'
import { openScorer, type Scorer } from '../score/scorer.ts'
import { createAdmission, searchesAtOnce } from '../search/admission.ts'
import { createAdmittedWork } from '../search/given/admitted-work.ts'
import { createBundleFinder } from '../search/bundles/kept-bundle.ts'
import { openKeyStore, openSigning } from '../search/bundles/open-signing.ts'
import { createBundleSigning } from '../search/bundles/sign-bundle.ts'
import { openProofStore } from '../search/proof/open-proof-store.ts'
import { createParsedPageCache } from '../search/reading/parsed-page-cache.ts'
import { openReadingPool, type ReadingPool } from '../search/reading/reading-pool.ts'
import { observeSearch } from '../search/observe/count-searches.ts'
import { createDocumentReader } from '../search/given/read-document.ts'
import { createReadPages } from '../search/given/read-pages.ts'
import { createRerank } from '../search/given/rerank.ts'
import { createPageAccess, type PageAccessParts } from '../search/proof/single-page.ts'
import { createSurroundings } from '../search/proof/surroundings.ts'
import { createVerifyAnswer, type VerifyAnswerParts } from '../search/proof/verify-answer.ts'
import type { KeyStore } from '../search/bundles/signing-key.ts'
import type { PipelineParts } from '../search/search-context.ts'
import { createSearch } from '../search/search.ts'
import { tracePages, traceSearch } from '../search/observe/trace-searches.ts'
import type { CacheLoad, Metrics, ServiceLoad } from '../telemetry/metrics.ts'
import type { Logger } from '../telemetry/log.ts'
import { untraced, type Trace } from '../telemetry/trace.ts'

/** Enough for some hundred pages; the page cache beneath keeps them longer, and in Redis when there is one. */
const KEPT_READINGS = { maxBytes: 32 * 1024 * 1024, maxAgeMs: 10 * 60_000 } as const
/** What robots.txt and our own User-Agent call us. */
export const PRODUCT = 'Verbatim'
/** Stands for "this service" in the library's index (RFC 6761: .invalid never resolves). */
export const DOCUMENTATION_ORIGIN = 'http://documentation.invalid'

export interface SearchPartsOptions {
  /** Where this service answers: our documentation lies there, and nothing else of this machine is opened by it. */
  ownUrl: string
  /** Told what happens; left out by commands, which nobody scrapes. */
  metrics?: Pick<Metrics, 'observeSearch' | 'observeWait' | 'observeProviderFailure'>
  /** Left out by commands, which nobody traces. */
  trace?: Trace
  log: Logger
}

export type SearchParts = Awaited<ReturnType<typeof openSearchParts>>

/** @throws whatever keeps a part from being built, with a message for the operator; what was opened is closed. */
export async function openSearchParts(config: Config, options: SearchPartsOptions) {
  const closers = createClosers(options.log)
  try {
    return await buildSearchParts(config, options, closers)
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}

async function buildSearchParts(config: Config, options: SearchPartsOptions, closers: Closers) {
  const { ownUrl, log } = options
  const version = await readVersion()
  const userAgent = userAgentOf(config, version)
  const redis = config.redisUrl === null ? null : await openRedis(config.redisUrl, { log })
  if (redis !== null) closers.add('redis', () => redis.close())
  const library = await openConfiguredLibrary(config, log)
  closers.add('library', () => library.close())
  library.warmUp()
  const isLibraryAlone = (): boolean => providers.steps.flat().every((name) => name === 'library')
  const providers = openConfiguredProviders(config, {
    library: withOwnDocumentation(library, ownUrl, isLibraryAlone),
    userAgent,
    ...options,
  })
  closers.add('providers', () => providers.close())
  // The slowest parts start side by side: a browser that tests itself, models that load, and threads.
  const openingScorer = openScorer({ ...config.models, log })
  openingScorer.catch(() => undefined) // It is awaited below; until then its failure must not end the process.
  closers.add('scorer', async () => (await openingScorer).close())
  const openingReading = openConfiguredReading(log)
  openingReading.catch(() => undefined)
  closers.add('reading', async () => (await openingReading).close())
  const pages = await openConfiguredPages(config, {
    userAgent,
    ownPages: ownPagesOf(ownUrl),
    redis,
    reading: openingReading,
    log,
  })
  closers.add('pages', () => pages.close())
  const scorer = await openingScorer
  const reading = await openingReading

  const { signing, proofs, quoted } = await openProofParts(config, { ownUrl, redis, log }, closers)
  const documents = documentsOf(config, library, reading)
  const readings = createParsedPageCache({ ...KEPT_READINGS, read: reading.readPage })
  const parts = {
    loadPage: withIndexedFiles(library, documents, pages.load),
    readPage: readings.readPage,
    linkPassages: reading.linkPassages,
    findQuotes: reading.findQuotes,
    recheckQuotes: reading.recheckQuotes,
    ...proofs,
    version,
  }
  const score: PipelineParts['score'] = (...asked) => scorer.score(...asked)
  const admitted = createAdmittedSearch(config, { ...parts, findHits: providers.findHits, score, ...options })
  return {
    version,
    redis,
    library,
    documents,
    providers,
    pages,
    scorer,
    search: admitted.search,
    ...createAdmittedWork(admitted, {
      readPages: createReadPages({ ...parts, score, log }),
      readDocument: createDocumentReader(parts),
      rerank: createRerank({ score, cutTexts: reading.cutTexts }),
    }),
    /** Whether there is no engine but the embedded one, which then finds our documentation, too. */
    isLibraryAlone,
    signing,
    ...quoted,
    pageAccess: createConfiguredPageAccess({ ...parts, checkAnswer: reading.checkAnswer, score }),
    reading,
    /** What the service is busy with at this moment. */
    describeLoad: createLoadReport({ admitted, pages, reading, scorer, readings, redis }),
    /** Whether there are threads to read and to score with. */
    areThreadsUp: () => reading.isUp() && scorer.isUp(),
    close: () => closers.closeAll(),
  }
}

/** Files are opened that are in the index, and no others, whoever names them. */
const withIndexedFiles =
  (
    library: Pick<Library, 'hasPage'>,
    documents: Pick<DocumentStore, 'load'>,
    load: PipelineParts['loadPage'],
  ): PipelineParts['loadPage'] =>
  async (url, options, signal) => {
    // As the index spells it, however its caller did.
    const file = /^file:/iu.test(url) && URL.canParse(url) ? new URL(url).href : null
    if (file === null || !(await library.hasPage(file))) return load(url, options, signal)
    return file.startsWith(DOCUMENTS_ORIGIN) ? documents.load(file) : loadLocalFile(file)
  }

/** Replicas that share one library share its documents, too. */
function documentsOf(config: Config, library: Library, reading: ReadingPool): DocumentStore {
  const folder = join(config.dataDir, 'uploads')
  const files =
    databaseUrlOf(config) === null ? createFolderFiles(folder) : createPostgresFiles(library.database)
  return createDocumentStore({ folder, files, library, readPage: pageReaderOf(reading) })
}

interface BusyParts {
  admitted: { load(): ServiceLoad['searches'] }
  pages: { browserLoad(): ServiceLoad['browser'] }
  reading: Pick<ReadingPool, 'waiting'>
  scorer: Pick<Scorer, 'describeLoad'>
  readings: { load(): CacheLoad }
  redis: Pick<OpenRedis, 'isReady'> | null
}

function createLoadReport({
  admitted,
  pages,
  reading,
  scorer,
  readings,
  redis,
}: BusyParts): () => ServiceLoad {
  return () => {
    const scoring = scorer.describeLoad()
    return {
      searches: admitted.load(),
      browser: pages.browserLoad(),
      reading: { waiting: reading.waiting() },
      scoring: { waiting: scoring?.waiting ?? 0 },
      caches: { readings: readings.load(), ...(scoring === null ? {} : { vectors: scoring.vectors }) },
      redisReady: redis?.isReady() ?? null,
    }
  }
}

/** One page on its own, quotes in it, and answers over several. */
function createConfiguredPageAccess(parts: PageAccessParts & Omit<VerifyAnswerParts, 'readUrl'>) {
  const pageAccess = createPageAccess(parts)
  return { ...pageAccess, verifyAnswer: createVerifyAnswer({ ...parts, readUrl: pageAccess.read }) }
}

/** Our documentation; and robots.txt, which is asked of every host. */
const ownPagesOf = (ownUrl: string): string[] =>
  // PORT=0 takes a port that only the running service knows: a command has nothing to open there.
  new URL(ownUrl).port === '0' ? [] : [`${ownUrl}/docs`, `${ownUrl}/robots.txt`]

/** Where the texts behind proofs are kept, what signs what is said of them, and what is told of pages that were quoted. */
async function openProofParts(
  config: Config,
  { ownUrl, redis, log }: Pick<SearchPartsOptions, 'ownUrl' | 'log'> & { redis: OpenRedis | null },
  closers: Closers,
) {
  const proofs = await openProofStore({
    redis: redis?.client ?? null,
    databaseUrl: databaseUrlOf(config),
    dataDir: config.dataDir,
    maxAgeMs: config.pages.proofKeepMs,
    log,
  })
  closers.add('proofs', () => proofs.close())
  const signing = openSigning(openConfiguredKeyStore(config, log), log)
  closers.add('signing', () => signing.close())
  const issuer = config.http.publicUrl ?? ownUrl
  const parts = { proofStore: proofs.store, signBundle: createBundleSigning({ ...signing, issuer, log }) }
  const quoted = { findBundle: createBundleFinder(parts), findSurroundings: createSurroundings(parts) }
  return { signing, proofs: parts, quoted }
}

/** Where the keys are kept that sign bundles. */
export const openConfiguredKeyStore = (config: Config, log: Logger): KeyStore =>
  openKeyStore({ databaseUrl: databaseUrlOf(config), dataDir: config.dataDir, log })

const databaseUrlOf = ({ accounts: { store } }: Config): string | null =>
  'databaseUrl' in store ? store.databaseUrl : null

/** The pipeline, and around it from the inside out: the door, the trace, the metrics. */
function createAdmittedSearch(
  { admission: { concurrency, queue } }: Pick<Config, 'admission'>,
  { metrics, trace = untraced, ...parts }: Pick<SearchPartsOptions, 'metrics' | 'trace'> & PipelineParts,
) {
  const search = createSearch({ ...tracePages(parts, trace), trace })
  const admission = createAdmission(search, {
    concurrency: concurrency ?? searchesAtOnce(availableParallelism()),
    queue,
    trace,
    ...(metrics === undefined ? {} : { onStart: metrics.observeWait }),
  })
  const traced = traceSearch(admission.search, trace)
  return {
    load: admission.load,
    admit: admission.admit,
    search: metrics === undefined ? traced : observeSearch(traced, metrics.observeSearch),
  }
}

function openConfiguredProviders(
  config: Config,
  parts: Pick<SearchPartsOptions, 'metrics' | 'log'> & {
    library: Pick<Library, 'search'>
    userAgent: string
  },
) {
  const { library, userAgent, metrics, log } = parts
  return openProviders({
    ...config.providers,
    library: createLibraryProvider({ library }),
    client: { userAgent },
    chain: {
      onFailure: ({ provider, failure, message }) => {
        log.warn({ provider, failure, reason: message }, 'a search engine failed')
        metrics?.observeProviderFailure(provider, failure)
      },
    },
  })
}

/** The embedded engine alone, for commands that fill it. */
export function openConfiguredLibrary(config: Config, log: Logger): Promise<Library> {
  return openLibrary({
    dataDir: config.dataDir,
    databaseUrl: databaseUrlOf(config),
    readUrl: config.databaseReadUrl,
    onWarning: (message, detail) => log.warn({ detail }, message),
  })
}

/**
 * Our documentation is indexed under an address that no port or host name changes; what is found of it is opened where
 * this very process answers, so that replicas share one index and each reads its own pages. Only a fresh installation,
 * with no engine but the embedded one, is to find it: it must never stand in for an engine that failed or found nothing.
 */
function withOwnDocumentation(
  library: Library,
  ownUrl: string,
  isFound: () => boolean,
): Pick<Library, 'search'> {
  return {
    async search(query, signal) {
      const found = await library.search(query, signal)
      const hits = isFound() ? found : found.filter(({ url }) => !url.startsWith(`${DOCUMENTATION_ORIGIN}/`))
      return hits.map((hit) => Object.assign(hit, { url: hit.url.replace(DOCUMENTATION_ORIGIN, ownUrl) }))
    },
  }
}

/** The threads and processes that read pages, which whoever opens them closes. */
export const openConfiguredReading = (log: Logger): Promise<ReadingPool> =>
  openReadingPool({
    onWorkerEnd: (reason, cause) =>
      log.warn({ reason, err: cause }, 'a worker that read pages was ended; another takes its place'),
  })

/** Page opening, which whoever opens it closes. */
export function openConfiguredPages(
  config: Config,
  options: {
    userAgent: string
    ownPages: readonly string[]
    redis: OpenRedis | null
    reading: Promise<Pick<ReadingPool, 'assessRendering'>>
    log: Logger
  },
) {
  const { userAgent, ownPages, redis, reading, log } = options
  return openPages({
    userAgent,
    product: PRODUCT,
    respectRobots: config.pages.robots,
    egress: { allow: config.pages.egressAllow, ownPages },
    browser: {
      mode: config.browser.mode,
      chromiumPath: config.browser.chromiumPath,
      proxy: config.browser.proxy,
      limits: { tabs: config.browser.contexts },
    },
    assessRendering: async (html, url, signal) => (await reading).assessRendering(html, url, signal),
    cacheStore:
      redis === null
        ? createMemoryCacheStore({ bytesMax: config.pages.cacheBytes })
        : createRedisCacheStore({ redis: redis.client }),
    logger: log,
  })
}

/** What we call ourselves to sites and search engines. */
export function userAgentOf(config: Config, version: string): string {
  return `${PRODUCT}/${version} (${config.pages.contact ?? 'self-hosted search; its operator names no contact'})`
}

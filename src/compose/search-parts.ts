// Builds what searching needs: engines, pages, scorer and the pipeline over them, without HTTP and accounts, which
// commands do without.
import { availableParallelism } from 'node:os'
import { createClosers, type Closers } from './closers.ts'
import {
  documentsOf,
  openConfiguredLibrary,
  withIndexedFiles,
  withOwnDocumentation,
} from './library-parts.ts'
import { openConfiguredPages, openConfiguredReading, ownPagesOf, userAgentOf } from './page-parts.ts'
import { openProofParts } from './proof-parts.ts'
import { readVersion } from './version.ts'
import type { Config } from '../config.ts'
import type { Library } from '../library/library.ts'
import { createLibraryProvider } from '../providers/engines/library.ts'
import { openProviders, type Providers } from '../providers/open-providers.ts'
import type { PostgresWait } from '../connections/postgres-start.ts'
import { openRedis, type OpenRedis } from '../connections/redis.ts'
import { openScorer, type Scorer } from '../score/scorer.ts'
import { createAdmission, searchesAtOnce } from '../search/admission.ts'
import { createAdmittedWork } from '../search/given/admitted-work.ts'
import { createParsedPageCache } from '../search/reading/parsed-page-cache.ts'
import type { ReadingPool } from '../search/reading/reading-pool.ts'
import { observeSearch } from '../search/observe/count-searches.ts'
import { createDocumentReader } from '../search/given/read-document.ts'
import { createReadPages } from '../search/given/read-pages.ts'
import { createRerank } from '../search/given/rerank.ts'
import { createPageAccess, type PageAccessParts } from '../search/proof/single-page.ts'
import { createVerifyAnswer, type VerifyAnswerParts } from '../search/proof/verify-answer.ts'
import type { PipelineParts } from '../search/search-context.ts'
import { createSearch } from '../search/search.ts'
import { tracePages, traceSearch } from '../search/observe/trace-searches.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { CacheLoad, ServiceLoad } from '../telemetry/observations.ts'
import type { Logger } from '../telemetry/log.ts'
import { untraced, type Trace } from '../telemetry/trace.ts'

/** Enough for some hundred pages; the page cache beneath keeps them longer, and in Redis when there is one. */
const KEPT_READINGS = { maxBytes: 32 * 1024 * 1024, maxAgeMs: 10 * 60_000 } as const

export interface SearchPartsOptions {
  /** Where this service answers: our documentation lies there, and nothing else of this machine is opened by it. */
  ownUrl: string
  /** Told what happens; left out by commands, which nobody scrapes. */
  metrics?: Pick<Metrics, 'observeSearch' | 'observeWait' | 'observeProviderFailure'>
  /** Left out by commands, which nobody traces. */
  trace?: Trace
  /** How PostgreSQL is waited for; by default for 30 s, told in the log. */
  wait?: PostgresWait
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
  const library = await openConfiguredLibrary(config, log, options.wait)
  closers.add('library', () => library.close())
  const isLibraryAlone = (): boolean => providers.steps.flat().every((name) => name === 'library')
  const providers = openConfiguredProviders(config, {
    library: withOwnDocumentation(library, ownUrl, isLibraryAlone),
    userAgent,
    ...options,
  })
  closers.add('providers', () => providers.close())
  if (providers.steps.flat().includes('library')) library.warmUp()
  const { pages, scorer, reading } = await openWorkers(config, { ownUrl, userAgent, redis, log }, closers)

  const { signing, proofs, quoted } = await openProofParts(config, { ownUrl, redis, log }, closers)
  const documents = documentsOf(config, library, reading)
  const readings = createParsedPageCache({ ...KEPT_READINGS, read: reading.readUnlessKnown })
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
    describeLoad: createLoadReport({ admitted, pages, reading, scorer, readings, redis, providers }),
    /** Whether there are threads to read and to score with. */
    areThreadsUp: () => reading.isUp() && scorer.isUp(),
    close: () => closers.closeAll(),
  }
}

/** The slowest parts start side by side: a browser that tests itself, models that load, and threads. */
async function openWorkers(
  config: Config,
  { ownUrl, userAgent, redis, log }: Pick<SearchPartsOptions, 'ownUrl' | 'log'> & WorkerParts,
  closers: Closers,
) {
  const openingScorer = openScorer({ ...config.models, log })
  closers.addOpening('scorer', openingScorer)
  const openingReading = openConfiguredReading(log)
  closers.addOpening('reading', openingReading)
  const pages = await openConfiguredPages(config, {
    userAgent,
    ownPages: ownPagesOf(ownUrl),
    redis,
    reading: openingReading,
    log,
  })
  closers.add('pages', () => pages.close())
  return { pages, scorer: await openingScorer, reading: await openingReading }
}

interface WorkerParts {
  userAgent: string
  redis: OpenRedis | null
}

interface BusyParts {
  admitted: { load(): ServiceLoad['searches'] }
  pages: { browserLoad(): ServiceLoad['browser'] }
  reading: Pick<ReadingPool, 'waiting'>
  scorer: Pick<Scorer, 'describeLoad'>
  readings: { load(): CacheLoad }
  redis: Pick<OpenRedis, 'isReady'> | null
  providers: Pick<Providers, 'describe'>
}

function createLoadReport({
  admitted,
  pages,
  reading,
  scorer,
  readings,
  redis,
  providers,
}: BusyParts): () => ServiceLoad {
  return () => {
    const scoring = scorer.describeLoad()
    return {
      searches: admitted.load(),
      browser: pages.browserLoad(),
      reading: { waiting: reading.waiting() },
      scoring: { waiting: scoring?.waiting ?? 0 },
      engines: providers.describe().map(({ name, condition }) => ({
        name,
        isLeftAlone: condition === 'left_alone' || condition === 'resting',
      })),
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
      onLeftAlone: ({ provider, failure, until }) =>
        log.info({ provider, failure, until: until.toISOString() }, 'a search engine is left alone'),
    },
  })
}

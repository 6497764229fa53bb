// What the service is doing now, gathered from the parts that know.
import { createCrawledSites, type SiteSummary } from '../../library/crawl/crawled-sites.ts'
import type { Library } from '../../library/library.ts'
import { FAILURE_TEXTS, type EngineState } from '../../providers/engine-state.ts'
import type { ServiceLoad } from '../../telemetry/observations.ts'
import type {
  CrawlOverview,
  EngineOverview,
  FailureText,
  ServiceOverview,
} from '../../telemetry/service-overview.ts'

interface OverviewParts {
  providers: { describe: () => readonly EngineState[] }
  describeLoad: () => ServiceLoad
  library: Pick<Library, 'database' | 'write'>
}

/** Counting the addresses of large crawls takes SQLite a moment, on the thread that serves: not for every reader anew. */
const CRAWLS_KEPT_MS = 10_000

const failureTexts: ReadonlyMap<string, FailureText> = new Map(Object.entries(FAILURE_TEXTS))

export function createOverview({ providers, describeLoad, library }: OverviewParts) {
  const crawledSites = createCrawledSites(library)
  let crawls: { atMs: number; listed: Promise<CrawlOverview[]> } | null = null

  function listCrawls(): Promise<CrawlOverview[]> {
    const atMs = performance.now()
    if (crawls === null || atMs - crawls.atMs > CRAWLS_KEPT_MS) {
      const listed = crawledSites.listSites().then((sites) => sites.map(crawlOf))
      crawls = { atMs, listed }
      listed.catch(() => (crawls = null)) // Whoever waits for it is told; the next one asks anew.
    }
    return crawls.listed
  }

  return async (): Promise<ServiceOverview> => ({
    engines: providers.describe().map(overviewOf),
    failureTexts,
    load: describeLoad(),
    crawls: await listCrawls(),
  })
}

const crawlOf = ({ url, finishedAt, counts: { waiting, read, failed } }: SiteSummary): CrawlOverview => ({
  url,
  finishedAt: finishedAt === null ? null : new Date(finishedAt),
  pages: { waiting, read, failed },
})

/** The engine's own message stays in the log: it may name what nobody but the operator should read. */
const overviewOf = ({ lastFailure, ...known }: EngineState): EngineOverview => ({
  ...known,
  lastFailure: lastFailure === null ? null : { at: lastFailure.at, ...FAILURE_TEXTS[lastFailure.failure] },
})

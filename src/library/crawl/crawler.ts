// Fills the engine: reads a site page by page, politely, within its bounds, and goes on where it was interrupted.
// Loading and reading are given to it, so that every byte it fetches passes the same guard as any other page.
import { normalizeUrl } from '../../providers/hit-urls.ts'
import type { CrawlEnd } from '../schema.ts'
import { createAliases } from './aliases.ts'
import {
  type Crawl,
  type CrawlerOptions,
  type CrawlRequest,
  isPassing,
  type AddressOutcome,
} from './crawl.ts'
import { createFrontier, type Frontier } from './frontier.ts'
import { createHostLock } from './host-lock.ts'
import { readAddress } from './read-address.ts'
import { addSitemaps, readRules } from './robots-and-sitemaps.ts'
import { scopeOf, SITE_ADDRESS_CHARACTERS_MAX } from './site-scope.ts'

export interface CrawlSummary {
  siteUrl: string
  isResumed: boolean
  pagesRead: number
  /** Addresses that could not be read and are not gone. Where there are any, nothing that was known is forgotten. */
  unread: number
  /** `removed`: the site was forgotten while it was read. */
  end: CrawlEnd | 'removed'
}

/** Reads sites into the library: by itself, or together with the other replicas (crawl-queue.ts). */
export interface Crawler {
  /**
   * Reads the site of `seedUrl`, one request at a time, and goes on where an interrupted crawl of it stopped.
   * @throws {RangeError} when the address is not http(s); the signal's reason when it aborts.
   */
  crawl(seedUrl: string, request: CrawlRequest, signal: AbortSignal): Promise<CrawlSummary>
}

const CRAWL_DELAY_MS_MAX = 30_000
/** After so many in a row the site is left in peace; the crawl can go on later. */
const FAILURES_IN_A_ROW_MAX = 5

export function createCrawler(options: CrawlerOptions): Crawler {
  const frontier = createFrontier(options.library)
  const hostLock = options.hostLock ?? createHostLock()
  return {
    async crawl(seedUrl, request, signal) {
      const siteUrl = siteAddress(seedUrl)
      const isResumed = await frontier.openSite(siteUrl, request)
      const { host } = new URL(siteUrl)
      const ask = () => readRules(siteUrl, options, signal)
      const rules = await hostLock.run(host, request.delayMs, ask, signal)
      const delayMs = Math.max(request.delayMs, Math.min(rules.delayMs, CRAWL_DELAY_MS_MAX))
      const crawl: Crawl = {
        siteUrl,
        scope: scopeOf(siteUrl),
        request,
        frontier,
        aliases: createAliases({ siteUrl, frontier, library: options.library }),
        options,
        rules,
        tries: new Map(),
        unread: new Set(isResumed ? await failedBefore(frontier, siteUrl) : []),
        withHost: (work) => hostLock.run(host, delayMs, work, signal),
        signal,
      }
      if (!isResumed) await addSitemaps(crawl)
      const { pagesRead, end } = await readSite(crawl)
      const unread = crawl.unread.size
      return { siteUrl, isResumed, pagesRead, unread, end: await settleCrawl(crawl, end) }
    },
  }
}

/** @throws {RangeError} when the address is not http(s), or longer than those of sites are. */
export function siteAddress(seedUrl: string): string {
  const siteUrl = normalizeUrl(seedUrl)
  if (siteUrl === null) throw new RangeError(`"${seedUrl}" is no http(s) address.`)
  if (siteUrl.length > SITE_ADDRESS_CHARACTERS_MAX)
    throw new RangeError(`The address of a site has at most ${SITE_ADDRESS_CHARACTERS_MAX} characters.`)
  return siteUrl
}

/** What the part of a crawl that was interrupted could not read. */
async function failedBefore(frontier: Frontier, siteUrl: string): Promise<string[]> {
  const failures = await frontier.listFailures(siteUrl, 1)
  return failures.filter(({ outcome }) => outcome === 'failed').map(({ url }) => url)
}

/** Pages that a whole crawl no longer came upon are forgotten, and of a site that was removed all that came in since. */
async function settleCrawl(
  { frontier, siteUrl, unread, options: { library } }: Crawl,
  end: CrawlEnd,
): Promise<CrawlSummary['end']> {
  if (await frontier.end(siteUrl, end)) {
    if (end === 'complete' && unread.size === 0) await library.removeUnlisted(siteUrl)
    return end
  }
  await frontier.removeSite(siteUrl)
  await library.removeOrigin(siteUrl)
  return 'removed'
}

async function readSite(crawl: Crawl): Promise<{ pagesRead: number; end: CrawlEnd }> {
  const { frontier, siteUrl, request, signal } = crawl
  let pagesRead = (await frontier.getSite(siteUrl))?.counts.read ?? 0
  let failuresInARow = 0
  while (pagesRead < request.pageLimit) {
    signal.throwIfAborted()
    const step = await crawl.withHost(() => readNext(crawl))
    if (step === undefined) return { pagesRead, end: 'complete' }
    const { url, outcome, reason, fault, replaced = 0 } = step
    if (outcome === 'read') pagesRead += 1 - replaced
    failuresInARow = isPassing(fault) ? failuresInARow + 1 : 0
    request.onProgress?.({ url, outcome, reason, pagesRead })
    if (failuresInARow >= FAILURES_IN_A_ROW_MAX)
      return { pagesRead, end: fault === 'ours' ? 'busy' : 'unreachable' }
  }
  return { pagesRead, end: 'limit' }
}

/** Chosen and settled in one turn, so that nobody who crawls the same site chooses the same address. */
async function readNext(crawl: Crawl): Promise<(AddressOutcome & { url: string }) | undefined> {
  const next = await crawl.frontier.next(crawl.siteUrl)
  return next === undefined ? undefined : { ...(await readAddress(crawl, next)), url: next.url }
}

// One crawl under way: what it was given, what it knows so far, and how addresses that it finds come to be waited for.
import { parseStamp } from '../../extract/dates/parse-date.ts'
import { type PageText, UnreadableError } from '../../extract/document.ts'
import { type Capture, faultOf, PageError, type PageFault } from '../../pages/capture.ts'
import type { RobotsRules } from '../../pages/robots/robots-rules.ts'
import type { Library } from '../page-index.ts'
import type { Aliases } from './aliases.ts'
import type { Frontier } from './frontier.ts'
import type { CrawlBounds } from './crawled-sites.ts'
import type { HostLock } from './host-lock.ts'
import type { SitemapPage } from './links.ts'
import type { SiteScope } from './site-scope.ts'

/** Links lead to many more addresses than pages will be read. */
const KNOWN_PER_PAGE = 20
/** Of what a page or a sitemap names, looked at in one go. */
const ADDRESSES_AT_ONCE = 500

export interface CrawlerOptions {
  library: Pick<Library, 'database' | 'write' | 'putPage' | 'removePage' | 'removeOrigin' | 'removeUnlisted'>
  /** @throws {PageError} Must refuse what robots.txt forbids, also when the rules cannot be had (RFC 9309 §2.3.1.4). */
  loadPage: (url: string, signal: AbortSignal) => Promise<Capture>
  /** @throws {UnreadableError} A TimeLimitError says that it took too long. */
  readPage: (
    capture: Capture,
    signal: AbortSignal,
  ) => Promise<Pick<PageText, 'title' | 'text' | 'language' | 'publishDate' | 'lastUpdated'>>
  /** The token that robots.txt names. */
  product: string
  /** Whose turn it is to ask the site; by default among the crawls of this crawler. */
  hostLock?: HostLock
}

/** `delayMs` lies between two requests to the site; a longer Crawl-delay is kept up to 30 seconds. */
export interface CrawlRequest extends CrawlBounds {
  onProgress?: (progress: CrawlProgress) => void
}

export interface CrawlProgress {
  url: string
  /** `failed`: it may be asked for again in this crawl when the site, or this service, could not answer just then. */
  outcome: 'read' | 'failed' | 'skipped'
  /** Why it failed or was skipped; null when it was read. For the operator. */
  reason: string | null
  pagesRead: number
}

/** One crawl under way, as all who work for it see it. */
export interface Crawl {
  siteUrl: string
  scope: SiteScope
  request: CrawlRequest
  frontier: Frontier
  aliases: Aliases
  options: CrawlerOptions
  rules: RobotsRules
  /** How often an address could not be read just then. */
  tries: Map<string, number>
  /** Addresses that could not be read and are not gone: what they lead to is not known, and may still be there. */
  unread: Set<string>
  /** Does `work` when it is this crawl's turn to ask the site. */
  withHost: <T>(work: () => Promise<T>) => Promise<T>
  signal: AbortSignal
}

/** How one address ended. `later` and `ours` say that the address may be read another time. */
export type AddressOutcome = Pick<CrawlProgress, 'outcome' | 'reason'> & {
  fault: PageFault | null
  /** Pages read before that have turned out to be this one. */
  replaced?: number
}

/**
 * Lets what is of the site wait to be read. Some at a time: a sitemap names fifty thousand, and the thread that serves
 * has other things to do.
 */
export async function enqueue(crawl: Crawl, found: readonly SitemapPage[], depth: number): Promise<void> {
  const knownMax = crawl.request.pageLimit * KNOWN_PER_PAGE
  for (let start = 0; start < found.length; start += ADDRESSES_AT_ONCE) {
    const now = new Date()
    const inScope = found
      .slice(start, start + ADDRESSES_AT_ONCE)
      .filter(({ url }) => crawl.scope.contains(url))
      .map(({ url, lastModified }) => ({ url, sitemapDate: dateOf(lastModified, now) }))
    await crawl.frontier.enqueue(crawl.siteUrl, inScope, depth, knownMax)
    crawl.signal.throwIfAborted()
  }
}

/** A W3C date and time as ISO 8601; null for none, for an impossible one and for one that is still to come. */
const dateOf = (lastModified: string | null, now: Date): string | null =>
  lastModified === null ? null : (parseStamp(lastModified, { now, firstNumber: 'day' })?.iso ?? null)

/** Another time the page may well be read. */
export const isPassing = (fault: PageFault | null): boolean => fault === 'later' || fault === 'ours'

/** Whose fault it is that a page could not be read. */
export function faultIn(error: unknown): PageFault {
  if (error instanceof PageError) return faultOf(error.warning.code)
  return error instanceof UnreadableError ? 'refused' : 'ours'
}

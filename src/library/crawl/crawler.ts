// Fills the engine: reads a site page by page, politely, within its bounds, and goes on where it was interrupted.
// Loading and reading are given to it, so that every byte it fetches passes the same guard as any other page.
import { parseStamp } from '../../extract/dates/parse-date.ts'
import type { PageText } from '../../extract/document.ts'
import { UnreadableError } from '../../extract/document.ts'
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { type Capture, faultOf, PageError, type PageFault } from '../../pages/capture.ts'
import { readRobots, type RobotsRules } from '../../pages/robots/robots-rules.ts'
import { normalizeUrl } from '../../providers/hit-urls.ts'
import type { CrawlEnd } from '../schema.ts'
import { type HostLock, createHostLock } from './host-lock.ts'
import type { Library } from '../page-index.ts'
import { createAliases, type Aliases } from './aliases.ts'
import {
  createFrontier,
  type CrawlBounds,
  type FoundAddress,
  type Frontier,
  type WaitingAddress,
} from './frontier.ts'
import { type PageLinks, type SitemapPage, readLinks, readRobotsTag, readSitemap } from './links.ts'
import { scopeOf, SITE_ADDRESS_CHARACTERS_MAX, type SiteScope } from './site-scope.ts'

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

export const CRAWL_DEFAULTS = { pageLimit: 500, depthLimit: 8, delayMs: 500 } as const

const CRAWL_DELAY_MS_MAX = 30_000
const SITEMAPS_MAX = 20
/** An index of sitemaps may name further ones, and those no more. */
const SITEMAP_DEPTH_MAX = 2
/** Links lead to many more addresses than pages will be read. */
const KNOWN_PER_PAGE = 20
/** Of what a page or a sitemap names, looked at in one go. */
const ADDRESSES_AT_ONCE = 500
/** After so many in a row the site is left in peace; the crawl can go on later. */
const FAILURES_IN_A_ROW_MAX = 5
/** An address that could not be read just then is asked for so often in one crawl. */
const TRIES_MAX = 3

interface Crawl {
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

/** `later` and `ours` say that the address may be read another time. */
type Outcome = Pick<CrawlProgress, 'outcome' | 'reason'> & {
  fault: PageFault | null
  /** Pages read before that have turned out to be this one. */
  replaced?: number
}

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
      if (!isResumed) await sow(crawl)
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
async function readNext(crawl: Crawl): Promise<(Outcome & { url: string }) | undefined> {
  const next = await crawl.frontier.next(crawl.siteUrl)
  return next === undefined ? undefined : { ...(await readOne(crawl, next)), url: next.url }
}

async function readOne(crawl: Crawl, asked: WaitingAddress): Promise<Outcome> {
  const { frontier, siteUrl, options, rules, signal } = crawl
  const settle = (
    state: 'failed' | 'skipped' | 'alias',
    reason: string,
    urls: string[] = [],
  ): Promise<Outcome> => settleWithout(crawl, [asked.url, ...urls], asked.depth, state, reason)
  if (!rules.allows(new URL(asked.url))) return settle('skipped', 'robots.txt forbids it')
  try {
    const capture = await options.loadPage(asked.url, signal)
    if (!crawl.scope.contains(capture.url)) return await settle('skipped', `leads elsewhere: ${capture.url}`)
    const links = await follow(crawl, capture, asked.depth)
    if (links.noIndex) {
      await options.library.removePage(asked.url)
      return await settle('skipped', 'the page asks not to be indexed', [capture.url])
    }
    if (asked.url !== capture.url && (await frontier.isRead(siteUrl, capture.url)))
      return await settle('alias', `the same page as ${capture.url}`)
    return await keep(crawl, asked, capture, links)
  } catch (error) {
    signal.throwIfAborted()
    if (!isOfPage(error)) throw error
    const fault = faultIn(error)
    if (fault === 'gone') await options.library.removePage(asked.url)
    if (isPassing(fault) && mayTryAgain(crawl, asked.url)) {
      await frontier.postpone(siteUrl, asked.url)
      return { outcome: 'failed', reason: error.message, fault }
    }
    if (fault !== 'gone' && (isPassing(fault) || asked.depth === 0 || (await wasRead(crawl, asked.url))))
      crawl.unread.add(asked.url)
    return { ...(await settle('failed', error.message)), fault }
  }
}

/** Whether an earlier crawl read it: one that never could be read leads to nothing that is known. */
async function wasRead({ options: { library } }: Crawl, url: string): Promise<boolean> {
  const page = library.database.selectFrom('page').select('url').where('url', '=', url)
  return (await page.executeTakeFirst()) !== undefined
}

/** Another time the page may well be read. */
const isPassing = (fault: PageFault | null): boolean => fault === 'later' || fault === 'ours'

function faultIn(error: Error): PageFault {
  if (error instanceof PageError) return faultOf(error.warning.code)
  return error instanceof UnreadableError ? 'refused' : 'ours'
}

function mayTryAgain({ tries }: Crawl, url: string): boolean {
  const count = (tries.get(url) ?? 0) + 1
  tries.set(url, count)
  return count < TRIES_MAX
}

/** Errors that cost this page and not the crawl. */
const isOfPage = (error: unknown): error is Error =>
  error instanceof PageError || error instanceof UnreadableError || error instanceof TimeLimitError

/** Adds the page's links to what is waiting, unless the page or the depth forbids it. */
async function follow(crawl: Crawl, capture: Capture, depth: number): Promise<PageLinks> {
  const isHtml = /html/u.test(capture.mediaType) && typeof capture.content === 'string'
  const onPage = await readLinks(isHtml ? String(capture.content) : '', capture.url, crawl.signal)
  const wishes = readRobotsTag(capture.robotsTag ?? '', crawl.options.product)
  const links = {
    ...onPage,
    noIndex: onPage.noIndex || wishes.noIndex,
    noFollow: onPage.noFollow || wishes.noFollow,
  }
  const found = links.links.map((url) => ({ url, lastModified: null }))
  if (!links.noFollow && depth < crawl.request.depthLimit) await enqueue(crawl, found, depth + 1)
  return links
}

/** Some at a time: a sitemap names fifty thousand, and the thread that serves has other things to do. */
async function enqueue(crawl: Crawl, found: readonly SitemapPage[], depth: number): Promise<void> {
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

/** Settles addresses that give no page of their own. */
async function settleWithout(
  { frontier, siteUrl }: Crawl,
  urls: readonly string[],
  depth: number,
  state: 'failed' | 'skipped' | 'alias',
  reason: string,
): Promise<Outcome> {
  const isAlias = state === 'alias'
  await frontier.settle(siteUrl, urls, depth, { state, reason: isAlias ? null : reason })
  return { outcome: isAlias ? 'skipped' : state, reason, fault: null }
}

/** Keeps a page under the address it was found at, unless it is one that was read before, or holds no text. */
async function keep(
  crawl: Crawl,
  asked: WaitingAddress,
  capture: Capture,
  { canonical }: PageLinks,
): Promise<Outcome> {
  const { frontier, siteUrl, aliases, options } = crawl
  const { url } = capture
  const named = canonical !== null && crawl.scope.contains(canonical) ? canonical : null
  const page = await options.readPage(capture, crawl.signal)
  if (page.text.trim() === '') {
    await options.library.removePage(url)
    return settleWithout(crawl, [asked.url, url], asked.depth, 'skipped', 'the page holds no readable text')
  }
  if (named !== null && named !== url && (await aliases.isAlias(named, page.text))) {
    await options.library.removePage(url)
    return settleWithout(crawl, [asked.url, url], asked.depth, 'alias', `the same page as ${named}`)
  }
  await put(crawl, { url, sitemapDate: asked.sitemapDate }, page)
  await frontier.settle(siteUrl, [url], asked.depth, { state: 'read', reason: null })
  if (asked.url !== url)
    await frontier.settle(siteUrl, [asked.url], asked.depth, { state: 'alias', reason: null })
  // What it names may be another page, which nothing else may lead to.
  if (named !== null && named !== url) await enqueue(crawl, [{ url: named, lastModified: null }], asked.depth)
  const replaced = await aliases.noteRead({ url, depth: asked.depth }, named, page.text)
  return { outcome: 'read', reason: null, fault: null, replaced }
}

async function put(
  { options: { library }, siteUrl }: Crawl,
  { url, sitemapDate }: FoundAddress,
  page: Awaited<ReturnType<CrawlerOptions['readPage']>>,
): Promise<void> {
  await library.putPage(
    {
      url,
      title: page.title ?? url,
      text: page.text,
      language: page.language?.code ?? null,
      publishedAt: page.publishDate?.iso ?? null,
      updatedAt: page.lastUpdated?.iso ?? null,
      sitemapDate,
    },
    siteUrl,
  )
}

/** Adds what the site's sitemaps list, as if the site's first page linked to it. */
async function sow(crawl: Crawl): Promise<void> {
  const first = [...crawl.rules.sitemaps, new URL('/sitemap.xml', crawl.siteUrl).href]
  const waiting = first.map((url) => ({ url, depth: 0 }))
  const seen = new Set<string>()
  while (seen.size < SITEMAPS_MAX) {
    const next = waiting.shift()
    if (next === undefined) return
    if (seen.has(next.url) || !URL.canParse(next.url)) continue
    seen.add(next.url)
    const xml = await crawl.withHost(() => loadText(next.url, crawl.options, crawl.signal, crawl.unread))
    if (xml === null) continue
    const sitemap = await readSitemap(xml, crawl.signal)
    await enqueue(crawl, sitemap.pages, 1)
    if (next.depth < SITEMAP_DEPTH_MAX)
      waiting.push(...sitemap.sitemaps.map((url) => ({ url, depth: next.depth + 1 })))
  }
}

/** A W3C date and time as ISO 8601; null for none, for an impossible one and for one that is still to come. */
const dateOf = (lastModified: string | null, now: Date): string | null =>
  lastModified === null ? null : (parseStamp(lastModified, { now, monthFirst: false })?.iso ?? null)

/** The site's own rules. Where there are none to be had, the loader decides about each page. */
async function readRules(
  siteUrl: string,
  options: CrawlerOptions,
  signal: AbortSignal,
): Promise<RobotsRules> {
  const address = new URL('/robots.txt', siteUrl).href
  return readRobots(address, (await loadText(address, options, signal)) ?? '', options.product)
}

/**
 * A text file of the site, or null when it has none: robots.txt and sitemaps are optional. `unread` is told of one that
 * could not be read just then.
 */
async function loadText(
  url: string,
  options: CrawlerOptions,
  signal: AbortSignal,
  unread?: Set<string>,
): Promise<string | null> {
  try {
    const { content } = await options.loadPage(url, signal)
    return typeof content === 'string' ? content : null
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof PageError)) throw error
    if (isPassing(faultIn(error))) unread?.add(url)
    return null
  }
}

// Fills the engine: reads a site page by page, politely, within its bounds, and goes on where it was interrupted.
// Loading and reading are given to it, so that every byte it fetches passes the same guard as any other page.
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type parse from 'robots-parser'
import type { PageText } from '../extract/document.ts'
import { UnreadableError } from '../extract/document.ts'
import type { PageInput } from '../extract/read-page.ts'
import { type Capture, PageError } from '../pages/capture.ts'
import { normalizeUrl } from '../providers/urls.ts'
import type { Library } from './engine.ts'
import { createFrontier, type CrawlBounds, type Frontier } from './frontier.ts'
import { readLinks, readSitemap } from './links.ts'
import { scopeOf, type SiteScope } from './site-scope.ts'

// Required, because the package's types describe an ES module that it is not.
const robotsParser: typeof parse.default = createRequire(import.meta.url)('robots-parser')

export interface CrawlerOptions {
  library: Pick<Library, 'database' | 'write' | 'putPage' | 'removePage'>
  /** @throws {PageError} Must refuse what robots.txt forbids, also when the rules cannot be had (RFC 9309 §2.3.1.4). */
  loadPage: (url: string, signal: AbortSignal) => Promise<Capture>
  readPage: (input: PageInput, signal: AbortSignal) => Promise<PageText>
  /** The token that robots.txt names. */
  product: string
  /** Between two requests to the site; a longer Crawl-delay is kept up to `delayMsMax`. */
  delayMs?: number
  delayMsMax?: number
  onProgress?: (progress: CrawlProgress) => void
}

export interface CrawlProgress {
  url: string
  outcome: 'read' | 'failed' | 'skipped'
  /** Why it failed or was skipped; null when it was read. For the operator. */
  reason: string | null
  pagesRead: number
}

export interface CrawlSummary {
  siteUrl: string
  isResumed: boolean
  pagesRead: number
  /** `complete`: every address is done. `limit`: the page limit was reached. `unreachable`: the site stopped answering. */
  end: 'complete' | 'limit' | 'unreachable'
}

export const CRAWL_DEFAULTS = { pageLimit: 500, depthLimit: 8, delayMs: 500, delayMsMax: 30_000 } as const

const SITEMAPS_MAX = 20
/** Links lead to many more addresses than pages will be read. */
const KNOWN_PER_PAGE = 20
/** After so many in a row the site is left in peace; the crawl can go on later. */
const FAILURES_IN_A_ROW_MAX = 5

interface Crawl {
  siteUrl: string
  scope: SiteScope
  bounds: CrawlBounds
  frontier: Frontier
  options: CrawlerOptions
  rules: SiteRules
  delayMs: number
  signal: AbortSignal
}

type Outcome = Pick<CrawlProgress, 'outcome' | 'reason'> & { isSiteDown: boolean }

export function createCrawler(options: CrawlerOptions) {
  const frontier = createFrontier(options.library)
  return {
    /**
     * Reads the site of `seedUrl` into the library, one request at a time.
     * @throws {RangeError} when the address is not http(s); the signal's reason when it aborts, and then the same call
     * goes on where this one stopped.
     */
    async crawl(seedUrl: string, bounds: CrawlBounds, signal: AbortSignal): Promise<CrawlSummary> {
      const siteUrl = normalizeUrl(seedUrl)
      if (siteUrl === null) throw new RangeError(`"${seedUrl}" is no http(s) address.`)
      const isResumed = await frontier.openSite(siteUrl, bounds)
      const rules = await readRules(siteUrl, options, signal)
      const scope = scopeOf(siteUrl)
      const delayMs = politeDelay(options, rules)
      const crawl: Crawl = { siteUrl, scope, bounds, frontier, options, rules, delayMs, signal }
      if (!isResumed) await sow(crawl)
      const { pagesRead, end } = await readSite(crawl)
      if (end !== 'unreachable') await frontier.finish(siteUrl)
      return { siteUrl, isResumed, pagesRead, end }
    },
    frontier,
  }
}

export type Crawler = ReturnType<typeof createCrawler>

async function readSite(crawl: Crawl): Promise<Pick<CrawlSummary, 'pagesRead' | 'end'>> {
  const { frontier, siteUrl, bounds, options, signal } = crawl
  const known = await frontier.listSites()
  let pagesRead = known.find((site) => site.url === siteUrl)?.counts.read ?? 0
  let failuresInARow = 0
  while (pagesRead < bounds.pageLimit) {
    signal.throwIfAborted()
    const next = await frontier.next(siteUrl)
    if (next === undefined) return { pagesRead, end: 'complete' }
    const { outcome, reason, isSiteDown } = await readOne(crawl, next)
    if (outcome === 'read') pagesRead += 1
    failuresInARow = isSiteDown ? failuresInARow + 1 : 0
    options.onProgress?.({ url: next.url, outcome, reason, pagesRead })
    if (failuresInARow >= FAILURES_IN_A_ROW_MAX) return { pagesRead, end: 'unreachable' }
    await pause(crawl.delayMs, signal)
  }
  return { pagesRead, end: 'limit' }
}

async function readOne(crawl: Crawl, asked: { url: string; depth: number }): Promise<Outcome> {
  const { frontier, siteUrl, options, rules, signal } = crawl
  const settle = async (
    outcome: Outcome['outcome'],
    reason: string | null,
    urls: string[] = [],
  ): Promise<Outcome> => {
    await frontier.settle(siteUrl, [asked.url, ...urls], asked.depth, outcome)
    return { outcome, reason, isSiteDown: false }
  }
  if (!rules.isAllowed(asked.url)) return settle('skipped', 'robots.txt forbids it')
  try {
    const capture = await options.loadPage(asked.url, signal)
    if (!crawl.scope.contains(capture.url)) return await settle('skipped', `leads elsewhere: ${capture.url}`)
    const links = await follow(crawl, capture, asked.depth)
    if (links.noIndex) return await settle('skipped', 'the page asks not to be indexed', [capture.url])
    const url =
      links.canonical !== null && crawl.scope.contains(links.canonical) ? links.canonical : capture.url
    await keep(options, siteUrl, url, capture, signal)
    return await settle('read', null, [capture.url, url])
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof PageError || error instanceof UnreadableError)) throw error
    if (error instanceof PageError && error.warning.code === 'http_status')
      await options.library.removePage(asked.url)
    const isSiteDown = error instanceof PageError && /^(unreachable|timeout)$/u.test(error.warning.code)
    return { ...(await settle('failed', error.message)), isSiteDown }
  }
}

/** Adds the page's links to what is waiting, unless the page or the depth forbids it. */
async function follow(crawl: Crawl, capture: Capture, depth: number): Promise<ReturnType<typeof readLinks>> {
  const isHtml = /html/u.test(capture.mediaType) && typeof capture.content === 'string'
  const links = readLinks(isHtml ? String(capture.content) : '', capture.url)
  if (!links.noFollow && depth < crawl.bounds.depthLimit) await enqueue(crawl, links.links, depth + 1)
  return links
}

async function enqueue(crawl: Crawl, urls: readonly string[], depth: number): Promise<void> {
  const inScope = urls.filter((url) => crawl.scope.contains(url))
  const knownMax = crawl.bounds.pageLimit * KNOWN_PER_PAGE
  await crawl.frontier.enqueue(crawl.siteUrl, inScope, depth, knownMax)
}

async function keep(
  options: CrawlerOptions,
  siteUrl: string,
  url: string,
  capture: Capture,
  signal: AbortSignal,
): Promise<void> {
  const page = await options.readPage({ ...capture, now: new Date() }, signal)
  await options.library.putPage(
    {
      url,
      title: page.title ?? url,
      text: page.text,
      language: page.language?.code ?? null,
      publishedAt: page.publishDate?.iso ?? null,
      updatedAt: page.lastUpdated?.iso ?? null,
    },
    siteUrl,
  )
}

/** Adds what the site's sitemaps list, as if the site's first page linked to it. */
async function sow(crawl: Crawl): Promise<void> {
  const waiting = [...crawl.rules.sitemaps, new URL('/sitemap.xml', crawl.siteUrl).href]
  const seen = new Set<string>()
  while (waiting.length > 0 && seen.size < SITEMAPS_MAX) {
    const url = waiting.shift() ?? ''
    if (seen.has(url) || !URL.canParse(url)) continue
    seen.add(url)
    const xml = await loadText(url, crawl.options, crawl.signal)
    if (xml === null) continue
    const sitemap = readSitemap(xml)
    await enqueue(crawl, sitemap.pages, 1)
    waiting.push(...sitemap.sitemaps)
    await pause(crawl.delayMs, crawl.signal)
  }
}

interface SiteRules {
  isAllowed(url: string): boolean
  delaySeconds: number
  sitemaps: string[]
}

/** The site's own rules. Where there are none to be had, the loader decides about each page. */
async function readRules(siteUrl: string, options: CrawlerOptions, signal: AbortSignal): Promise<SiteRules> {
  const address = new URL('/robots.txt', siteUrl).href
  const text = (await loadText(address, options, signal)) ?? ''
  const rules = robotsParser(address, text)
  return {
    isAllowed: (url) => rules.isAllowed(url, options.product) ?? true,
    delaySeconds: rules.getCrawlDelay(options.product) ?? 0,
    sitemaps: rules.getSitemaps(),
  }
}

function politeDelay({ delayMs, delayMsMax }: CrawlerOptions, rules: SiteRules): number {
  const wishedMs = Math.min(rules.delaySeconds * 1_000, delayMsMax ?? CRAWL_DEFAULTS.delayMsMax)
  return Math.max(delayMs ?? CRAWL_DEFAULTS.delayMs, wishedMs)
}

/** A text file of the site, or null when it has none: robots.txt and sitemaps are optional. */
async function loadText(url: string, options: CrawlerOptions, signal: AbortSignal): Promise<string | null> {
  try {
    const { content } = await options.loadPage(url, signal)
    return typeof content === 'string' ? content : null
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof PageError) return null
    throw error
  }
}

/** @throws the signal's own reason, which the timer would hide in an error of its own. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted())

// What a site says of itself in files of its own: whom it lets in (robots.txt), and which pages it has (sitemaps).
import { PageError } from '../../pages/capture.ts'
import { readRobots, type RobotsRules } from '../../pages/robots/robots-rules.ts'
import { type Crawl, type CrawlerOptions, enqueue, faultIn, isPassing } from './crawl.ts'
import { readSitemap } from './links.ts'

const SITEMAPS_MAX = 20
/** An index of sitemaps may name further ones, and those no more. */
const SITEMAP_DEPTH_MAX = 2

/** Adds what the site's sitemaps list, as if the site's first page linked to it. */
export async function addSitemaps(crawl: Crawl): Promise<void> {
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

/** The site's own rules. Where there are none to be had, the loader decides about each page. */
export async function readRules(
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

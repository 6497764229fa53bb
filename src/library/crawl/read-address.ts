// Reads one address of a site: keeps its page, adds what it links to, and settles what became of the address.
import type { Capture } from '../../pages/capture.ts'
import { unreadReason } from '../unread-reason.ts'
import { type Crawl, type CrawlerOptions, enqueue, faultIn, isPassing, type AddressOutcome } from './crawl.ts'
import type { FoundAddress, WaitingAddress } from './frontier.ts'
import { type PageLinks, readLinks, readRobotsTag } from './links.ts'

/** An address that could not be read just then is asked for so often in one crawl. */
const TRIES_MAX = 3

/** Reads the page of an address and settles it. Rejects with what is no fault of the page, or when the crawl is aborted. */
export async function readAddress(crawl: Crawl, asked: WaitingAddress): Promise<AddressOutcome> {
  const { frontier, siteUrl, options, rules, signal } = crawl
  const settle = (
    state: 'failed' | 'skipped' | 'alias',
    reason: string,
    urls: string[] = [],
  ): Promise<AddressOutcome> => settleWithout(crawl, [asked.url, ...urls], asked.depth, state, reason)
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
    const reason = unreadReason(error)
    if (reason === null) throw error
    const fault = faultIn(error)
    if (fault === 'gone') await options.library.removePage(asked.url)
    if (isPassing(fault) && mayTryAgain(crawl, asked.url)) {
      await frontier.postpone(siteUrl, asked.url)
      return { outcome: 'failed', reason, fault }
    }
    if (fault !== 'gone' && (isPassing(fault) || asked.depth === 0 || (await wasRead(crawl, asked.url))))
      crawl.unread.add(asked.url)
    return { ...(await settle('failed', reason)), fault }
  }
}

/** Whether an earlier crawl read it: one that never could be read leads to nothing that is known. */
async function wasRead({ options: { library } }: Crawl, url: string): Promise<boolean> {
  const page = library.database.selectFrom('page').select('url').where('url', '=', url)
  return (await page.executeTakeFirst()) !== undefined
}

function mayTryAgain({ tries }: Crawl, url: string): boolean {
  const count = (tries.get(url) ?? 0) + 1
  tries.set(url, count)
  return count < TRIES_MAX
}

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

/** Settles addresses that give no page of their own. */
async function settleWithout(
  { frontier, siteUrl }: Crawl,
  urls: readonly string[],
  depth: number,
  state: 'failed' | 'skipped' | 'alias',
  reason: string,
): Promise<AddressOutcome> {
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
): Promise<AddressOutcome> {
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

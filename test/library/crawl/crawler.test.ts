import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createCrawler } from '../../../src/library/crawl/crawler.ts'
import { openLibrary } from '../../../src/library/library.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { createDatabase } from '../../support/suite-postgres.ts'
import { describeCrawler } from './crawler-contract.ts'
import { loadPage, readText } from './load-page.ts'
import { html, openSite, type SitePage } from './loopback-site.ts'
import { openEgress } from '../../../src/pages/egress/egress.ts'
import { createHostLimiter } from '../../../src/pages/robots/host-limiter.ts'
import { createRobots } from '../../../src/pages/robots/robots.ts'
import { decodeLongPage } from '../../../src/pages/fetch/decode-page.ts'
import { createStaticLoader } from '../../../src/pages/static-loader.ts'
import { QUESTION } from '../../providers/engines/provider-contract.ts'

const root = mkdtempSync(join(tmpdir(), 'verbatim-crawler-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

async function openAlone(databaseUrl: string | null = null) {
  const library = await openLibrary({ dataDir: join(root, String((folders += 1))), databaseUrl })
  const crawler = createCrawler({ library, loadPage, readPage: readText, product: 'Verbatim' })
  return { library, crawler, close: () => library.close() }
}

describeCrawler('by itself, over SQLite', () => openAlone())

describe.skipIf(!hasPostgres)('with PostgreSQL', () => {
  describeCrawler('by itself, over PostgreSQL', async () => openAlone(await createDatabase()))
})

test('an interrupted crawl goes on where it stopped and asks for no page twice', async () => {
  const site = await openSite({
    '/': html('Start', '/a', '/b', '/c'),
    '/a': html('A'),
    '/b': html('B'),
    '/c': html('C'),
  })
  const { crawler, close } = await openAlone()
  const stop = new AbortController()
  const bounds = { pageLimit: 100, depthLimit: 10, delayMs: 0 }
  const onProgress = ({ url }: { url: string }): void => {
    if (url.endsWith('/a')) stop.abort(new Error('interrupted'))
  }
  const url = `${site.origin}/`
  await expect(crawler.crawl(url, { ...bounds, onProgress }, stop.signal)).rejects.toThrow('interrupted')
  expect(site.pagePaths()).toEqual(['/', '/a'])
  const resumed = await crawler.crawl(url, bounds, AbortSignal.timeout(20_000))
  expect(resumed).toMatchObject({ pagesRead: 4, end: 'complete', isResumed: true })
  expect(site.pagePaths()).toEqual(['/', '/a', '/b', '/c'])
  await Promise.all([close(), site.close()])
})

/** A crawler that loads pages as the service does: guarded, polite, by the words of its own loader. */
async function openGuarded(allow: readonly string[]) {
  const library = await openLibrary({ dataDir: join(root, String((folders += 1))), databaseUrl: null })
  const egress = openEgress({ allow })
  const userAgent = 'Verbatim/0.1'
  const statics = createStaticLoader({
    egress,
    robots: createRobots({ egress, userAgent, product: 'Verbatim' }),
    hostLimiter: createHostLimiter(),
    userAgent,
    decodeLong: decodeLongPage,
  })
  const crawler = createCrawler({
    library,
    loadPage: async (url, signal) => {
      const page = await statics.load(url, { deadlineMs: Date.now() + 10_000, fresh: true }, signal)
      if (page.capture === null) throw new Error('unchanged, though nothing was known')
      return page.capture
    },
    readPage: readText,
    product: 'Verbatim',
  })
  const crawl = (url: string) =>
    crawler.crawl(url, { pageLimit: 100, depthLimit: 10, delayMs: 0 }, AbortSignal.timeout(50_000))
  const find = async (text: string): Promise<string[]> => {
    const hits = await library.search({ ...QUESTION, text }, AbortSignal.timeout(10_000))
    return hits.map(({ url }) => new URL(url).pathname)
  }
  const close = async (): Promise<void> => {
    await egress.close()
    await library.close()
  }
  return { crawl, find, library, close }
}

test.each([429, 500, 503])(
  'a page that answers %i once is read in the same crawl, and never forgotten for it',
  async (status) => {
    const pages: Record<string, SitePage> = {
      '/': html('Start', '/a', '/b'),
      '/a': html('Quokka'),
      '/b': html('Numbat'),
    }
    const site = await openSite(pages)
    const { crawl, find, close } = await openGuarded(['127.0.0.1'])
    await crawl(`${site.origin}/`)
    const good = pages['/a'] ?? ''
    pages['/a'] = { status }
    const always = await crawl(`${site.origin}/`)
    expect(always).toMatchObject({ pagesRead: 2, end: 'complete' })
    expect(await find('quokka')).toEqual(['/a'])
    const asked = site.pagePaths().filter((path) => path === '/a').length
    expect(asked).toBe(1 + 3)
    pages['/a'] = { once: { status }, after: good }
    expect(await crawl(`${site.origin}/`)).toMatchObject({ pagesRead: 3, end: 'complete' })
    await Promise.all([close(), site.close()])
  },
)

test('a site that is busy keeps its pages, and those that were not asked for wait for the next crawl', async () => {
  const links = Array.from({ length: 20 }, (_, index) => `/${index}`)
  const pages: Record<string, SitePage> = {
    '/': html('Start', ...links),
    ...Object.fromEntries(links.map((path) => [path, html(`Quokka`)])),
  }
  const site = await openSite(pages)
  const { crawl, library, close } = await openGuarded(['127.0.0.1'])
  for (const path of links) pages[path] = { status: 503 }
  expect(await crawl(`${site.origin}/`)).toMatchObject({ end: 'unreachable' })
  for (const path of links) pages[path] = html('Quokka')
  expect(await crawl(`${site.origin}/`)).toMatchObject({ pagesRead: 21, end: 'complete', isResumed: true })
  expect(await library.countPages()).toBe(21)
  await Promise.all([close(), site.close()])
})

test('a page that is gone, or asks by header or markup not to be indexed, is forgotten', async () => {
  const paths = ['/gone', '/header', '/markup', '/for-another']
  const pages: Record<string, SitePage> = {
    '/': html('Start', ...paths),
    ...Object.fromEntries(paths.map((path) => [path, html(`Quokka ${path}`)])),
  }
  const site = await openSite(pages)
  const { crawl, find, close } = await openGuarded(['127.0.0.1'])
  await crawl(`${site.origin}/`)
  expect((await find('quokka')).toSorted()).toEqual(paths.toSorted())
  const tagged = (tag: string): SitePage => ({
    type: 'text/html',
    body: html('Quokka'),
    headers: { 'x-robots-tag': tag },
  })
  pages['/gone'] = { status: 404 }
  pages['/header'] = tagged('unavailable_after: 25 Jun 2026 15:00:00 PST, verbatim: noindex')
  pages['/markup'] = html('Quokka').replace('<title>', '<meta name="robots" content="none"><title>')
  pages['/for-another'] = tagged('otherbot: noindex, nofollow')
  await crawl(`${site.origin}/`)
  expect(await find('quokka')).toEqual(['/for-another'])
  await Promise.all([close(), site.close()])
})

test('a crawl opens nothing that the guard refuses', async () => {
  const site = await openSite({ '/': html('Start', '/a') })
  const { crawl, library, close } = await openGuarded([])
  expect(await crawl(`${site.origin}/`)).toMatchObject({ pagesRead: 0 })
  expect(site.requests).toEqual([])
  expect(await library.countPages()).toBe(0)
  await Promise.all([close(), site.close()])
})

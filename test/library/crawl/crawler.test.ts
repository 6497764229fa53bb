import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCrawler } from '../../../src/library/crawl/crawler.ts'
import { openLibrary } from '../../../src/library/library.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { describeCrawler } from './crawler-contract.ts'
import { loadPage, readText } from './load-page.ts'
import { html, openSite, type SitePage } from './loopback-site.ts'

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
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  describeCrawler('by itself, over PostgreSQL', async () => openAlone(await server.createDatabase()))
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

test('sitemaps are followed two levels deep and twenty at most', async () => {
  const pages: Record<string, SitePage> = { '/': html('Start') }
  const site = await openSite(pages)
  const name = (path: string): string => `<sitemap><loc>${site.origin}${path}</loc></sitemap>`
  const indexOf = (...paths: string[]): SitePage => ({
    type: 'application/xml',
    body: `<sitemapindex>${paths.map(name).join('')}</sitemapindex>`,
  })
  const many = Array.from({ length: 30 }, (_, index) => `/wide-sitemap-${index}.xml`)
  pages['/sitemap.xml'] = indexOf('/deep-sitemap-1.xml', ...many)
  for (let level = 1; level < 6; level += 1)
    pages[`/deep-sitemap-${level}.xml`] = indexOf(`/deep-sitemap-${level + 1}.xml`)
  const { crawler, close } = await openAlone()
  const bounds = { pageLimit: 5, depthLimit: 1, delayMs: 0 }
  await crawler.crawl(`${site.origin}/`, bounds, AbortSignal.timeout(20_000))
  const asked = site.requests.map(({ path }) => path).filter((path) => path.includes('sitemap'))
  expect(asked).toHaveLength(20)
  pages['/sitemap.xml'] = indexOf('/deep-sitemap-1.xml')
  site.requests.length = 0
  await crawler.crawl(`${site.origin}/`, bounds, AbortSignal.timeout(20_000))
  const deep = site.requests.map(({ path }) => path).filter((path) => path.includes('sitemap'))
  expect(deep).toEqual(['/sitemap.xml', '/deep-sitemap-1.xml', '/deep-sitemap-2.xml'])
  await Promise.all([close(), site.close()])
})

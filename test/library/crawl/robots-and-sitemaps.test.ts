import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createCrawler } from '../../../src/library/crawl/crawler.ts'
import { openSqliteLibrary } from '../../../src/library/sqlite/sqlite.ts'
import { loadPage, readText } from './load-page.ts'
import { html, openSite, type SitePage } from './loopback-site.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-sitemaps-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

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
  const library = openSqliteLibrary({ dataDir })
  const crawler = createCrawler({ library, loadPage, readPage: readText, product: 'Verbatim' })
  const bounds = { pageLimit: 5, depthLimit: 1, delayMs: 0 }
  await crawler.crawl(`${site.origin}/`, bounds, AbortSignal.timeout(20_000))
  const asked = site.requests.map(({ path }) => path).filter((path) => path.includes('sitemap'))
  expect(asked).toHaveLength(20)
  pages['/sitemap.xml'] = indexOf('/deep-sitemap-1.xml')
  site.requests.length = 0
  await crawler.crawl(`${site.origin}/`, bounds, AbortSignal.timeout(20_000))
  const deep = site.requests.map(({ path }) => path).filter((path) => path.includes('sitemap'))
  expect(deep).toEqual(['/sitemap.xml', '/deep-sitemap-1.xml', '/deep-sitemap-2.xml'])
  await Promise.all([library.close(), site.close()])
})

// From the site's sitemap to the answer of a search, with every part in between as it is in the service.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { openCrawler } from '../../../src/compose/crawl-parts.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { startService, type TestService } from '../../support/service.ts'
import { html, openSite, type LoopbackSite, type SitePage } from './loopback-site.ts'

const sitemap = (tag: 'url' | 'sitemap', entries: [address: string, lastModified?: string][]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
   <${tag}set xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
     .map(([address, date]) => {
       const lastModified = date === undefined ? '' : `<lastmod>${date}</lastmod>`
       return `<${tag}><loc>${address}</loc>${lastModified}</${tag}>`
     })
     .join('')}</${tag}set>`

const dated = (title: string, property: string, date: string): string =>
  html(title).replace('<title>', `<meta property="article:${property}" content="${date}"><title>`)

describe('the dates of sitemaps', () => {
  let site: LoopbackSite
  let service: TestService
  beforeAll(async () => {
    const pages: Record<string, SitePage> = {
      '/': html('Start'),
      '/quokka': html('Quokka'),
      '/wombat': dated('Wombat', 'modified_time', '2025-02-02'),
      '/numbat': dated('Numbat', 'published_time', '2025-06-01'),
      '/kowari': {
        type: 'text/html',
        body: html('Kowari'),
        headers: { 'last-modified': 'Wed, 01 Jan 2025 00:00:00 GMT' },
      },
      '/dunnart': html('Dunnart'),
      '/bilby': html('Bilby'),
    }
    site = await openSite(pages)
    const at = (path: string): string => `${site.origin}${path}`
    pages['/robots.txt'] = { type: 'text/plain', body: `Sitemap: ${at('/sitemaps.xml')}\n` }
    pages['/sitemaps.xml'] = {
      type: 'application/xml',
      body: sitemap('sitemap', [[at('/packed-sitemap.xml.gz'), '2024-01-01']]),
    }
    const packed = sitemap('url', [
      [at('/quokka'), '2025-03-04T10:00:00+02:00'],
      [at('/wombat'), '2025-03-04'],
      [at('/numbat'), '2025-03-04'],
      [at('/kowari'), '2025-03-04'],
      [at('/dunnart'), '2125-03-04'],
      [at('/bilby')],
    ])
    pages['/packed-sitemap.xml.gz'] = { type: 'application/x-gzip', body: gzipSync(packed) }
    service = await startService({ SEARCH_PROVIDERS: 'library' })
    const config = loadConfig({ DATA_DIR: service.dataDir, EGRESS_ALLOW: '127.0.0.1', BROWSER: 'off' })
    const { library } = service.service
    const { crawler, close } = await openCrawler(config, { library, log: createLogger('silent') })
    const bounds = { pageLimit: 20, depthLimit: 2, delayMs: 0 }
    await crawler.crawl(`${site.origin}/`, bounds, AbortSignal.timeout(50_000))
    await close()
  })
  afterAll(() => Promise.all([service?.close(), site?.close()]))

  async function find(name: string) {
    const response = await service.search({ query: `what is a ${name}`, include: ['explain'] })
    const answer = (await response.json()) as {
      results: { url: string; last_updated: string | null }[]
      explain: { pages: { url: string; last_updated_source: string | null }[] }
    }
    const url = `${site.origin}/${name}`
    const date = answer.results.find((result) => result.url === url)?.last_updated
    return [date, answer.explain.pages.find((page) => page.url === url)?.last_updated_source]
  }

  const cases: [name: string, date: string | null, source: string | null, words: string][] = [
    ['quokka', '2025-03-04T10:00:00+02:00', 'sitemap', 'stands for a page that tells none'],
    ['wombat', '2025-02-02', 'meta', 'does not overrule what the page says'],
    ['numbat', null, null, 'is not believed when the page was published later'],
    ['kowari', '2025-03-04', 'sitemap', 'is believed before Last-Modified'],
    ['dunnart', null, null, 'is refused when it is still to come'],
    ['bilby', null, null, 'is none where the sitemap gives none'],
  ]
  test.each(cases)('%s: %s, %s: lastmod %s', async (name, date, source) => {
    expect(await find(name)).toEqual([date, source])
  })

  test('count for recency', async () => {
    const library = service.service.library
    const query = {
      text: 'quokka',
      count: 5,
      needed: 5,
      language: 'en',
      includeDomains: [],
      excludeDomains: [],
    }
    const hitsOf = (recency: 'week' | null) =>
      library.search({ ...query, recency }, AbortSignal.timeout(10_000))
    expect(await hitsOf(null)).toMatchObject([
      { publishedAt: '2025-03-04T10:00:00+02:00', sitemapDate: '2025-03-04T10:00:00+02:00' },
    ])
    expect(await hitsOf('week')).toEqual([])
  })
})

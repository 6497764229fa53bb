import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { readPage } from '../../src/extract/read-page.ts'
import { createCrawler, type CrawlProgress } from '../../src/library/crawler.ts'
import { openLibrary, type Library } from '../../src/library/library.ts'
import { QUESTION } from '../providers/provider-contract.ts'
import { freePort } from '../support/programs.ts'
import { loadPage } from './load-page.ts'

const root = mkdtempSync(join(tmpdir(), 'verbatim-crawler-'))
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Page = string | { status: number; location?: string } | { type: string; body: string }

const html = (title: string, ...links: string[]): string =>
  `<!doctype html><html lang="en"><title>${title}</title><body><main><h1>${title}</h1>
   <p>This is the page about ${title}, and it says about ${title} what there is to say.</p>
   ${links.map((link) => `<a href="${link}">more</a>`).join(' ')}</main></body></html>`

async function openSite(pages: Record<string, Page>) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.push(path)
    const page = pages[path] ?? { status: 404 }
    if (typeof page === 'string') response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    else if ('type' in page) response.writeHead(200, { 'content-type': page.type }).end(page.body)
    else response.writeHead(page.status, { location: page.location ?? '' }).end()
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = (): Promise<unknown> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  closers.push(close)
  return { origin: `http://127.0.0.1:${port}`, requests, close }
}

let folders = 0

async function openCrawl(options: { library?: Library; stopAfter?: number } = {}) {
  const library =
    options.library ?? (await openLibrary({ dataDir: join(root, String((folders += 1))), databaseUrl: null }))
  if (options.library === undefined) closers.push(() => library.close())
  const progress: CrawlProgress[] = []
  const stop = new AbortController()
  const onProgress = (step: CrawlProgress): void => {
    progress.push(step)
    if (progress.length === options.stopAfter) stop.abort(new Error('interrupted'))
  }
  const crawler = createCrawler({ library, loadPage, readPage, product: 'Verbatim', delayMs: 0, onProgress })
  const crawl = (url: string, bounds: { pageLimit?: number; depthLimit?: number } = {}) =>
    crawler.crawl(url, { pageLimit: 100, depthLimit: 10, ...bounds }, stop.signal)
  const find = async (text: string): Promise<string[]> => {
    const hits = await library.search({ ...QUESTION, text }, AbortSignal.timeout(10_000))
    return hits.map(({ url }) => url)
  }
  return { library, crawler, crawl, find, progress }
}

const outcomes = (progress: readonly CrawlProgress[]): string[] =>
  progress.map(({ url, outcome }) => `${outcome} ${new URL(url).pathname}`)

test('a site is read along its links, and its pages are found afterwards', async () => {
  const site = await openSite({
    '/docs/': html('Start', 'quokka', '/docs/numbat#part', '/docs/quokka?utm_source=nav', 'logo.png'),
    '/docs/quokka': html('Quokka', './', 'numbat'),
    '/docs/numbat': html('Numbat'),
  })
  const { crawl, find, progress } = await openCrawl()
  expect(await crawl(`${site.origin}/docs/`)).toMatchObject({
    pagesRead: 3,
    end: 'complete',
    isResumed: false,
  })
  expect(outcomes(progress)).toEqual(['read /docs/', 'read /docs/quokka', 'read /docs/numbat'])
  expect(await find('quokka')).toEqual([`${site.origin}/docs/quokka`])
})

test('a crawl never leaves its host, its port and its path', async () => {
  const elsewhere = await openSite({ '/': html('Elsewhere'), '/docs/x': html('Elsewhere') })
  const site = await openSite({
    '/docs': html(
      'Start',
      '/',
      '/docs-old',
      '/docs/inside',
      '/docs/../secret',
      `${elsewhere.origin}/docs/x`,
      '/docs/out',
    ),
    '/docs/inside': html('Inside'),
    '/docs/out': { status: 302, location: `${elsewhere.origin}/docs/x` },
    '/docs-old': html('Old'),
    '/secret': html('Secret'),
  })
  const { crawl, library, progress } = await openCrawl()
  await crawl(`${site.origin}/docs`)
  expect(outcomes(progress)).toEqual(['read /docs', 'read /docs/inside', 'skipped /docs/out'])
  expect(site.requests).not.toContain('/secret')
  expect(await library.countPages()).toBe(2)
})

test('robots.txt is respected, and so are noindex, nofollow and canonical', async () => {
  const site = await openSite({
    '/robots.txt': {
      type: 'text/plain',
      body: 'User-agent: *\nDisallow: /all\n\nUser-agent: Verbatim\nDisallow: /private\nAllow: /private/but-this\n',
    },
    '/': html('Start', '/private/page', '/private/but-this', '/hidden', '/copy', '/dead-end', '/all').replace(
      '</main>',
      '<a rel="nofollow" href="/not-vouched-for">ad</a></main>',
    ),
    '/private/but-this': html('Allowed'),
    '/hidden': html('Hidden').replace('<title>', '<meta name="robots" content="noindex"><title>'),
    '/copy': html('Copy').replace('<title>', '<link rel="canonical" href="/original"><title>'),
    '/dead-end': html('Dead end', '/beyond').replace(
      '<title>',
      '<meta name="robots" content="nofollow"><title>',
    ),
    '/all': html('For us'),
    '/beyond': html('Beyond'),
    '/not-vouched-for': html('Advertisement'),
  })
  const { crawl, find, progress } = await openCrawl()
  await crawl(`${site.origin}/`)
  expect(outcomes(progress)).toEqual([
    'read /',
    'skipped /private/page',
    'read /private/but-this',
    'skipped /hidden',
    'read /copy',
    'read /dead-end',
    'read /all',
  ])
  expect(site.requests).not.toContain('/private/page')
  expect(await find('copy')).toEqual([`${site.origin}/original`])
  expect(await find('hidden')).toEqual([])
})

test('pages that only the sitemap knows are read, also behind an index of sitemaps', async () => {
  const pages: Record<string, Page> = {
    '/': html('Start'),
    '/orphan': html('Orphan'),
    '/second': html('Second'),
  }
  const site = await openSite(pages)
  const map = (tag: string, ...urls: string[]): Page => ({
    type: 'application/xml',
    body: `<?xml version="1.0"?><${tag}set xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<${tag}><loc> ${site.origin}${url} </loc><lastmod>2026-01-01</lastmod></${tag}>`).join('')}</${tag}set>`,
  })
  pages['/robots.txt'] = { type: 'text/plain', body: `Sitemap: ${site.origin}/maps.xml\n` }
  pages['/maps.xml'] = map('sitemap', '/map-1.xml', '/maps.xml')
  pages['/map-1.xml'] = map('url', '/orphan')
  pages['/sitemap.xml'] = map('url', '/second', '/orphan')
  const { crawl, progress } = await openCrawl()
  await crawl(`${site.origin}/`)
  expect(outcomes(progress).toSorted()).toEqual(['read /', 'read /orphan', 'read /second'])
})

test('the limits of pages and depth hold', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`/${index}`, html(`Page ${index}`, `/${index + 1}`)]),
  )
  const site = await openSite({ '/': html('Start', '/0'), ...chain })
  const deep = await openCrawl()
  expect(await deep.crawl(`${site.origin}/`, { depthLimit: 3 })).toMatchObject({
    pagesRead: 4,
    end: 'complete',
  })
  const short = await openCrawl()
  expect(await short.crawl(`${site.origin}/`, { pageLimit: 2 })).toMatchObject({ pagesRead: 2, end: 'limit' })
})

test('an interrupted crawl goes on where it stopped and asks for no page twice', async () => {
  const site = await openSite({
    '/': html('Start', '/a', '/b', '/c'),
    '/a': html('A'),
    '/b': html('B'),
    '/c': html('C'),
  })
  const first = await openCrawl({ stopAfter: 2 })
  await expect(first.crawl(`${site.origin}/`)).rejects.toThrow('interrupted')
  const asked = site.requests.filter((path) => !/robots|sitemap/u.test(path))
  expect(asked).toEqual(['/', '/a'])
  const second = await openCrawl({ library: first.library })
  expect(await second.crawl(`${site.origin}/`)).toMatchObject({
    pagesRead: 4,
    end: 'complete',
    isResumed: true,
  })
  expect(site.requests.filter((path) => !/robots|sitemap/u.test(path))).toEqual(['/', '/a', '/b', '/c'])
})

test('a finished site is read anew: changes are taken over, pages that are gone are forgotten', async () => {
  const pages: Record<string, Page> = {
    '/': html('Start', '/a', '/b'),
    '/a': html('Quokka'),
    '/b': html('Numbat'),
  }
  const site = await openSite(pages)
  const { crawl, find } = await openCrawl()
  await crawl(`${site.origin}/`)
  pages['/a'] = html('Wombat')
  pages['/b'] = { status: 410 }
  expect(await crawl(`${site.origin}/`)).toMatchObject({ pagesRead: 2, isResumed: false })
  expect(await Promise.all(['quokka', 'wombat', 'numbat'].map(find))).toEqual([[], [`${site.origin}/a`], []])
})

test('a site that stops answering is left in peace and can be gone on with', async () => {
  const links = Array.from({ length: 20 }, (_, index) => `/${index}`)
  const site = await openSite({ '/': html('Start', ...links) })
  const { crawl, crawler, progress } = await openCrawl({})
  const [first] = await Promise.all([
    crawl(`${site.origin}/`),
    (async () => {
      while (!progress.some(({ outcome }) => outcome === 'read'))
        await new Promise((resolve) => setImmediate(resolve))
      await site.close()
    })(),
  ])
  expect(first.end).toBe('unreachable')
  const [summary] = await crawler.frontier.listSites()
  expect(summary).toMatchObject({ finishedAt: null, counts: { read: 1 } })
  expect(summary?.counts.waiting).toBeGreaterThan(0)
})

test('what is no web address is refused', async () => {
  const { crawl } = await openCrawl()
  await expect(crawl('ftp://example.org/')).rejects.toThrow(RangeError)
  await expect(crawl('example.org')).rejects.toThrow('"example.org" is no http(s) address.')
})

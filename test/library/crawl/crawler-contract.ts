// What every crawler guarantees, whoever reads the site and wherever the library lies.
import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { Crawler } from '../../../src/library/crawl/crawler.ts'
import type { CrawlProgress } from '../../../src/library/crawl/crawl.ts'
import { createFrontier } from '../../../src/library/crawl/frontier.ts'
import type { Library } from '../../../src/library/library.ts'
import { QUESTION } from '../../providers/engines/provider-contract.ts'
import { html, openSite, shortestPauseMs, type SitePage } from './loopback-site.ts'

export interface CrawlerUnderTest {
  library: Library
  crawler: Crawler
  close: () => Promise<unknown>
}

const outcomes = (progress: readonly CrawlProgress[]): string[] =>
  progress.map(({ url, outcome }) => `${outcome} ${new URL(url).pathname}`)

const canonical = (page: string, path: string): string =>
  page.replace('<title>', `<link rel="canonical" href="${path}"><title>`)

/** `open` gives a crawler over an empty library. */
export function describeCrawler(where: string, open: () => Promise<CrawlerUnderTest>): void {
  describe(`a crawler ${where}`, () => {
    const closers: (() => Promise<unknown>)[] = []
    afterEach(async () => {
      for (const close of closers.splice(0).toReversed()) await close()
    })

    async function site(pages: Record<string, SitePage>, answerMs = 0) {
      const opened = await openSite(pages, answerMs)
      closers.push(() => opened.close())
      return opened
    }

    async function openCrawl() {
      const { library, crawler, close } = await open()
      closers.push(close)
      const progress: CrawlProgress[] = []
      const crawl = (
        url: string,
        bounds: { pageLimit?: number; depthLimit?: number; delayMs?: number } = {},
      ) =>
        crawler.crawl(
          url,
          {
            pageLimit: 100,
            depthLimit: 10,
            delayMs: 0,
            ...bounds,
            onProgress: (step) => void progress.push(step),
          },
          AbortSignal.timeout(50_000),
        )
      const find = async (text: string): Promise<string[]> => {
        const hits = await library.search({ ...QUESTION, text }, AbortSignal.timeout(60_000))
        return hits.map(({ url }) => url)
      }
      return { library, crawl, find, progress }
    }

    test('a site is read along its links, and its pages are found afterwards', async () => {
      const web = await site({
        '/docs/': html('Start', 'quokka', '/docs/numbat#part', '/docs/quokka?utm_source=nav', 'logo.png'),
        '/docs/quokka': html('Quokka', './', 'numbat'),
        '/docs/numbat': html('Numbat'),
      })
      const { crawl, find, progress } = await openCrawl()
      expect(await crawl(`${web.origin}/docs/`)).toMatchObject({
        pagesRead: 3,
        end: 'complete',
        isResumed: false,
      })
      expect(outcomes(progress)).toEqual(['read /docs/', 'read /docs/quokka', 'read /docs/numbat'])
      expect(await find('quokka')).toEqual([`${web.origin}/docs/quokka`])
    })

    test('a crawl never leaves its host, its port and its path', async () => {
      const elsewhere = await site({ '/': html('Elsewhere'), '/docs/x': html('Elsewhere') })
      const web = await site({
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
      await crawl(`${web.origin}/docs`)
      expect(outcomes(progress)).toEqual(['read /docs', 'read /docs/inside', 'skipped /docs/out'])
      expect(web.pagePaths()).not.toContain('/secret')
      expect(await library.countPages()).toBe(2)
    })

    test('a page that two sites hold is found for as long as one of them does', async () => {
      const web = await site({
        '/docs/': html('Start', '/docs/guide/'),
        '/docs/guide/': html('Guide', '/docs/guide/quokka'),
        '/docs/guide/quokka': html('Quokka'),
      })
      const { library, crawl, find } = await openCrawl()
      const [whole, part] = [`${web.origin}/docs/`, `${web.origin}/docs/guide/`]
      const frontier = createFrontier(library)
      const remove = async (siteUrl: string): Promise<number> => {
        await frontier.removeSite(siteUrl)
        return library.removeOrigin(siteUrl)
      }
      await crawl(whole)
      await crawl(part)
      expect(await remove(part)).toBe(0)
      expect(await find('quokka')).toEqual([`${part}quokka`])
      await crawl(part)
      await crawl(whole)
      expect(await crawl(whole, { depthLimit: 0 })).toMatchObject({ end: 'complete' })
      expect(await find('quokka')).toEqual([`${part}quokka`])
      expect([await remove(whole), await remove(part)]).toEqual([1, 2])
      expect(await library.countPages()).toBe(0)
    })

    test('robots.txt is respected, and so are noindex, nofollow and canonical', async () => {
      const web = await site({
        '/robots.txt': {
          type: 'text/plain',
          body: 'User-agent: *\nDisallow: /all\n\nUser-agent: Verbatim\nDisallow: /private\nAllow: /private/but-this\n',
        },
        '/': html(
          'Start',
          '/private/page',
          '/private/but-this',
          '/hidden',
          '/copy',
          '/dead-end',
          '/all',
        ).replace('</main>', '<a rel="nofollow" href="/not-vouched-for">ad</a></main>'),
        '/private/but-this': html('Allowed'),
        '/hidden': html('Hidden').replace('<title>', '<meta name="robots" content="noindex"><title>'),
        '/copy': canonical(html('Original'), '/original'),
        '/original': html('Original'),
        '/dead-end': html('Dead end', '/beyond').replace(
          '<title>',
          '<meta name="robots" content="nofollow"><title>',
        ),
        '/all': html('For us'),
        '/beyond': html('Beyond'),
        '/not-vouched-for': html('Advertisement'),
      })
      const { crawl, find, progress } = await openCrawl()
      await crawl(`${web.origin}/`)
      expect(outcomes(progress)).toEqual([
        'read /',
        'skipped /private/page',
        'read /private/but-this',
        'skipped /hidden',
        'read /copy',
        'read /dead-end',
        'read /all',
        'read /original',
      ])
      expect(web.pagePaths()).not.toContain('/private/page')
      expect(await find('original')).toEqual([`${web.origin}/original`])
      expect(await find('hidden')).toEqual([])
    })

    test('a page of several addresses counts once, one without text not at all', async () => {
      const web = await site({
        '/': html('Start', '/copy', '/original', '/second-copy', '/empty'),
        '/original': canonical(html('Original'), '/original'),
        '/copy': canonical(html('Copy'), '/original'),
        '/second-copy': canonical(html('Second copy'), '/original'),
        '/empty': '<!doctype html><title>Nothing</title><main></main>',
      })
      const { library, crawl, find } = await openCrawl()
      const { pagesRead } = await crawl(`${web.origin}/`)
      const known = await createFrontier(library).getSite(`${web.origin}/`)
      expect([pagesRead, known?.counts.read, await library.countPages()]).toEqual([2, 2, 2])
      expect(await find('nothing')).toEqual([])
    })

    test('pages that claim to be one another are all read where their texts differ, and count once where they agree', async () => {
      const web = await site({
        '/': html('Start', '/quokka', '/numbat', '/claims', '/same'),
        '/quokka': canonical(html('Quokka'), '/numbat'),
        '/numbat': canonical(html('Numbat'), '/quokka'),
        '/claims': canonical(html('Wombat'), '/start-of-all'),
        '/same': canonical(html('Dingo'), '/unlinked'),
        '/unlinked': html('Dingo'),
      })
      const { crawl, library, find } = await openCrawl()
      expect(await crawl(`${web.origin}/`)).toMatchObject({ pagesRead: 5, end: 'complete' })
      const pathsOf = async (word: string) => (await find(word)).map((url) => new URL(url).pathname)
      expect(await pathsOf('quokka')).toEqual(['/quokka'])
      expect(await pathsOf('numbat')).toEqual(['/numbat'])
      expect(await pathsOf('wombat')).toEqual(['/claims'])
      expect(await pathsOf('dingo')).toEqual(['/unlinked'])
      expect(await library.countPages()).toBe(5)
    })

    test('pages that only the sitemap knows are read, also behind an index of sitemaps', async () => {
      const pages: Record<string, SitePage> = {
        '/': html('Start'),
        '/orphan': html('Orphan'),
        '/second': html('Second'),
      }
      const web = await site(pages)
      const map = (tag: string, ...urls: string[]): SitePage => ({
        type: 'application/xml',
        body: `<?xml version="1.0"?><${tag}set xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<${tag}><loc> ${web.origin}${url} </loc><lastmod>2026-01-01</lastmod></${tag}>`).join('')}</${tag}set>`,
      })
      pages['/robots.txt'] = { type: 'text/plain', body: `Sitemap: ${web.origin}/maps.xml\n` }
      pages['/maps.xml'] = map('sitemap', '/map-1.xml', '/maps.xml')
      pages['/map-1.xml'] = map('url', '/orphan')
      pages['/sitemap.xml'] = map('url', '/second', '/orphan')
      const { crawl, progress } = await openCrawl()
      await crawl(`${web.origin}/`)
      expect(outcomes(progress).toSorted()).toEqual(['read /', 'read /orphan', 'read /second'])
    })

    test('the limits of pages and depth hold', async () => {
      const chain = Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [`/${index}`, html(`Page ${index}`, `/${index + 1}`)]),
      )
      const web = await site({ '/': html('Start', '/0'), ...chain })
      const deep = await openCrawl()
      expect(await deep.crawl(`${web.origin}/`, { depthLimit: 3 })).toMatchObject({
        pagesRead: 4,
        end: 'complete',
      })
      const short = await openCrawl()
      expect(await short.crawl(`${web.origin}/`, { pageLimit: 2 })).toMatchObject({
        pagesRead: 2,
        end: 'limit',
      })
    })

    test('a finished site is read anew: changes are taken over, pages that are gone are forgotten', async () => {
      const pages: Record<string, SitePage> = {
        '/': html('Start', '/a', '/b'),
        '/a': html('Quokka'),
        '/b': html('Numbat'),
      }
      const web = await site(pages)
      const { crawl, find } = await openCrawl()
      await crawl(`${web.origin}/`)
      pages['/a'] = html('Wombat')
      pages['/b'] = { status: 410 }
      expect(await crawl(`${web.origin}/`)).toMatchObject({ pagesRead: 2, isResumed: false })
      expect(await Promise.all(['quokka', 'wombat', 'numbat'].map(find))).toEqual([
        [],
        [`${web.origin}/a`],
        [],
      ])
    })

    test('what an address leads to that cannot be read just then is kept, and forgotten when it can and no longer does', async () => {
      const sitemap = (path: string): SitePage => ({
        type: 'application/xml',
        body: `<urlset><url><loc>${web.origin}${path}</loc></url></urlset>`,
      })
      const pages: Record<string, SitePage> = {
        '/': html('Start', '/a'),
        '/a': html('Quokka', '/b'),
        '/b': html('Numbat'),
        '/c': html('Wombat'),
      }
      const web = await site(pages)
      pages['/sitemap.xml'] = sitemap('/c')
      const { crawl, find } = await openCrawl()
      const found = async () => (await Promise.all(['quokka', 'numbat', 'wombat'].map(find))).flat()
      const all = ['/a', '/b', '/c'].map((path) => `${web.origin}${path}`)
      await crawl(`${web.origin}/`)
      for (const [path, status] of [
        ['/', 503],
        ['/', 403],
        ['/a', 403],
        ['/sitemap.xml', 503],
      ] as const) {
        const before = pages[path] ?? ''
        pages[path] = { status }
        expect(await crawl(`${web.origin}/`)).toMatchObject({ end: 'complete', unread: 1 })
        expect(await found()).toEqual(all)
        pages[path] = before
      }
      pages['/a'] = html('Quokka')
      expect(await crawl(`${web.origin}/`)).toMatchObject({ end: 'complete', unread: 0 })
      expect(await found()).toEqual([all[0], all[2]])
    })

    test('a site that stops answering is left in peace and can be gone on with', async () => {
      const links = Array.from({ length: 20 }, (_, index) => `/${index}`)
      const web = await site({ '/': html('Start', ...links) })
      const { crawl, library, progress } = await openCrawl()
      const [first] = await Promise.all([
        crawl(`${web.origin}/`),
        (async () => {
          while (!progress.some(({ outcome }) => outcome === 'read'))
            await new Promise((resolve) => setImmediate(resolve))
          await web.close()
        })(),
      ])
      expect(first.end).toBe('unreachable')
      const [summary] = await createFrontier(library).listSites()
      expect(summary).toMatchObject({ finishedAt: null, counts: { read: 1 } })
      expect(summary?.counts.waiting).toBeGreaterThan(0)
    })

    test('an address that no index holds costs that address, and the crawl goes on', async () => {
      const long = `/${randomBytes(1_400).toString('hex')}`
      const web = await site({
        '/': html('Start', long, `/found?${long.slice(1)}`, '/moved', '/ok'),
        '/moved': { status: 302, location: long },
        [long]: html('Long'),
        '/ok': html('Numbat'),
      })
      const { crawl, progress } = await openCrawl()
      expect(await crawl(`${web.origin}/`)).toMatchObject({ pagesRead: 2, end: 'complete' })
      expect(outcomes(progress)).toEqual(['read /', 'skipped /moved', 'read /ok'])
      await expect(crawl(`${web.origin}${long}`)).rejects.toThrow(RangeError)
    })

    test('what is no web address is refused', async () => {
      const { crawl } = await openCrawl()
      await expect(crawl('ftp://example.org/')).rejects.toThrow(RangeError)
      await expect(crawl('example.org')).rejects.toThrow('"example.org" is no http(s) address.')
    })

    test('two crawls of one host never ask it at once, and keep the longer of our pause and its own', async () => {
      const pages = {
        '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nCrawl-delay: 0.15\n' },
        '/a/': html('A', '/a/1', '/a/2'),
        '/a/1': html('A1'),
        '/a/2': html('A2'),
        '/b/': html('B', '/b/1', '/b/2'),
        '/b/1': html('B1'),
        '/b/2': html('B2'),
      }
      const web = await site(pages, 30)
      const { crawl } = await openCrawl()
      await Promise.all([
        crawl(`${web.origin}/a/`, { delayMs: 100 }),
        crawl(`${web.origin}/b/`, { delayMs: 100 }),
      ])
      expect(web.pagePaths().toSorted()).toEqual(['/a/', '/a/1', '/a/2', '/b/', '/b/1', '/b/2'])
      expect(shortestPauseMs(web.requests)).toBeGreaterThanOrEqual(99)
      const pagesAsked = web.requests.filter(({ path }) => path.length > 3 && !/robots|sitemap/u.test(path))
      expect(shortestPauseMs(pagesAsked)).toBeGreaterThanOrEqual(149)
    })
  })
}

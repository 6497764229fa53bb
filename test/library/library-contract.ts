// What the embedded engine guarantees on every store.
import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Library, LibraryPage } from '../../src/library/page-index.ts'
import { createLibraryProvider } from '../../src/providers/engines/library.ts'
import type { ProviderQuery } from '../../src/providers/provider.ts'
import { expectProperHits, QUESTION } from '../providers/engines/provider-contract.ts'

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const page = (url: string, title: string, text: string, more: Partial<LibraryPage> = {}): LibraryPage => ({
  url,
  title,
  text,
  language: 'en',
  publishedAt: null,
  updatedAt: null,
  ...more,
})

const FILLER =
  'The service answers with passages and it is said how this is done and what an answer to the caller is. '

const PAGES = [
  page(
    'https://docs.example.org/keys',
    'API keys',
    `${FILLER}Revoke an API key on the dashboard; a revoked key is refused at once.`,
  ),
  page(
    'https://docs.example.org/limits',
    'Rate limits',
    `${FILLER}Each key has a rate limit. A key that uses it up is told to wait.`,
  ),
  page(
    'https://docs.example.org/install',
    'Installing',
    `${FILLER}Install Node and start the service with one command.`,
  ),
  page(
    'https://blog.example.net/revoking',
    'News of the week',
    `${FILLER}${'A word in passing about something else. '.repeat(20)}Someone revoked a key.`,
  ),
  page('https://example.org/cafe', 'Crème brûlée at the café', `${FILLER}Caramel and cream.`),
  page('https://example.org/fresh', 'Release notes', `${FILLER}The parser was rewritten.`, {
    publishedAt: day(-2),
  }),
  page('https://example.org/stale', 'Release notes of old', `${FILLER}The parser was written.`, {
    publishedAt: day(-300),
  }),
  page('https://example.org/touched', 'Release notes kept up', `${FILLER}The parser is kept up.`, {
    updatedAt: `${day(-3)}T08:00:00Z`,
  }),
  page(
    'https://example.de/schluessel',
    'Schlüssel widerrufen',
    'Ein Schlüssel kann jederzeit widerrufen werden.',
    { language: 'de-AT' },
  ),
  page('https://example.jp/tokyo', '東京都の人口', '東京都の人口は約千四百万人である。', { language: 'ja' }),
  page('https://example.jp/kyoto', '京都の寺', '京都には多くの寺がある。', { language: 'ja' }),
  page('https://notexample.org/parser', 'Parser combinators', `${FILLER}A parser is a function.`, {
    language: null,
  }),
]

export function describeLibrary(store: string, open: () => Promise<Library>): void {
  describe(`the embedded engine on ${store}`, () => {
    let library: Library
    beforeAll(async () => {
      library = await open()
      for (const each of PAGES) await library.putPage(each, 'https://example.org/')
    })
    afterAll(() => library.close())

    async function find(text: string, more: Partial<ProviderQuery> = {}) {
      const query = { ...QUESTION, count: 10, text, ...more }
      const hits = await createLibraryProvider({ library }).search(query, AbortSignal.timeout(20_000))
      expectProperHits(hits, query)
      return hits
    }
    const urlsOf = async (text: string, more: Partial<ProviderQuery> = {}) =>
      (await find(text, more)).map(({ url }) => url)

    test('titles are told those that came last first, each once', async () => {
      expect(await library.newestTitles(2)).toEqual(['Parser combinators', '京都の寺'])
      const titles = await library.newestTitles(100)
      expect(titles.length).toBe(new Set(PAGES.map(({ title }) => title)).size)
    })

    test('a question in plain words finds the page that answers it first', async () => {
      const hits = await find('How do I revoke an API key?')
      expect(hits[0]).toMatchObject({
        url: 'https://docs.example.org/keys',
        title: 'API keys',
        publishedAt: null,
      })
      expect(hits[0]?.excerpt).toContain('Revoke an API key')
      expect(hits.map(({ url }) => url)).not.toContain('https://docs.example.org/install')
    })

    test('a question about something else finds nothing, although its common words are everywhere', async () => {
      expect(await urlsOf('What is the population of Liechtenstein?')).toEqual([])
    })

    test('words that hold a question together keep no page from it, however few pages say them', async () => {
      expect(await urlsOf('Where should I look for the dashboard?')).toEqual([
        'https://docs.example.org/keys',
      ])
    })

    test('words are found in any form, and without their accents', async () => {
      expect(await urlsOf('revokes keys')).toContain('https://blog.example.net/revoking')
      expect(await urlsOf('creme brulee cafe')).toEqual(['https://example.org/cafe'])
    })

    test('a title weighs more than the text', async () => {
      expect((await urlsOf('rate limits'))[0]).toBe('https://docs.example.org/limits')
    })

    test('text without spaces between words is found by its parts', async () => {
      expect((await urlsOf('東京都の人口', { language: 'ja' }))[0]).toBe('https://example.jp/tokyo')
      expect(await urlsOf('寺', { language: 'ja' })).toEqual(['https://example.jp/kyoto'])
    })

    test('a quoted phrase must stand on the page as it is', async () => {
      expect(await urlsOf('"rate limit" key')).toEqual(['https://docs.example.org/limits'])
    })

    test('a quoted phrase is made of whole words, however they are parted', async () => {
      expect(await urlsOf('"ach key"')).toEqual([])
      expect(await urlsOf('"each key"')).toEqual(['https://docs.example.org/limits'])
      expect(await urlsOf('"refused — at once"')).toEqual(['https://docs.example.org/keys'])
      expect(await urlsOf('"東京都の人"', { language: 'ja' })).toEqual(['https://example.jp/tokyo'])
    })

    test('no question is malformed', async () => {
      const odd = [
        '"',
        '""',
        'what is "unbalanced',
        "' OR 1=1 --",
        'title:key',
        'key AND',
        'NEAR(key limit)',
        'a*b^c',
        '-key',
        '{key}',
        '(',
        '%',
        '\\',
        '\u0000key',
        '🔑',
        '?!…',
      ]
      for (const text of odd) await expect(find(text)).resolves.toBeInstanceOf(Array)
      expect(await urlsOf('what is "unbalanced revoke key')).toContain('https://docs.example.org/keys')
    })

    test('recency keeps the pages dated within the window', async () => {
      expect(await urlsOf('release notes parser', { recency: 'week' })).toEqual(
        expect.arrayContaining(['https://example.org/fresh', 'https://example.org/touched']),
      )
      expect(await urlsOf('release notes parser', { recency: 'week' })).not.toContain(
        'https://example.org/stale',
      )
      expect(await urlsOf('release notes parser', { recency: 'day' })).toEqual([])
      expect(await urlsOf('release notes parser', { recency: 'year' })).toContain('https://example.org/stale')
    })

    test('the date of a sitemap stands in for a page without one, and is told as such', async () => {
      const url = 'https://example.org/dibbler'
      const dated = page(url, 'Dibbler', 'A dibbler hops.', { sitemapDate: day(-4) })
      await library.putPage(dated, 'https://example.org/')
      const hits = await find('dibbler', { recency: 'week' })
      expect(hits).toMatchObject([{ url, publishedAt: day(-4), sitemapDate: day(-4) }])
      expect(await urlsOf('dibbler', { recency: 'day' })).toEqual([])
      await library.removePage(url)
    })

    test('language keeps the pages in it and those that do not tell theirs', async () => {
      expect(await urlsOf('Schlüssel widerrufen', { language: 'de' })).toEqual([
        'https://example.de/schluessel',
      ])
      expect(await urlsOf('Schlüssel widerrufen', { language: 'fr' })).toEqual([])
      expect(await urlsOf('parser combinators', { language: 'fr' })).toEqual([
        'https://notexample.org/parser',
      ])
    })

    test('domains are matched with their sub-domains and no further', async () => {
      const included = await urlsOf('revoke key limit parser', {
        includeDomains: ['example.org', 'example.net'],
      })
      expect(included).toContain('https://docs.example.org/keys')
      expect(included).toContain('https://blog.example.net/revoking')
      expect(included).not.toContain('https://notexample.org/parser')
      const excluded = await urlsOf('revoke key', { excludeDomains: ['docs.example.org'] })
      expect(excluded).toEqual(['https://blog.example.net/revoking'])
    })

    test('a page that is put again replaces what was known of it', async () => {
      const url = 'https://example.org/changing'
      await library.putPage(page(url, 'Zebra', 'Stripes'), 'https://example.org/')
      const count = await library.countPages()
      await library.putPage(page(url, 'Giraffe', 'Spots'), 'https://example.org/')
      expect(await library.countPages()).toBe(count)
      expect(await urlsOf('zebra')).toEqual([])
      expect(await urlsOf('giraffe')).toEqual([url])
      expect(await library.removePage(url)).toBe(true)
      expect(await library.removePage(url)).toBe(false)
      expect(await urlsOf('giraffe')).toEqual([])
    })

    test('local pages are replaced as a whole, and crawled ones stay', async () => {
      const count = await library.countPages()
      const local = (port: number) => [
        page(`http://127.0.0.1:${port}/docs/quokka`, 'Quokka', 'A quokka smiles.'),
      ]
      await library.addLocalPages(local(3000))
      await library.addLocalPages(local(4000))
      expect(await urlsOf('quokka')).toEqual(['http://127.0.0.1:4000/docs/quokka'])
      await library.addLocalPages([])
      expect(await library.countPages()).toBe(count)
    })

    test('a site is forgotten with all its pages', async () => {
      const site = 'https://numbat.example.com/'
      await library.putPage(page(`${site}1`, 'Numbat', 'A numbat eats termites.'), site)
      await library.putPage(page(`${site}2`, 'Numbats', 'More about the numbat.'), site)
      expect(await urlsOf('numbat')).toHaveLength(2)
      expect(await library.removeOrigin(site)).toBe(2)
      expect(await urlsOf('numbat')).toEqual([])
    })

    test('the words of a long page come into the index while the thread that serves does other things, and are found', async () => {
      const site = 'https://long.example.com/'
      // Pairs that hardly ever come twice, which cost an index most.
      const han = Array.from({ length: 200_000 }, (_, at) =>
        String.fromCodePoint(0x4e00 + ((at * 7_919 + at * at) % 20_000)),
      ).join('')
      const before = performance.eventLoopUtilization()
      await library.putPage(page(`${site}1`, 'Long', `${han} pangolin`), site)
      expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
      expect(await urlsOf('pangolin')).toEqual([`${site}1`])
      await library.putPage(page(`${site}1`, 'Long', `${han} aardvark`), site)
      expect(await urlsOf('pangolin')).toEqual([])
      expect(await urlsOf('aardvark')).toEqual([`${site}1`])
      expect(await library.removeOrigin(site)).toBe(1)
    })

    test('no more hits are given than asked for', async () => {
      expect(await find('parser key', { count: 2 })).toHaveLength(2)
    })

    test('a caller who went away gets no answer', async () => {
      const gone = AbortSignal.abort(new Error('gone'))
      await expect(createLibraryProvider({ library }).search(QUESTION, gone)).rejects.toThrow('gone')
    })
  })
}

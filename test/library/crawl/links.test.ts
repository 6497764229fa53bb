import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLinks, readSitemap } from '../../../src/library/crawl/links.ts'

const never = new AbortController().signal

describe('a sitemap', () => {
  test('gives its pages with their dates as written, and the sitemaps it names', async () => {
    const xml = `<?xml version="1.0"?>
      <s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas">
        <s:url><s:lastmod> 2026-01-02 </s:lastmod><s:loc> https://a.example/1?x=1&amp;y=2#part </s:loc>
          <image:image><image:loc>https://a.example/picture.png</image:loc></image:image></s:url>
        <s:url><s:loc><![CDATA[https://a.example/2]]></s:loc></s:url>
        <s:url><s:loc>not an address</s:loc></s:url>
      </s:urlset>`
    expect(await readSitemap(xml, never)).toEqual({
      pages: [
        { url: 'https://a.example/1?x=1&y=2', lastModified: '2026-01-02' },
        { url: 'https://a.example/2', lastModified: null },
      ],
      sitemaps: [],
    })
    const index = '<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>'
    expect(await readSitemap(index, never)).toEqual({ pages: [], sitemaps: ['https://a.example/1.xml'] })
  })

  test('may be plain text, one address a line, as many programs write it', async () => {
    const text = '\uFEFFhttps://a.example/1\r\n\r\n https://a.example/2 \r\nno address\nhttps://a.example/3'
    const pages = ['1', '2', '3'].map((name) => ({ url: `https://a.example/${name}`, lastModified: null }))
    expect(await readSitemap(text, never)).toEqual({ pages, sitemaps: [] })
    const long = 'https://a.example/1\n'.repeat(50_010)
    expect((await readSitemap(long, never)).pages).toHaveLength(50_000)
    await expect(readSitemap(long, AbortSignal.abort(new Error('ended')))).rejects.toThrow('ended')
  })

  test('has 50 000 entries at most', async () => {
    const xml = `<urlset>${Array.from({ length: 50_010 }, (_, index) => `<url><loc>https://a.example/${index}</loc></url>`).join('')}</urlset>`
    expect((await readSitemap(xml, never)).pages).toHaveLength(50_000)
  })

  test('that is cut off gives what stands before', async () => {
    const xml = '<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.exa'
    expect((await readSitemap(xml, never)).pages).toMatchObject([{ url: 'https://a.example/1' }])
  })

  test('and a page may be any text at all', async () => {
    const tag = fc.constantFrom(
      '<url>',
      '</url>',
      '<loc>',
      '</loc>',
      '<lastmod>',
      '<a href="',
      '">',
      '<base href="',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(tag, fc.string(), fc.webUrl())), async (parts) => {
        const text = parts.join('')
        for (const { url } of (await readSitemap(text, never)).pages) expect(URL.canParse(url)).toBe(true)
        const { links } = await readLinks(text, 'https://a.example/', never)
        for (const url of links) expect(url).toMatch(/^https?:/u)
      }),
    )
  })
})

test('links behind what only looks like a CDATA section are found', async () => {
  const { links } = await readLinks('<![CDATA[ x > <a href=/a>A</a>', 'https://a.example/', never)
  expect(links).toEqual(['https://a.example/a'])
})

test.each([
  ['the first that leads somewhere', '<base target=_top><base href="/one/"><base href="/two/">', '/one/x'],
  ['the page, where it is no address of pages', '<base href="javascript:0">', '/docs/x'],
  ['the page, where it is no address', '<base href="http://[">', '/docs/x'],
])('links start from a <base> as browsers take it: %s', async (_, base, path) => {
  const { links } = await readLinks(`${base}<a href=x>x</a>`, 'https://a.example/docs/page', never)
  expect(links).toEqual([`https://a.example${path}`])
})

test('a page whose pictures are not to be previewed may be indexed and followed all the same', async () => {
  const wishesOf = async (content: string) => {
    const page = `<meta name=robots content="${content}">`
    const { noIndex, noFollow } = await readLinks(page, 'https://a.example/', never)
    return { noIndex, noFollow }
  }
  const none = { noIndex: false, noFollow: false }
  expect(await wishesOf('index, follow, max-image-preview:none')).toEqual(none)
  expect(await wishesOf('max-image-preview : none, max-snippet: -1')).toEqual(none)
  expect(await wishesOf('max-image-preview:none, noindex')).toEqual({ noIndex: true, noFollow: false })
  expect(await wishesOf('NONE')).toEqual({ noIndex: true, noFollow: true })
})

describe('a page and a sitemap of a million characters', () => {
  test.each([
    ['tags', (signal: AbortSignal) => readLinks('<b>'.repeat(350_000), 'https://a.example/', signal)],
    [
      'entries',
      (signal: AbortSignal) => readSitemap('<url><loc>https://a.example/</loc></url>'.repeat(25_000), signal),
    ],
  ])('of %s are read in turns with whatever else is due, and left when nobody waits', async (_, read) => {
    let [turns, isRead] = [0, false]
    const turn = (): void => {
      turns += 1
      if (!isRead) setImmediate(turn)
    }
    setImmediate(turn)
    await read(never)
    isRead = true
    expect(turns).toBeGreaterThan(2)
    const left = new AbortController()
    setImmediate(() => left.abort(new Error('nobody waits')))
    await expect(read(left.signal)).rejects.toThrow('nobody waits')
  })

  test('are the same whether they are read in turns or at once', async () => {
    const entries = Array.from({ length: 3_000 }, (_, index) => `https://a.example/${index}?a&amp;b=${index}`)
    const xml = `<urlset>${entries.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`
    expect((await readSitemap(xml, never)).pages.map(({ url }) => url)).toEqual(
      entries.map((loc) => loc.replace('&amp;', '&')),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLinks, readSitemap } from '../../../src/library/crawl/links.ts'

describe('a sitemap', () => {
  test('gives its pages with their dates as written, and the sitemaps it names', () => {
    const xml = `<?xml version="1.0"?>
      <s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas">
        <s:url><s:lastmod> 2026-01-02 </s:lastmod><s:loc> https://a.example/1?x=1&amp;y=2#part </s:loc>
          <image:image><image:loc>https://a.example/picture.png</image:loc></image:image></s:url>
        <s:url><s:loc><![CDATA[https://a.example/2]]></s:loc></s:url>
        <s:url><s:loc>not an address</s:loc></s:url>
      </s:urlset>`
    expect(readSitemap(xml)).toEqual({
      pages: [
        { url: 'https://a.example/1?x=1&y=2', lastModified: '2026-01-02' },
        { url: 'https://a.example/2', lastModified: null },
      ],
      sitemaps: [],
    })
    const index = '<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>'
    expect(readSitemap(index)).toEqual({ pages: [], sitemaps: ['https://a.example/1.xml'] })
  })

  test('has 50 000 entries at most', () => {
    const xml = `<urlset>${Array.from({ length: 50_010 }, (_, index) => `<url><loc>https://a.example/${index}</loc></url>`).join('')}</urlset>`
    expect(readSitemap(xml).pages).toHaveLength(50_000)
  })

  test('that is cut off gives what stands before', () => {
    const xml = '<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.exa'
    expect(readSitemap(xml).pages).toMatchObject([{ url: 'https://a.example/1' }])
  })

  test('and a page may be any text at all', () => {
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
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, fc.string(), fc.webUrl())), (parts) => {
        const text = parts.join('')
        for (const { url } of readSitemap(text).pages) expect(URL.canParse(url)).toBe(true)
        for (const url of readLinks(text, 'https://a.example/').links) expect(url).toMatch(/^https?:/u)
      }),
    )
  })
})

test('links behind what only looks like a CDATA section are found', () => {
  const { links } = readLinks('<![CDATA[ x > <a href=/a>A</a>', 'https://a.example/')
  expect(links).toEqual(['https://a.example/a'])
})

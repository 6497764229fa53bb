// What a page says about where else to look: its links, its wishes about being indexed, its canonical address, and the
// entries of a sitemap.
import { Parser } from 'htmlparser2'
import { normalizeUrl } from '../../providers/hit-urls.ts'

export interface PageLinks {
  /** Absolute http(s) addresses without fragments, each once, in the page's order. */
  links: string[]
  canonical: string | null
  /** `noindex`, and `nofollow` for all links, as `<meta name="robots">` says. */
  noIndex: boolean
  noFollow: boolean
}

const LINKS_MAX = 5_000

export function readLinks(html: string, pageUrl: string): PageLinks {
  const links = new Set<string>()
  const found = { canonical: null as string | null, noIndex: false, noFollow: false }
  let base = pageUrl
  const resolve = (href: string): string | null =>
    URL.canParse(href, base) ? normalizeUrl(new URL(href, base).href) : null
  const parser = new Parser({
    onopentag(name, attributes) {
      const href = attributes['href']?.trim() ?? ''
      const relations = (attributes['rel'] ?? '').toLowerCase().split(/\s+/u)
      if (name === 'base' && URL.canParse(href, pageUrl)) base = new URL(href, pageUrl).href
      if (name === 'link' && relations.includes('canonical')) found.canonical ??= resolve(href)
      if (name === 'meta' && /^(robots|verbatim)$/iu.test(attributes['name'] ?? '')) {
        const wishes = (attributes['content'] ?? '').toLowerCase()
        found.noIndex ||= /\b(noindex|none)\b/u.test(wishes)
        found.noFollow ||= /\b(nofollow|none)\b/u.test(wishes)
      }
      if (!/^(a|area)$/u.test(name) || href === '' || relations.includes('nofollow')) return
      const link = resolve(href)
      if (link !== null && links.size < LINKS_MAX) links.add(link)
    },
  })
  parser.end(html)
  return { ...found, links: [...links] }
}

export interface Sitemap {
  /** Addresses of pages, with `lastmod` as the sitemap writes it. */
  pages: { url: string; lastModified: string | null }[]
  /** Addresses of further sitemaps, when this is an index of them. */
  sitemaps: string[]
}

const SITEMAP_ENTRIES_MAX = 50_000

/** Reads a sitemap (https://www.sitemaps.org/protocol.html). What is no sitemap has no entries. */
export function readSitemap(xml: string): Sitemap {
  const sitemap: Sitemap = { pages: [], sitemaps: [] }
  const path: string[] = []
  let entry = { loc: '', lastmod: '' }
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name.replace(/^.*:/u, ''))
        if (/^(?:url|sitemap)$/u.test(path.at(-1) ?? '')) entry = { loc: '', lastmod: '' }
      },
      ontext(part) {
        const [parent, name] = path.slice(-2)
        const isOfEntry = parent === 'url' || parent === 'sitemap'
        if (isOfEntry && (name === 'loc' || name === 'lastmod')) entry[name] += part
      },
      onclosetag(_, isImplied) {
        const name = path.pop()
        // An entry that never ends was cut off, and its address may be half of one.
        if (isImplied || (name !== 'url' && name !== 'sitemap')) return
        const url = normalizeUrl(entry.loc.trim())
        if (url === null || sitemap.pages.length + sitemap.sitemaps.length >= SITEMAP_ENTRIES_MAX) return
        if (name === 'sitemap') sitemap.sitemaps.push(url)
        else sitemap.pages.push({ url, lastModified: entry.lastmod.trim() || null })
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return sitemap
}

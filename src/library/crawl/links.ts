// What a page says about where else to look: its links, its wishes about being indexed, its canonical address, and the
// entries of a sitemap.
import { normalizeUrl } from '../../providers/hit-urls.ts'
import { baseAddress } from '../../extract/base-address.ts'
import { readTokensInTurns } from '../../extract/markup-tokens.ts'
import { createTimeSlice } from '../../extract/yield-thread.ts'

export interface PageLinks {
  /** Absolute http(s) addresses without fragments, each once, in the page's order. */
  links: string[]
  canonical: string | null
  /** `noindex`, and `nofollow` for all links, as `<meta name="robots">` says. */
  noIndex: boolean
  noFollow: boolean
}

const LINKS_MAX = 5_000
/** Links that are looked at, the same ones again included. */
const ANCHORS_MAX = 20_000

/** What stands behind a colon is the value of another rule: `max-image-preview:none` speaks of pictures. */
const NO_INDEX = /(?<!:\s{0,9})\b(?:noindex|none)\b/u
const NO_FOLLOW = /(?<!:\s{0,9})\b(?:nofollow|none)\b/u

/** Reads a page in turns, since crawls run on the thread that serves. @throws the signal's reason. */
export async function readLinks(html: string, pageUrl: string, signal: AbortSignal): Promise<PageLinks> {
  const links = new Set<string>()
  const found = { canonical: null as string | null, noIndex: false, noFollow: false }
  let base: string | null = null
  let anchors = 0
  const resolve = (href: string): string | null =>
    URL.canParse(href, base ?? pageUrl) ? normalizeUrl(new URL(href, base ?? pageUrl).href) : null
  await readTokensInTurns(
    html,
    { isXml: false },
    {
      open(name, attributes) {
        const href = attributes.get('href')?.trim() ?? ''
        const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/u)
        if (name === 'base' && href !== '') base ??= baseAddress(href, pageUrl)
        if (name === 'link' && relations.includes('canonical')) found.canonical ??= resolve(href)
        if (name === 'meta' && /^(robots|verbatim)$/iu.test(attributes.get('name') ?? '')) {
          const wishes = (attributes.get('content') ?? '').toLowerCase()
          found.noIndex ||= NO_INDEX.test(wishes)
          found.noFollow ||= NO_FOLLOW.test(wishes)
        }
        if (!/^(a|area)$/u.test(name) || href === '' || relations.includes('nofollow')) return
        anchors += 1
        const link = anchors <= ANCHORS_MAX && links.size < LINKS_MAX ? resolve(href) : null
        if (link !== null) links.add(link)
      },
    },
    signal,
  )
  return { ...found, links: [...links] }
}

/** Rules that have a value of their own after a colon, which other names put before theirs. */
const VALUED_RULES = /^(?:max-snippet|max-image-preview|max-video-preview|unavailable_after)$/u

/**
 * What `X-Robots-Tag` asks of the robot named `product`: rules parted by commas; a name before a colon says whom it and
 * those after it are for (developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
 */
export function readRobotsTag(value: string, product: string): Pick<PageLinks, 'noIndex' | 'noFollow'> {
  const wishes = { noIndex: false, noFollow: false }
  let isForUs = true
  for (const part of value.toLowerCase().split(',')) {
    const [first = '', ...rest] = part.split(':').map((text) => text.trim())
    const isNamed = rest.length > 0 && !VALUED_RULES.test(first)
    if (isNamed) isForUs = first === product.toLowerCase()
    if (!isForUs) continue
    const rule = isNamed ? rest[0] : first
    wishes.noIndex ||= rule === 'noindex' || rule === 'none'
    wishes.noFollow ||= rule === 'nofollow' || rule === 'none'
  }
  return wishes
}

/** `lastModified` as the sitemap writes it. */
export interface SitemapPage {
  url: string
  lastModified: string | null
}

export interface Sitemap {
  pages: SitemapPage[]
  /** Addresses of further sitemaps, when this is an index of them. */
  sitemaps: string[]
}

const SITEMAP_ENTRIES_MAX = 50_000
/** Read in a few milliseconds. */
const LINES_A_TURN = 500
/** Longer than any address that is followed. */
const ADDRESS_CHARACTERS_MAX = 5_000

/**
 * Reads a sitemap (https://www.sitemaps.org/protocol.html), in XML or one address a line, in turns. What is no sitemap has
 * no entries.
 * @throws the signal's reason.
 */
export async function readSitemap(xml: string, signal: AbortSignal): Promise<Sitemap> {
  const sitemap: Sitemap = { pages: [], sitemaps: [] }
  if (/^[\s\uFEFF]*https?:/iu.test(xml)) return { ...sitemap, pages: await readLines(xml, signal) }
  let entry = { loc: '', lastmod: '' }
  let field: keyof typeof entry | null = null
  /** Of elements within the entry; images have addresses of their own. */
  let depth = 0
  await readTokensInTurns(
    xml,
    { isXml: true },
    {
      open(tag) {
        const name = localName(tag)
        if (isEntry(name)) {
          entry = { loc: '', lastmod: '' }
          depth = 0
        } else {
          depth += 1
          field = depth === 1 && (name === 'loc' || name === 'lastmod') ? name : null
        }
      },
      text(part) {
        if (field !== null && entry[field].length < ADDRESS_CHARACTERS_MAX) entry[field] += part
      },
      close(tag) {
        const name = localName(tag)
        field = null
        depth -= 1
        if (!isEntry(name)) return
        const url = normalizeUrl(entry.loc.trim())
        const count = sitemap.pages.length + sitemap.sitemaps.length
        if (url !== null && count < SITEMAP_ENTRIES_MAX) {
          if (name === 'sitemap') sitemap.sitemaps.push(url)
          else sitemap.pages.push({ url, lastModified: entry.lastmod.trim() || null })
        }
        entry = { loc: '', lastmod: '' }
      },
    },
    signal,
  )
  return sitemap
}

/** Of a sitemap in plain text (https://www.sitemaps.org/protocol.html#otherformats). */
async function readLines(text: string, signal: AbortSignal): Promise<SitemapPage[]> {
  const pause = createTimeSlice(signal)
  const pages: SitemapPage[] = []
  for (const [index, line] of text.split(/\r\n?|\n/u, SITEMAP_ENTRIES_MAX).entries()) {
    if (index % LINES_A_TURN === 0) await pause()
    const url = normalizeUrl(line.replaceAll('\uFEFF', '').trim())
    if (url !== null) pages.push({ url, lastModified: null })
  }
  return pages
}

/** Without the prefix of its namespace. */
const localName = (tag: string): string => tag.slice(tag.lastIndexOf(':') + 1)
const isEntry = (name: string): boolean => name === 'url' || name === 'sitemap'

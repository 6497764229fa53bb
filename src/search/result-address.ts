// Which address a result shows, and under which one two results are the same page. Where a page says it is, or sends
// whoever opens it, is the site's to write; what an answer shows is ours.
import { normalizeUrl, urlKey } from '../providers/hit-urls.ts'

/** The address that was reached, when anybody may be sent there: http(s) without credentials; else the one asked for. */
export function shownAddress(asked: string, reached: string): string {
  if (!URL.canParse(reached)) return asked
  const { protocol, username, password } = new URL(reached)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? reached : asked
}

/**
 * The address a page says it is, to compare with others: that of the canonical link, where the page may speak for that
 * address, else that of the page's own. Null for what is no web address.
 */
export function pageKey(url: string, canonicalUrl: string | null): string | null {
  const own = normalizeUrl(url)
  if (own === null) return null
  const canonical = canonicalUrl === null ? null : normalizeUrl(canonicalUrl)
  return urlKey(canonical !== null && maySpeakFor(new URL(own), new URL(canonical)) ? canonical : own)
}

export interface AddressedPage {
  url: string
  /** The address that the page names as its own; null when it names none. */
  canonicalUrl: string | null
}

/**
 * Whether `page` is the same page as one that was read before. By its own word a page gives way to one that calls itself
 * by the name it gives; whatever else two pages say of themselves hides neither, unless they say the same text.
 */
export function repeats(page: AddressedPage, before: AddressedPage, sayTheSame: () => boolean): boolean {
  const [own, named] = [pageKey(page.url, null), pageKey(page.url, page.canonicalUrl)]
  const [ownBefore, namedBefore] = [pageKey(before.url, null), pageKey(before.url, before.canonicalUrl)]
  if (own === null || ownBefore === null) return false
  if (own === ownBefore) return true
  const isConfirmed = before.canonicalUrl !== null && pageKey(before.canonicalUrl, null) === ownBefore
  if (named === ownBefore && isConfirmed) return true
  const isClaimed = named === ownBefore || namedBefore === own || named === namedBefore
  return isClaimed && sayTheSame()
}

/**
 * A page speaks for its own domain alone. Many sites name their start page on every page by mistake; one that is read as
 * another would be lost.
 */
function maySpeakFor(own: URL, canonical: URL): boolean {
  const [from, to] = [own, canonical].map(({ hostname }) => hostname.replace(/^www\./u, ''))
  if (from === undefined || to === undefined) return false
  const isOneDomain = from === to || from.endsWith(`.${to}`) || to.endsWith(`.${from}`)
  return isOneDomain && (canonical.pathname !== '/' || own.pathname === '/')
}

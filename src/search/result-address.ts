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
 * Two pages with one key are one page: that of the canonical link, where the page may speak for that address, else that
 * of the page's own. Null for what is no web address.
 */
export function pageKey(url: string, canonicalUrl: string | null): string | null {
  const own = normalizeUrl(url)
  if (own === null) return null
  const canonical = canonicalUrl === null ? null : normalizeUrl(canonicalUrl)
  return urlKey(canonical !== null && maySpeakFor(new URL(own), new URL(canonical)) ? canonical : own)
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

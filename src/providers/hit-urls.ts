// Which address a hit stands for: cleaned for fetching, and reduced to a key under which twins meet.
import { toHostName } from '../contract/fields.ts'
import type { ProviderQuery, SearchHit } from './provider.ts'

const URL_CHARACTERS_MAX = 4_096

/** Parameters that only tell where a click came from; the page is the same without them. */
const TRACKING_PARAMETER =
  /^(utm_[a-z_]+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_[ce]id|mkt_tok|_hs(enc|mi)|vero_(id|conv)|oly_(enc|anon)_id|ref_src|srsltid)$/iu

/**
 * The address to fetch for a hit: without fragment, credentials, tracking parameters and default port.
 * The trailing slash stays, because a server may tell `/a` from `/a/`. Null unless it is http(s) and of sane length.
 */
export function normalizeUrl(raw: string): string | null {
  if (raw.length > URL_CHARACTERS_MAX || !URL.canParse(raw)) return null
  const url = new URL(raw)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.hash = ''
  url.username = ''
  url.password = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const tracking = [...url.searchParams.keys()].filter((name) => TRACKING_PARAMETER.test(name))
  // Rewriting the parameters re-encodes them, which some servers notice; so they are touched only when they must be.
  for (const name of tracking) url.searchParams.delete(name)
  return url.hostname === '' ? null : url.href
}

/** Under this key http and https, `www.` and the bare name, `/a` and `/a/`, and any order of parameters are one page. */
export function urlKey(normalizedUrl: string): string {
  const url = new URL(normalizedUrl)
  url.searchParams.sort()
  const host = url.host.replace(/^www\./u, '')
  return `${host}${url.pathname.replace(/(?<!\/)\/+$/u, '')}${url.search}`
}

/** `hits` in their order with cleaned addresses; what cannot be fetched and what came before is left out. */
export function uniqueHits(hits: readonly SearchHit[]): SearchHit[] {
  const byKey = new Map<string, SearchHit>()
  for (const hit of hits) {
    const url = hit.isLocalFile === true ? hit.url : normalizeUrl(hit.url)
    if (url === null) continue
    const key = urlKey(url)
    if (!byKey.has(key)) byKey.set(key, { ...hit, url })
  }
  return [...byKey.values()]
}

/** True when the URL's host is one of `domains` or a sub-domain of one. An unreadable URL is on no domain. */
export function isOnDomain(url: string, domains: readonly string[]): boolean {
  const host = URL.canParse(url) ? toHostName(new URL(url).hostname) : null
  if (host === null) return false
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

/** True when the URL is on one of the included domains, if there are any, and on none of the excluded, which win. */
export function isOnAskedDomains(
  url: string,
  { includeDomains, excludeDomains }: Pick<ProviderQuery, 'includeDomains' | 'excludeDomains'>,
): boolean {
  if (includeDomains.length > 0 && !isOnDomain(url, includeDomains)) return false
  return !isOnDomain(url, excludeDomains)
}

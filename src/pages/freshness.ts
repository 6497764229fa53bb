// How long a page may be used again by what its answer says, as a shared cache reads it (RFC 9111): http-cache-semantics
// decides, within our own limits.
import CachePolicy from 'http-cache-semantics'

const CACHING_HEADERS = ['age', 'cache-control', 'date', 'expires', 'pragma', 'vary'] as const

/** What an answer says of keeping it, as sent; left out what it does not. */
export type CachingHeaders = Readonly<Partial<Record<(typeof CACHING_HEADERS)[number], string>>>

export interface FreshnessLimits {
  /** How long a page is fresh that does not say. */
  freshMs: number
  /** How long a page is fresh at most, whatever it says. */
  freshMaxMs: number
}

/**
 * Takes from an answer what `freshnessOf` reads. `combined` gives all values of a header as one list, or null.
 * `Set-Cookie` stays behind: we send no cookies, so what comes is what every stranger gets (RFC 9111 §7.3).
 */
export function cachingHeadersOf(combined: (name: string) => string | null): CachingHeaders {
  return Object.fromEntries(
    CACHING_HEADERS.flatMap((name) => {
      const value = combined(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

/** Milliseconds from now for which an answer is fresh; 0: ask before each use; null: it must not be kept. */
export function freshnessOf(said: CachingHeaders, { freshMs, freshMaxMs }: FreshnessLimits): number | null {
  if (variesBy('anything', said)) return 0
  const sent = Date.parse(said.date ?? '')
  const date = Number.isNaN(sent) ? Date.now() : sent
  // What holds for silent answers is the cache's to choose (§4.2.2). The library takes a share of the time since the last
  // change: of one second, as many times as makes `freshMs`.
  const changed = {
    date: new Date(date).toUTCString(),
    'last-modified': new Date(date - 1_000).toUTCString(),
  }
  const policy = policyOf({ ...said, ...changed }, { cacheHeuristic: freshMs / 1_000 })
  if (!policy.storable()) return null
  return Math.min(Math.max(0, policy.maxAge() - policy.age()) * 1_000, freshMaxMs)
}

/** Whether another value of the request's header `name` might bring another page (RFC 9110 §12.5.5). */
export function variesBy(name: string, { vary }: CachingHeaders): boolean {
  const policy = policyOf({ vary, 'cache-control': 'max-age=60' }, {}, { [name]: 'one' })
  return !policy.satisfiesWithoutRevalidation({ headers: { [name]: 'another' } })
}

/** Names of directives are the same in any case (§5.2), but not to the library. */
function policyOf(
  said: CachePolicy.Headers & { 'cache-control'?: string },
  options: CachePolicy.Options,
  asked: CachePolicy.Headers = {},
): CachePolicy {
  const cacheControl = said['cache-control']?.toLowerCase()
  return new CachePolicy({ headers: asked }, { headers: { ...said, 'cache-control': cacheControl } }, options)
}

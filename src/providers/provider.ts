// What every web search engine looks like from inside: one question, its capabilities, one kind of failure.
import type { Recency } from '../contract.ts'

/**
 * What the pipeline asks. `count` is already over-fetched: the most hits it can use; domains are ASCII host names,
 * sub-domains included.
 */
export interface ProviderQuery {
  text: string
  count: number
  /** As soon as so many hits on the asked domains are there, no engine is asked for more: each request may cost money. */
  needed: number
  recency: Recency | null
  /** BCP 47 tag as the caller sent it. */
  language: string
  includeDomains: readonly string[]
  excludeDomains: readonly string[]
}

export interface SearchHit {
  url: string
  title: string
  /** ISO 8601 date or date-time as the engine tells it, else null. */
  publishedAt: string | null
  /** `lastmod` of the site's sitemap, ISO 8601, from an engine that reads sitemaps. */
  sitemapDate?: string | null
  /** The engine's own excerpt: never shown as a snippet, it only helps to order pages. */
  excerpt: string | null
  /** Requests to the engine before the one that brought it; left out for none. */
  requestsBefore?: number
  /** A file of this machine that its operator put into the embedded engine, which alone may say so. */
  isLocalFile?: boolean
}

/** What an engine does itself. Whatever is false is enforced by the pipeline on the pages it opens. */
export interface ProviderCapabilities {
  recency: boolean
  language: boolean
  includeDomains: boolean
  excludeDomains: boolean
  /** Most hits the engine gives for one call of `search` (paging included). */
  maxCount: number
  /** Pages of hits that are asked for one after the other; 1 where everything comes at once. */
  maxPages: number
  /** Longest query in characters, null where the engine names no limit. */
  maxQueryCharacters: number | null
}

export interface SearchProvider {
  readonly name: string
  /** True of the engine that knows only the pages it was given: its silence never stands for an engine that failed. */
  readonly isEmbedded?: boolean
  readonly capabilities: ProviderCapabilities
  /**
   * Asks the engine. An empty list means that the engine found nothing.
   * @throws {ProviderError} whenever the engine did not answer properly.
   */
  search(query: ProviderQuery, signal: AbortSignal): Promise<SearchHit[]>
}

export type ProviderFailure =
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'refused'
  | 'misconfigured'
  | 'bad_answer'

/** A search engine's failure. `message` is for the operator's log and `doctor`; it never reaches a caller. */
export class ProviderError extends Error {
  readonly provider: string
  readonly failure: ProviderFailure
  /** Seconds the engine asked us to wait (Retry-After), when it did. */
  readonly retryAfterSeconds: number | null

  constructor(
    provider: string,
    failure: ProviderFailure,
    message: string,
    options: { retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(`${provider}: ${message}`, { cause: options.cause })
    this.name = 'ProviderError'
    this.provider = provider
    this.failure = failure
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

// What a search of the documentation answers.
import type { SearchOptions } from '../../search/search-context.ts'

export interface FoundPage {
  slug: string
  title: string
  /** Of the best passage, 0..1. */
  relevance: number
  /** Best first, word for word as they stand on the page. */
  passages: readonly { text: string; relevance: number; heading: string | null }[]
}

/** The pages that answer best, best first. Rejects with `ApiError` overloaded (429) when the service is. */
export type SearchDocumentation = (
  query: string,
  options: Pick<SearchOptions, 'arrivedAtMs' | 'callerId' | 'fresh'>,
  signal: AbortSignal,
) => Promise<FoundPage[]>

// What one search is made of: the parts it works with, its request and its budget. Apart from the pipeline and from
// the answer, because both work on the same run.
import type { SearchRequest, SearchResponse, SearchResult } from '../contract.ts'
import type { Capture, LoadOptions } from '../pages/capture.ts'
import type { ProviderQuery, SearchHit } from '../providers/provider.ts'
import type { Logger, StageTimer } from '../telemetry.ts'
import type { DepthBudget } from './depth.ts'
import type { DropReason } from './filters.ts'
import type { GatheredPage, ReadResult } from './gather.ts'
import type { KeptPages } from './kept-pages.ts'
import type { ScoredPassage } from './rank.ts'

type FilterName = 'recency' | 'language' | 'includeDomains' | 'excludeDomains'

/** What the provider chain answers. */
export interface ProviderAnswer {
  hits: SearchHit[]
  provider: string
  /** Whether each filter was applied by the engine (`native`), is applied here (`after`) or was not asked for. */
  applied: Readonly<Record<FilterName, 'native' | 'after' | 'none'>>
  failures: readonly { provider: string; failure: string }[]
}

/** What the scorer answers: `relevance` is aligned with the passages it was given, 0..1. */
export interface ScoreAnswer {
  relevance: Float64Array
  stage: 'model' | 'first'
  model: string
  requestedTier: string
  warning: string | null
}

export interface ScoreOptions {
  tier: SearchRequest['search_depth']
  language: string
  candidates: number
  deadlineMs: number
}

/** The parts the pipeline is made of; service.ts builds them. */
export interface SearchParts {
  findHits(query: ProviderQuery, signal: AbortSignal): Promise<ProviderAnswer>
  loadPage(url: string, options: LoadOptions, signal: AbortSignal): Promise<Capture>
  readPage(
    capture: Capture,
    options: { overlap: boolean; limit: number },
    signal: AbortSignal,
  ): Promise<ReadResult>
  score(
    query: string,
    passages: readonly { text: string; heading: string }[],
    options: ScoreOptions,
    signal: AbortSignal,
  ): Promise<ScoreAnswer>
  /** Remembers the texts that answers with proof were taken from. */
  keptPages: KeptPages
  log: Logger
}

export interface SearchContext {
  /** Epoch milliseconds at which the request arrived; the deadline counts from here. */
  arrivedAtMs: number
  /** Read every page anew (`Cache-Control: no-cache`). */
  fresh: boolean
  /** Told of each result as soon as its page is done; its rank is the order of arrival. */
  onResult?(result: SearchResult): void
}

/** What the answer's headers, the log and the metrics tell about how it was made. */
export interface SearchFacts {
  provider: string
  model: string
  requestedTier: string
  stages: Readonly<Record<string, number>>
  snippets: number
  pages: readonly Pick<GatheredPage, 'outcome' | 'readBy' | 'elapsedMs'>[]
  /** Pages that were read and left out by a filter. */
  dropped: Readonly<Partial<Record<DropReason, number>>>
}

export interface SearchOutcome {
  response: SearchResponse
  facts: SearchFacts
}

export interface Run {
  request: SearchRequest
  context: SearchContext
  budget: DepthBudget
  timer: StageTimer
  parts: SearchParts
  signal: AbortSignal
}

export interface Scored {
  answer: ScoreAnswer
  /** Passages of each page with their relevance, by the page's position. */
  byPosition: ReadonlyMap<number, ScoredPassage[]>
}

// What one search is made of: the parts it works with, its request and its budget.
import type { SearchRequest, SearchResponse, SearchResult } from '../contract.ts'
import type { ChainAnswer } from '../providers/chain.ts'
import type { ProviderQuery } from '../providers/provider.ts'
import type { ScoreAnswer, Scorer } from '../score/scorer.ts'
import type { Logger } from '../telemetry/log.ts'
import type { StageTimer } from '../telemetry/stage-timer.ts'
import type { Trace } from '../telemetry/trace.ts'
import type { DepthBudget } from './depth.ts'
import type { DropReason } from './filters.ts'
import type { PageParts, GatheredPage } from './gather-page.ts'
import type { ProofParts } from './proof/prove-result.ts'
import type { ChosenLanguage } from './query-language.ts'
import type { RememberedOrders } from './hits/remembered-orders.ts'
import type { TextBudget } from './highlights/text-budget.ts'
import type { ScoredPassage } from './rank.ts'

/** The parts the pipeline is made of; service.ts builds them. */
export interface PipelineParts extends Pick<PageParts, 'loadPage' | 'readPage'>, ProofParts {
  /** With `engine`, of that one alone. */
  findHits(query: ProviderQuery, signal: AbortSignal, engine?: string): Promise<ChainAnswer>
  score: Scorer['score']
  /** Every stage is a span of it. */
  trace?: Trace | undefined
  log: Logger
}

export interface SearchOptions {
  /** Epoch milliseconds at which the request arrived; the deadline counts from here. */
  arrivedAtMs: number
  /** Who asks, such as a key's id: callers take turns when there are more searches than places. */
  callerId: string
  /** Read every page anew (`Cache-Control: no-cache`). */
  fresh: boolean
  /** How long the caller waits, from the arrival on; left out for as long as the depth takes. */
  patienceMs?: number
  /** Most of the snippets of one page together; left out for no limit. */
  perPage?: TextBudget
  /** Told as soon as the search has its place or waits for one: what finds no room is refused before. */
  onPlace?: () => void
  /** Told of each result as soon as its page is done; its rank is the order of arrival. */
  onResult?: (result: SearchResult) => void
  /** Told how far the search is: once the engine has answered, and after each page. */
  onProgress?: (progress: SearchProgress) => void
  /** Asks this search engine alone; left out for the operator's order. */
  engine?: string
  /** Told once how the search ended, for the record of its request. */
  onEnd?: (end: SearchEnd) => void
}

export interface SearchProgress {
  /** Which search engine found the pages. */
  engine: string
  /** Pages that are being read or have been. */
  pages: number
  /** How many of them are done, whether they could be read or not. */
  done: number
}

/** What is remembered of a search with its request. */
export interface SearchEnd {
  query: string
  depth: string
  /** The search engine that answered; null when none did. */
  engine: string | null
}

/** What the answer's headers, the log and the metrics tell about how it was made. */
export interface SearchFacts {
  provider: string
  model: string
  /** Names the fit that made the scores. */
  scoreVersion: string
  requestedTier: string
  stages: Readonly<Record<string, number>>
  snippets: number
  pages: readonly (Pick<GatheredPage, 'outcome' | 'readBy' | 'elapsedMs'> & {
    host: string
    isOurFault: boolean
  })[]
  /** Pages that were read and left out by a filter. */
  dropped: Readonly<Partial<Record<DropReason, number>>>
}

export interface SearchOutcome {
  response: SearchResponse
  facts: SearchFacts
}

export interface SearchContext {
  /** With the language that is searched in. */
  request: SearchRequest
  languageSource: ChosenLanguage['source']
  options: SearchOptions
  budget: DepthBudget
  /** How many of the best passages are told part by part. */
  highlighted: number
  timer: StageTimer
  parts: PipelineParts
  /** Of hits, for the next page of results. */
  orders: RememberedOrders
  signal: AbortSignal
}

export interface Scored {
  answer: ScoreAnswer
  /** Passages of each page with their relevance, by the page's position. */
  byPosition: ReadonlyMap<number, ScoredPassage[]>
  /** How likely the likeliest passage of all other pages is, by the page's position: 0..1. */
  likeliestElsewhere: ReadonlyMap<number, number>
}

// What is asked of the stages, and what they answer.
import type { Tier } from './models/catalog.ts'
import type { ErrorPromise } from './relevance/relevance-model.ts'

export interface ScoreRequest {
  tier: Exclude<Tier, 'multilingual'>
  /** BCP 47. */
  language: string
  /** Most of the first stage's best that the embedding model reads, and of its best that the re-ranker does; fewer where it is slow. */
  candidates: number
  reranked: number
  /** Whether the passages come to be re-ranked and are of no page; `page` then tells which are pieces of one text. */
  areTexts?: boolean
  /** How many of the best passages are told part by part; their parts must be given. None when left out. */
  highlighted?: number
  /** Epoch milliseconds; what is not read by then keeps the score of the stage before. */
  deadlineMs: number
}

/** Which stages scored a passage. */
export type ScoredBy = 'first' | 'model' | 'reranker'

export interface ScoreAnswer {
  /** 0..1, calibrated, aligned with the passages. */
  relevance: Float64Array
  scoredBy: readonly ScoredBy[]
  /** How likely each part of a passage answers, summing to its relevance, by the passage's place; of the best that were asked for. */
  partRelevance: ReadonlyMap<number, Float64Array>
  /** What scored: `bundled`, or the id of the model, or two joined by ` + `. */
  model: string
  /** Names the fit that made the probabilities. */
  version: string
  /** From which score on no more than a share of the passages is wrong; empty where nothing is known of it. */
  promises: readonly ErrorPromise[]
  requestedTier: string
  /** A sentence for the caller when the answer is worse than the tier promises; else null. */
  warning: string | null
}

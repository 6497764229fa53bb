// What a scorer answers of which only the first stage ran: for pipelines whose scores a test holds in its hand.
import type { ScoreAnswer } from '../../src/score/scorer.ts'

/** `relevance` of each passage, 0..1, in their order. */
export const firstStageAnswer = (relevance: readonly number[]): ScoreAnswer => ({
  relevance: Float64Array.from(relevance),
  scoredBy: relevance.map(() => 'first'),
  partRelevance: new Map(),
  version: 'test',
  promises: [],
  model: 'bundled',
  requestedTier: 'balanced',
  warning: null,
})

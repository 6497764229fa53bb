// The least score of a snippet that is returned: what the depth asks for, and what the caller does beyond it.
import type { ScoreAnswer } from '../score/scorer.ts'
import type { SearchContext } from './search-context.ts'

/**
 * 0..1, or infinite when no score keeps the error that the caller allows: then nothing is returned, which is the promise.
 */
export function leastScoreOf(
  { request, budget }: Pick<SearchContext, 'request' | 'budget'>,
  { promises }: Pick<ScoreAnswer, 'promises'>,
): number {
  const least = Math.max(budget.threshold, request.min_score ?? 0)
  const maxError = request.max_error ?? null
  if (maxError === null) return least
  const kept = promises.filter((promise) => promise.maxError <= maxError).map(({ leastScore }) => leastScore)
  return Math.max(least, Math.min(Number.POSITIVE_INFINITY, ...kept))
}

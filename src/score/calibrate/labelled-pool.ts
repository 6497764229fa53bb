// The passages of one question with what is known to answer it, and which of them come first.
import type { Features } from '../relevance/calibration.ts'

/** The candidates of one query as the service sees them. */
export interface LabelledPool {
  /** Name of the evaluation set; every set weighs the same, whatever its size. */
  set: string
  passages: readonly Features[]
  /** Indices into `passages`; empty when nothing answers the query. */
  relevant: readonly number[]
}

/** Calibration is fitted and measured on what a caller sees: the best passages of each query. */
export const SHOWN_PASSAGES = 5

/** Indices of the best passages, best first; equal scores keep their order. */
export function bestPassages(scores: ArrayLike<number>, count: number): number[] {
  const order = Array.from(scores, (_, index) => index)
  return order
    .toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other)
    .slice(0, count)
}

/** Of the pools with an answer, the share whose best passage is one. */
export function firstRight<Pool extends Pick<LabelledPool, 'relevant'>>(
  pools: readonly Pool[],
  scoresOf: (pool: Pool) => ArrayLike<number>,
): number {
  const answerable = pools.filter(({ relevant }) => relevant.length > 0)
  const right = answerable.filter((pool) => pool.relevant.includes(bestPassages(scoresOf(pool), 1)[0] ?? -1))
  return right.length / Math.max(1, answerable.length)
}

// How well a passage fits a query as its model was taught to say it: by one vector of each, or by late interaction of the
// vectors of their tokens.
import type { SimilarityFunction } from '../reading.ts'
import type { EncodedPassage } from '../token-similarity.ts'

const sumOver = (length: number, valueAt: (index: number) => number): number => {
  let sum = 0
  for (let index = 0; index < length; index++) sum += valueAt(index)
  return sum
}

const dot = (a: Float32Array, b: Float32Array): number =>
  sumOver(a.length, (at) => (a[at] ?? 0) * (b[at] ?? 0))

const COMPARE: Readonly<Record<SimilarityFunction, (a: Float32Array, b: Float32Array) => number>> = {
  cosine: (a, b) => dot(a, b) / Math.max(Number.MIN_VALUE, Math.sqrt(dot(a, a) * dot(b, b))),
  dot,
  euclidean: (a, b) => -Math.sqrt(sumOver(a.length, (at) => ((a[at] ?? 0) - (b[at] ?? 0)) ** 2)),
  manhattan: (a, b) => -sumOver(a.length, (at) => Math.abs((a[at] ?? 0) - (b[at] ?? 0))),
}

/** Compares a query's vector with those of passages. */
export const byVectors =
  (query: Float32Array, similarity: SimilarityFunction) =>
  ({ vector }: Pick<EncodedPassage, 'vector'>): number =>
    COMPARE[similarity](query, vector)

/** For every row of the query the nearest of the passage, in the mean; rows are `dimensions` long and of length 1. */
export const byLateInteraction =
  (query: Float32Array, dimensions: number) =>
  ({ hidden, offset, tokens, isSkipped }: EncodedPassage): number => {
    const rows = query.length / dimensions
    const nearest = (row: number): number => {
      let best = Number.NEGATIVE_INFINITY
      for (let token = 0; token < tokens; token++) {
        if (isSkipped?.[token] === 1) continue
        const at = offset + token * dimensions
        best = Math.max(
          best,
          sumOver(dimensions, (index) => (query[row * dimensions + index] ?? 0) * (hidden[at + index] ?? 0)),
        )
      }
      return Number.isFinite(best) ? best : 0
    }
    return sumOver(rows, nearest) / rows
  }

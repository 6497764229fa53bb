// The measures of a ranking: nDCG@5 and @10, reciprocal rank, recall in the first three.

export interface RankingMetrics {
  ndcg5: number
  ndcg10: number
  reciprocalRank: number
  recall3: number
}

const gain = (rank: number): number => 1 / Math.log2(rank + 2)

/**
 * Measures one query with binary judgements. Equal scores keep the order of the passages; nDCG after Järvelin and
 * Kekäläinen (TOIS 2002), recall over at most three relevant passages.
 *
 * @throws {RangeError} when nothing is relevant: such a query has no ranking to measure.
 */
export function rankingMetrics(scores: ArrayLike<number>, relevant: readonly number[]): RankingMetrics {
  if (relevant.length === 0) throw new RangeError('A ranking without relevant passages cannot be measured.')
  const order = Array.from(scores, (_, index) => index).toSorted(
    (one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other,
  )
  const isRelevant = order.map((index) => relevant.includes(index))
  const ndcgAt = (depth: number): number => {
    const found = isRelevant.slice(0, depth).reduce((sum, hit, rank) => sum + (hit ? gain(rank) : 0), 0)
    const ideal = Array.from({ length: Math.min(depth, relevant.length) }, (_, rank) => gain(rank))
    return found / ideal.reduce((sum, value) => sum + value, 0)
  }
  const hits3 = isRelevant.slice(0, 3).filter(Boolean).length
  return {
    ndcg5: ndcgAt(5),
    ndcg10: ndcgAt(10),
    reciprocalRank: isRelevant.includes(true) ? 1 / (isRelevant.indexOf(true) + 1) : 0,
    recall3: hits3 / Math.min(3, relevant.length),
  }
}

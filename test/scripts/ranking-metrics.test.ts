import { expect, it } from 'vitest'
import { documentationQueries, isEnglish } from '../../scripts/eval/evaluation-set.ts'
import { rankingMetrics } from '../../scripts/eval/ranking-metrics.ts'

it('measures a ranking as worked out by hand', () => {
  // Order by score: 1, 3, 0, 2. Relevant: 3 (second) and 2 (fourth).
  const metrics = rankingMetrics([0.3, 0.9, 0.1, 0.5], [3, 2])
  const gained = 1 / Math.log2(3) + 1 / Math.log2(5)
  expect(metrics.ndcg5).toBeCloseTo(gained / (1 + 1 / Math.log2(3)), 10)
  expect(metrics.reciprocalRank).toBe(1 / 2)
  expect(metrics.recall3).toBe(1 / 2)
})

it('gives 1 to a perfect ranking and 0 to one that finds nothing in the first five', () => {
  expect(rankingMetrics([3, 2, 1], [0])).toEqual({ ndcg5: 1, ndcg10: 1, reciprocalRank: 1, recall3: 1 })
  const last = rankingMetrics([6, 5, 4, 3, 2, 1], [5])
  const ndcg10 = 1 / Math.log2(7)
  expect(last).toEqual({ ndcg5: 0, ndcg10, reciprocalRank: 1 / 6, recall3: 0 })
})

it('counts at most three relevant passages for Recall@3', () => {
  expect(rankingMetrics([5, 4, 3, 2], [0, 1, 2, 3]).recall3).toBe(1)
})

it('breaks ties by the order of the passages', () => {
  expect(rankingMetrics([0, 0], [1]).reciprocalRank).toBe(1 / 2)
})

it('refuses a query without relevant passages', () => {
  expect(() => rankingMetrics([1], [])).toThrow(RangeError)
})

it('makes labelled questions of the documentation, with as many that nothing answers', () => {
  const queries = documentationQueries('docs')
  const answerable = queries.filter(({ relevant }) => relevant.length > 0)
  expect(answerable.length).toBeGreaterThan(40)
  expect(queries).toHaveLength(2 * answerable.length)
  for (const { passages, relevant } of answerable) {
    for (const index of relevant) expect(passages[index]).toBeDefined()
  }
})

it('counts the English part of a translated set as English', () => {
  expect(['xquad_en', 'xquad_de', 'wiki_para'].map(isEnglish)).toEqual([true, false, true])
})

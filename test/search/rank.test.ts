import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rankPages, roundScore } from '../../src/search/rank.ts'

describe('the pages of an answer', () => {
  const page = (position: number, bestRelevance: number | null, failed = false) => ({
    position,
    bestRelevance,
    failed,
  })

  test('come best first, then those without snippets in the order of the provider', () => {
    const ranked = rankPages([page(0, null), page(1, 0.4), page(2, 0.9), page(3, null, true)], 4)
    expect(ranked.map((one) => one.position)).toEqual([2, 1, 0, 3])
  })

  test('keep a page that failed when the provider had it among the first', () => {
    const ranked = rankPages([page(0, null, true), page(1, 0.2), page(2, 0.9), page(3, 0.8)], 3)
    expect(ranked.map((one) => one.position)).toEqual([2, 3, 0])
  })

  test('are told in whatever order they come', () => {
    const ranked = rankPages([page(3, null), page(2, null, true), page(0, null), page(1, 0.5)], 3)
    expect(ranked.map((one) => one.position)).toEqual([1, 0, 2])
    expect(rankPages([page(1, 0.9), page(0, null, true)], 1).map((one) => one.position)).toEqual([0])
  })

  test('hold one that failed behind the first of the provider only when nothing else is left', () => {
    const pages = [page(0, null), page(1, null, true), page(2, null, true)]
    expect(rankPages(pages, 1).map((one) => one.position)).toEqual([0])
    expect(rankPages(pages, 3).map((one) => one.position)).toEqual([0, 1, 2])
  })

  test('are never more than asked for and never repeated', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), fc.boolean()), {
          maxLength: 20,
        }),
        fc.integer({ min: 1, max: 10 }),
        (rows, count) => {
          const pages = rows.map(([relevance, failed], position) =>
            page(position, failed ? null : relevance, failed),
          )
          const ranked = rankPages(pages, count)
          expect(ranked).toHaveLength(Math.min(count, pages.length))
          expect(new Set(ranked).size).toBe(ranked.length)
        },
      ),
    )
  })
})

test('a score is a number from 0 to 1 with four decimals', () => {
  expect([0.123_45, 0.123_44, 1.2, -0.3, 0, 1].map(roundScore)).toEqual([0.1235, 0.1234, 1, 0, 0, 1])
})

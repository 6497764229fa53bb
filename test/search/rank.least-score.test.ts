import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSearchRequest, type SearchRequest } from '../../src/contract.ts'
import { DEPTHS } from '../../src/search/depth.ts'
import { leastScoreOf } from '../../src/search/rank.ts'

const PROMISES = [
  { maxError: 0.1, least: 0.8 },
  { maxError: 0.2, least: 0.6 },
]

function leastFor(body: Record<string, unknown>, promises = PROMISES): number {
  const parsed = parseSearchRequest({ query: 'revoke a key', ...body })
  if (!parsed.ok) throw new Error('the request of this test is invalid')
  const request: SearchRequest = parsed.request
  return leastScoreOf({ request, budget: DEPTHS[request.search_depth] }, { promises })
}

describe('the least score of a snippet', () => {
  test('is the depth’s when the caller names none', () => {
    expect(leastFor({})).toBe(DEPTHS.balanced.threshold)
    expect(leastFor({ search_depth: 'precise', min_score: null, max_error: null })).toBe(
      DEPTHS.precise.threshold,
    )
  })

  test('is the caller’s when it is higher, and never lower than the depth’s', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (least) => {
        expect(leastFor({ min_score: least })).toBe(Math.max(least, DEPTHS.balanced.threshold))
      }),
    )
  })

  test('is that of the largest error that is still within what the caller allows', () => {
    expect(leastFor({ max_error: 0.1 })).toBe(0.8)
    expect(leastFor({ max_error: 0.15 })).toBe(0.8)
    expect(leastFor({ max_error: 0.2 })).toBe(0.6)
    expect(leastFor({ max_error: 1 })).toBe(0.6)
    expect(leastFor({ max_error: 0.2, min_score: 0.7 })).toBe(0.7)
  })

  test('lets nothing through when no score keeps the error that the caller allows', () => {
    expect(leastFor({ max_error: 0.05 })).toBe(Number.POSITIVE_INFINITY)
    expect(leastFor({ max_error: 0.5 }, [])).toBe(Number.POSITIVE_INFINITY)
  })

  test('is no number beyond 0 to 1', () => {
    for (const body of [{ min_score: 2 }, { min_score: -0.1 }, { max_error: '0.1' }, { max_error: 1.01 }])
      expect(parseSearchRequest({ query: 'revoke a key', ...body }).ok).toBe(false)
  })
})

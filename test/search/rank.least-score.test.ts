import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSearchRequest, type SearchRequest } from '../../src/contract.ts'
import { DEPTHS } from '../../src/search/depth.ts'
import { leastScoreOf } from '../../src/search/rank.ts'

const PROMISES = [
  { maxError: 0.1, logOdds: 1, lead: 1, least: 6 },
  { maxError: 0.2, logOdds: 1, lead: 1, least: 4 },
]
/** The log odds of the best are 2.2, and 3.0 above those of the next. */
const STANDS_OUT = [0.3, 0.9, 0.02]

function leastFor(body: Record<string, unknown>, relevance = STANDS_OUT, promises = PROMISES): number {
  const parsed = parseSearchRequest({ query: 'revoke a key', ...body })
  if (!parsed.ok) throw new Error('the request of this test is invalid')
  const request: SearchRequest = parsed.request
  const answer = { promises, relevance: Float64Array.from(relevance) }
  return leastScoreOf({ request, budget: DEPTHS[request.search_depth] }, answer)
}

const logOddsOf = (p: number): number => Math.log(p / (1 - p))

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

  test('lets the best through when it stands out as far as the error that the caller allows asks for', () => {
    expect(leastFor({ max_error: 0.2 })).toBe(0.9)
    expect(leastFor({ max_error: 1 })).toBe(0.9)
    expect(leastFor({ max_error: 0.2 }, [0.9, 0.8])).toBe(Number.POSITIVE_INFINITY)
  })

  test('lets nothing through when no passage keeps it', () => {
    expect(leastFor({ max_error: 0.1 })).toBe(Number.POSITIVE_INFINITY)
    expect(leastFor({ max_error: 0.05 })).toBe(Number.POSITIVE_INFINITY)
    expect(leastFor({ max_error: 0.5 }, STANDS_OUT, [])).toBe(Number.POSITIVE_INFINITY)
    expect(leastFor({ max_error: 0.5 }, [])).toBe(Number.POSITIVE_INFINITY)
  })

  test('lets a passage through exactly when its own odds and its lead over the best other one keep the promise', () => {
    const probability = fc.double({ min: 0.01, max: 0.99, noNaN: true })
    const weight = fc.double({ min: 0.1, max: 2, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(probability, { minLength: 2, maxLength: 8 }),
        weight,
        weight,
        fc.double({ min: -4, max: 6, noNaN: true }),
        (relevance, logOdds, lead, least) => {
          const bar = leastFor({ max_error: 0.2 }, relevance, [{ maxError: 0.2, logOdds, lead, least }])
          for (const [at, value] of relevance.entries()) {
            const rival = Math.max(...relevance.filter((_, other) => other !== at))
            const certain = logOdds * logOddsOf(value) + lead * (logOddsOf(value) - logOddsOf(rival))
            if (Math.abs(certain - least) < 1e-6 || value < DEPTHS.balanced.threshold) continue
            expect(value >= bar).toBe(certain > least)
          }
        },
      ),
    )
  })

  test('is no number beyond 0 to 1', () => {
    for (const body of [{ min_score: 2 }, { min_score: -0.1 }, { max_error: '0.1' }, { max_error: 1.01 }])
      expect(parseSearchRequest({ query: 'revoke a key', ...body }).ok).toBe(false)
  })
})

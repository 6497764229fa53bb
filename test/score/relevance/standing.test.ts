import fc from 'fast-check'
import { expect, test } from 'vitest'
import { besideRivals } from '../../../src/score/relevance/standing.ts'

const STANDING = {
  logOdds: 0.7,
  lead: 0.4,
  field: 0.3,
  leadMax: 2,
  size: 0.3,
  answerable: 0,
  intercept: -0.2,
}
const probability = fc.double({ min: 0, max: 1, noNaN: true })
const beside = (pool: readonly number[], standing = STANDING) => [
  ...besideRivals(Float64Array.from(pool), standing),
]

test('the order of a pool stays, and every score is a probability', () => {
  fc.assert(
    fc.property(fc.array(probability, { maxLength: 40 }), (pool) => {
      const scores = beside(pool)
      expect(scores).toHaveLength(pool.length)
      for (const [at, score] of scores.entries()) {
        expect(score).toBeGreaterThan(0)
        expect(score).toBeLessThan(1)
        for (const [other, rival] of pool.entries())
          if ((pool[at] ?? 0) > rival) expect(score).toBeGreaterThanOrEqual(scores[other] ?? 0)
      }
    }),
  )
})

test('one that stands out scores more than one of the same evidence among equals', () => {
  const [alone = 0] = beside([0.6, 0.1, 0.05])
  const [among = 0, equal = 0] = beside([0.6, 0.6, 0.05])
  expect(alone).toBeGreaterThan(among)
  expect(among).toBe(equal)
})

test('a lead beyond the greatest changes nothing more', () => {
  expect(beside([0.6, 0.001])[0]).toBe(beside([0.6, 0.002])[0])
})

test('a passage alone in its pool has no lead', () => {
  const even = { logOdds: 1, lead: 5, field: 5, leadMax: 2, size: 1, answerable: 0, intercept: 0 }
  expect(beside([0.3], even)[0]).toBeCloseTo(0.3)
  expect(beside([], even)).toEqual([])
})

test('pieces of one text are no rivals of each other', () => {
  const pool = Float64Array.from([0.6, 0.1, 0.5])
  const [piece = 0] = besideRivals(pool, STANDING, { documentOf: (row) => row % 2, answerable: 0 })
  const [apart = 0] = besideRivals(pool, STANDING)
  expect(piece).toBeGreaterThan(apart)
})

test('a pool that holds more of the words of the query is worth more where that is weighed', () => {
  const standing = { ...STANDING, answerable: 2 }
  const scoreIn = (answerable: number): number =>
    besideRivals(Float64Array.from([0.6, 0.1]), standing, { documentOf: (row) => row, answerable })[0] ?? 0
  expect(scoreIn(1)).toBeGreaterThan(scoreIn(0.5))
})

test('the order of texts is that of their best pieces', () => {
  const pool = fc.array(fc.tuple(probability, fc.nat({ max: 5 })), { maxLength: 20 })
  fc.assert(
    fc.property(pool, (pieces) => {
      const own = pieces.map(([value]) => value)
      const documentOf = (row: number): number => pieces[row]?.[1] ?? row
      const scores = besideRivals(Float64Array.from(own), STANDING, { documentOf, answerable: 0 })
      const bestOf = (values: ArrayLike<number>, row: number): number =>
        Math.max(...own.flatMap((_, at) => (documentOf(at) === documentOf(row) ? [values[at] ?? 0] : [])))
      for (const [row] of pieces.entries())
        for (const [other] of pieces.entries())
          if (bestOf(own, row) > bestOf(own, other))
            expect(bestOf(scores, row)).toBeGreaterThanOrEqual(bestOf(scores, other))
    }),
  )
})

test('the best of few scores less than the best of many', () => {
  const [few = 0] = beside([0.6, 0.1])
  const [many = 0] = beside([0.6, ...Array.from({ length: 99 }, (): number => 0.1)])
  expect(few).toBeLessThan(many)
})

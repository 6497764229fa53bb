import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseToRead, descending } from '../../../src/score/relevance/model-stage.ts'

const pool = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 100 })
const most = fc.integer({ min: 1, max: 100 })
const reader = fc.constantFrom('model' as const, 'reranker' as const)

describe('the passages a model reads', () => {
  it('are the likeliest, each once, the most promising first, and never more than may be', () => {
    fc.assert(
      fc.property(pool, most, reader, (relevance, limit, by) => {
        const chosen = chooseToRead(relevance, limit, by)
        expect(chosen.length).toBeLessThanOrEqual(limit)
        expect(chosen).toEqual(descending(relevance).slice(0, chosen.length))
      }),
    )
  })

  it('are all that are not unlikely, as far as the limit goes', () => {
    fc.assert(
      fc.property(pool, most, reader, (relevance, limit, by) => {
        const likely = relevance.filter((value) => value >= 0.01).length
        expect(chooseToRead(relevance, limit, by).length).toBeGreaterThanOrEqual(Math.min(limit, likely))
      }),
    )
  })

  it('are some even where the stage before thinks little of all, and few where it is sure', () => {
    const unlikely = Array.from({ length: 100 }, () => 0.001)
    expect(chooseToRead(unlikely, 64, 'model')).toHaveLength(12)
    expect(chooseToRead(unlikely, 4, 'model')).toHaveLength(4)
    expect(chooseToRead([0.9, ...unlikely], 32, 'reranker')).toHaveLength(6)
    const even = Array.from({ length: 100 }, () => 0.01)
    expect(chooseToRead(even, 64, 'model')).toHaveLength(64)
    expect(chooseToRead(even, 32, 'reranker')).toHaveLength(32)
  })
})

describe('the order of passages', () => {
  it('falls, holds each once, and keeps equal ones as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 0.25, 0.5, 1)), (values) => {
        const order = descending(values)
        expect(order.toSorted((a, b) => a - b)).toEqual([...values.keys()])
        for (let rank = 1; rank < order.length; rank++) {
          const [before, after] = [order[rank - 1] ?? 0, order[rank] ?? 0]
          const [higher, lower] = [values[before] ?? 0, values[after] ?? 0]
          expect(higher > lower || (higher === lower && before < after)).toBe(true)
        }
      }),
    )
  })
})

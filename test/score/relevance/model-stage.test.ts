import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseToRead, descending } from '../../../src/score/relevance/model-stage.ts'

const probability = fc.double({ min: 0, max: 1, noNaN: true })
const pool = fc.array(fc.record({ relevance: probability, page: fc.nat(4) }), { minLength: 1, maxLength: 60 })

describe('the passages a model reads', () => {
  it('are as many as may be, each once, the best of all among them', () => {
    fc.assert(
      fc.property(pool, fc.integer({ min: 1, max: 60 }), (passages, count) => {
        const relevance = passages.map((passage) => passage.relevance)
        const chosen = chooseToRead(relevance, passages, count)
        expect(new Set(chosen).size).toBe(chosen.length)
        expect(chosen).toHaveLength(Math.min(count, passages.length))
        expect(chosen).toContain(descending(relevance)[0])
      }),
    )
  })

  it('hold the best two of every page when there is room for them', () => {
    fc.assert(
      fc.property(pool, (passages) => {
        const relevance = passages.map((passage) => passage.relevance)
        const chosen = chooseToRead(relevance, passages, 40)
        for (const page of new Set(passages.map((passage) => passage.page))) {
          const best = descending(relevance).filter((row) => passages[row]?.page === page)
          for (const row of best.slice(0, 2)) expect(chosen).toContain(row)
        }
      }),
    )
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

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capUnread, descending } from '../../../src/score/relevance/model-stage.ts'

const probability = fc.double({ min: 0, max: 1, noNaN: true })

describe('passages the model did not read', () => {
  it('never gain, never change their order, and never pass the border of those that were read', () => {
    fc.assert(
      fc.property(fc.array(probability, { minLength: 1, maxLength: 60 }), fc.nat(60), (values, count) => {
        const order = descending(values)
        const [read, unread] = [order.slice(0, count), order.slice(count)]
        const capped = Float64Array.from(values)
        capUnread(capped, read, unread)
        const bestRead = Math.max(...read.map((index) => values[index] ?? 0))
        for (const [rank, index] of unread.entries()) {
          expect(capped[index]).toBeLessThanOrEqual(values[index] ?? 0)
          expect(capped[index]).toBeLessThanOrEqual(read.length > 0 ? bestRead : 1)
          expect(capped[index]).toBeLessThanOrEqual(rank > 0 ? (capped[unread[rank - 1] ?? 0] ?? 0) : 1)
        }
        for (const index of read) expect(capped[index]).toBe(values[index])
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

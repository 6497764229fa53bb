import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeBatches, runBatches } from '../../../../src/score/models/network/batches.ts'

const sequenceOf = (length: number, position: number) => ({
  position,
  ids: Array.from({ length }, () => 1),
  secondStart: length,
})

test('batches hold every sequence once, no padding on a CPU, and never more than the budget', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 128 })), fc.boolean(), (lengths, mayPad) => {
      const batches = makeBatches(lengths.map(sequenceOf), { tokens: 256, mayPad })
      expect(
        batches
          .flat()
          .map(({ position }) => position)
          .toSorted((a, b) => a - b),
      ).toEqual([...lengths.keys()])
      for (const batch of batches) {
        const widths = new Set(batch.map(({ ids }) => ids.length))
        expect(batch.length * Math.max(...widths)).toBeLessThanOrEqual(256)
        expect(mayPad || widths.size === 1).toBe(true)
      }
    }),
  )
})

test('every row of what the network gives is told with the sequence it is of, at the width of the longest', async () => {
  const sequences = [5, 2, 5, 3].map(sequenceOf)
  const widths: number[] = []
  const told: number[] = []
  const session = {
    async run({ rows, width }: { rows: readonly unknown[]; width: number }) {
      widths.push(width)
      const data = new Float32Array(rows.length)
      return { name: 'logits', data, dims: [rows.length, 1], answering: null }
    },
  }
  await runBatches(session, { tokens: 10, mayPad: true }, sequences, (output, batch) => {
    expect(output.data).toHaveLength(batch.length)
    told.push(...batch.map(({ position }) => position))
  })
  expect(told).toEqual([1, 3, 0, 2])
  expect(widths).toEqual([3, 5])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentWeightLeast } from '../../../src/extract/classify/working-point.ts'

/** Blocks of the given weights and lengths, one behind the other. */
function blocksOf(parts: readonly (readonly [contentWeight: number, length: number])[]) {
  let at = 0
  return parts.map(([contentWeight, length]) => {
    const start = at
    at += length
    return { contentWeight, start, end: at }
  })
}

const keptOf = (parts: readonly (readonly [number, number])[]): number => {
  const least = contentWeightLeast(blocksOf(parts))
  return parts.filter(([weight]) => weight >= least).length
}

test('of an article, doubtful lines beside it are left out', () => {
  expect(keptOf([...Array.from({ length: 20 }, () => [0.97, 300] as const), [0.2, 100], [0.05, 900]])).toBe(
    20,
  )
})

test('of a list of which no line is certain, its lines are kept, and its menu is not', () => {
  const lines = Array.from({ length: 40 }, () => [0.12, 60] as const)
  expect(keptOf([...lines, ...Array.from({ length: 20 }, () => [0.01, 15] as const)])).toBe(40)
})

test('blocks of one weight are kept together, and no block at all has no working point', () => {
  expect(keptOf(Array.from({ length: 9 }, () => [0.9, 50] as const))).toBe(9)
  expect(
    keptOf([
      [0.9, 5_000],
      [0.3, 20],
    ]),
  ).toBe(2)
  expect(contentWeightLeast([])).toBe(0)
})

test('of any page that may have content, some is kept, and all that is content with a probability of .3', () => {
  const part = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 5_000 }))
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (parts) => {
      const least = contentWeightLeast(blocksOf(parts))
      expect(least).toBeGreaterThanOrEqual(0)
      expect(least).toBeLessThanOrEqual(0.3)
      expect(parts.some(([weight]) => weight >= least)).toBe(true)
    }),
  )
})

import { describe, expect, test } from 'vitest'
import { affordable } from '../../src/score/tier-readers.ts'

describe('how many passages a model reads', () => {
  test('is what the depth names where the machine is fast enough, and never more', () => {
    for (const paceMs of [0, 8, 16])
      expect([24, 32, 96].map((n) => affordable(n, paceMs))).toEqual([24, 32, 96])
  })

  test('is as many as take the same time on a slower machine, and some on any', () => {
    expect([24, 32, 96].map((count) => affordable(count, 32))).toEqual([12, 16, 48])
    expect([24, 32, 96].map((count) => affordable(count, 10_000))).toEqual([4, 4, 4])
    expect(affordable(2, 10_000)).toBe(2)
  })

  test('does not hang on a little more or less of speed', () => {
    expect(new Set([26, 28, 30, 32].map((paceMs) => affordable(32, paceMs)))).toEqual(new Set([16]))
  })
})

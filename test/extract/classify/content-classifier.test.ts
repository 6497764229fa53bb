import { expect, test } from 'vitest'
import { FEATURE_NAMES } from '../../../src/extract/classify/block-features.ts'
import {
  createContentClassifier,
  loadContentClassifier,
} from '../../../src/extract/classify/content-classifier.ts'

test('trees that were learned from other features are refused', () => {
  const trees = { features: ['something else'], roots: [0], feature: [-1], value: [0], right: [0] }
  expect(() => createContentClassifier(trees)).toThrow('train it again')
})

test('a row goes left up to the threshold and right above it; the leaves of all trees are summed as log odds', () => {
  const weigh = createContentClassifier({
    features: [...FEATURE_NAMES],
    roots: [0, 3],
    feature: [0, -1, -1, -1],
    value: [2.5, -1, 1, 0.5],
    right: [2, 0, 0, 0],
  })
  const row = (value: number) => new Float32Array(FEATURE_NAMES.length).fill(value)
  expect(weigh(row(2.5))).toBeCloseTo(1 / (1 + Math.exp(0.5)))
  expect(weigh(row(3))).toBeCloseTo(1 / (1 + Math.exp(-1.5)))
})

test('the trees that ship give a probability for any row', () => {
  const weigh = loadContentClassifier()
  for (const value of [0, -1, 1e9, Number.NaN]) {
    const weight = weigh(new Float32Array(FEATURE_NAMES.length).fill(value))
    expect(weight).toBeGreaterThan(0)
    expect(weight).toBeLessThan(1)
  }
})

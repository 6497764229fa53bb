import { describe, expect, it } from 'vitest'
import { fitCalibration } from '../../../src/score/calibrate/fit.ts'
import type { LabelledPool } from '../../../src/score/calibrate/labelled-pool.ts'
import { loadCalibration, logitOf, sigmoid } from '../../../src/score/relevance/calibration.ts'

/** Numbers that look random and are always the same (Park and Miller, CACM 1988). */
function createSequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const truth = { intercept: -2, weights: { cosine: 3, information: 2 } }

function madeUpPools(count: number): LabelledPool[] {
  const random = createSequence(7)
  return Array.from({ length: count }, (_, index) => {
    const passages = Array.from({ length: 5 }, () => ({
      cosine: random() * 2 - 1,
      information: random(),
      maxSim: random(),
    }))
    const relevant = [...passages.keys()].filter((at) => random() < sigmoid(logitOf(truth, passages[at]!)))
    return { set: `set ${index % 3}`, passages, relevant }
  })
}

describe('fitCalibration', () => {
  it('finds the map that labelled the passages', () => {
    const { map } = fitCalibration(madeUpPools(1_200), ['cosine', 'information', 'maxSim'])
    expect(map.expectedCalibrationError).toBeLessThan(0.03)
    expect(map.weights.cosine).toBeGreaterThan(2)
    expect(map.weights.information).toBeGreaterThan(1)
    expect(map.weights.maxSim).toBeLessThan(0.4)
  })

  it('gives no feature of the passage a negative weight, however the labels lie', () => {
    const upsideDown = madeUpPools(300).map(({ set, relevant, passages }) => ({
      set,
      relevant,
      passages: passages.map((features) => ({ ...features, cosine: -(features.cosine ?? 0) })),
    }))
    const { map } = fitCalibration(upsideDown, ['cosine', 'information'])
    expect(map.weights.cosine).toBe(0)
    expect(map.weights.information).toBeGreaterThan(0)
  })

  it('gives low scores when nothing is ever relevant', () => {
    const empty = madeUpPools(300).map(({ set, passages }) => ({ set, passages, relevant: [] }))
    const { map } = fitCalibration(empty, ['cosine', 'information'])
    expect(sigmoid(logitOf(map, { cosine: 1, information: 1 }))).toBeLessThan(0.05)
  })

  it('refuses a single set, because nothing could be left out', () => {
    const single = madeUpPools(10).map(({ passages, relevant }) => ({ set: 'one', passages, relevant }))
    expect(() => fitCalibration(single, ['cosine'])).toThrow(RangeError)
  })
})

it('refuses a stored map that falls while the cosine rises', () => {
  const map = {
    source: 'fitted',
    intercept: 0,
    weights: { cosine: -1 },
    expectedCalibrationError: null,
    reliability: [],
  }
  expect(() => loadCalibration({ maps: { bundled: map } })).toThrow(RangeError)
  expect(() => loadCalibration({ maps: {} }).mapOf('bundled')).toThrow(RangeError)
})

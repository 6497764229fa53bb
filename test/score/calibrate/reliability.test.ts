import { expect, it } from 'vitest'
import { expectedCalibrationError, reliabilityOf } from '../../../src/score/calibrate/reliability.ts'

it('measures the calibration error as worked out by hand', () => {
  const judged = [
    { score: 0.95, isRelevant: true },
    { score: 0.95, isRelevant: false },
    { score: 0.15, isRelevant: false },
    { score: 0.11, isRelevant: false },
  ]
  // Upper bin: |0.95 - 0.5| = 0.45; lower bin: |0.13 - 0| = 0.13; half of the passages in each.
  expect(expectedCalibrationError(reliabilityOf(judged))).toBeCloseTo((0.45 + 0.13) / 2, 10)
  expect(expectedCalibrationError(reliabilityOf([]))).toBe(0)
})

it('puts a score of 1 into the last bin', () => {
  expect(reliabilityOf([{ score: 1, isRelevant: true }]).at(-1)?.count).toBe(1)
})

import { expect, it } from 'vitest'
import { bestPassages } from '../../../src/score/calibrate/labelled-pool.ts'

it('keeps the order of equal scores', () => {
  expect(bestPassages([0.2, 0.9, 0.2, 0.9], 3)).toEqual([1, 3, 0])
})

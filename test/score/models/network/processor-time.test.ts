import { describe, expect, test } from 'vitest'
import { processorQuota, threadProcessorMs } from '../../../../src/score/models/network/processor-time.ts'

const WAIT_MS = 100

describe.runIf(process.platform === 'linux')('what a thread has worked', () => {
  test('leaves out what it waits', () => {
    const [worked, clock] = [threadProcessorMs() ?? 0, performance.now()]
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
    expect((threadProcessorMs() ?? 0) - worked).toBeLessThan((performance.now() - clock) / 2)
  })

  test('is told at once, however short the work was', () => {
    const seen = [0, 1, 2, 3].map(() => {
      for (let sum = 0; sum < 200_000; sum++) void sum
      return threadProcessorMs() ?? 0
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(seen.toSorted((left, right) => left - right))
  })
})

describe('processors that a container may use', () => {
  test('are its quota by its period', () => {
    expect(processorQuota('50000 100000\n')).toBe(0.5)
    expect(processorQuota('400000 100000\n')).toBe(4)
  })

  test('are without limit where none is set, or told in another form', () => {
    for (const limit of ['max 100000\n', 'max', '', '100000'])
      expect(processorQuota(limit)).toBe(Number.POSITIVE_INFINITY)
  })
})

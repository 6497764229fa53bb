import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createReadiness } from '../../src/http/readiness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('readiness', () => {
  test('names every part that says no, throws, or rejects, and no other', async () => {
    const readiness = createReadiness()
    readiness.add('works', () => true)
    readiness.add('says_no', () => false)
    readiness.add('throws', () => {
      throw new Error('connect ECONNREFUSED 10.1.2.3:5432')
    })
    readiness.add('rejects', () => Promise.reject(new Error('away')))
    expect(await readiness.findReasons()).toEqual(['says_no', 'throws', 'rejects'])
  })

  test('a part that hangs is not ready after a second, and is told so', async () => {
    const readiness = createReadiness()
    let told: AbortSignal | undefined
    readiness.add('hangs', (signal) => {
      told = signal
      return new Promise(() => undefined)
    })
    const reasons = readiness.findReasons()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await reasons).toEqual(['hangs'])
    expect(told?.aborted).toBe(true)
  })

  test('asks no part more than once a second, however often it is asked', async () => {
    const readiness = createReadiness()
    let isUp = false
    const check = vi.fn<() => boolean>(() => isUp)
    readiness.add('part', check)
    expect(await Promise.all([readiness.findReasons(), readiness.findReasons()])).toEqual([
      ['part'],
      ['part'],
    ])
    isUp = true
    await vi.advanceTimersByTimeAsync(999)
    expect(await readiness.findReasons()).toEqual(['part'])
    expect(check).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await readiness.findReasons()).toEqual([])
  })

  test('that has begun to close says so at once and asks nobody', async () => {
    const readiness = createReadiness()
    const check = vi.fn<() => boolean>(() => true)
    readiness.add('part', check)
    readiness.startClosing()
    expect(await readiness.findReasons()).toEqual(['closing'])
    expect(check).not.toHaveBeenCalled()
  })
})

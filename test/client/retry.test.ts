import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRetryAfterMs, retryDelayMs, wait } from '../../packages/client/src/retry.ts'

const random = fc.double({ min: 0, max: 0.999999, noNaN: true })
const NOW_MS = Date.parse('2026-11-21T12:00:00Z')

describe('the wait before a repetition', () => {
  test('is never shorter than the server asks for, and at most a quarter longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        random,
        fc.integer({ min: 1, max: 9 }),
        (seconds, r, n) => {
          const delayMs = retryDelayMs(n, parseRetryAfterMs(String(seconds)), r) ?? -1
          expect(delayMs).toBeGreaterThanOrEqual(seconds * 1_000)
          expect(delayMs).toBeLessThanOrEqual(seconds * 1_250)
        },
      ),
    )
  })

  test('understands a date as well', () => {
    expect(parseRetryAfterMs('Sat, 21 Nov 2026 12:00:05 GMT', NOW_MS)).toBe(5_000)
    expect(parseRetryAfterMs('Sat, 21 Nov 2026 11:00:00 GMT', NOW_MS)).toBe(0)
  })

  test('is refused when the server asks for more than a minute', () => {
    expect(retryDelayMs(1, 61_000, 0)).toBeNull()
  })

  test('grows from attempt to attempt, stays below eight seconds, and differs from client to client', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), random, (attempt, r) => {
        const delayMs = retryDelayMs(attempt, null, r) ?? -1
        expect(delayMs).toBeGreaterThanOrEqual(250)
        expect(delayMs).toBeLessThanOrEqual(8_000)
        expect(retryDelayMs(attempt + 1, null, r) ?? -1).toBeGreaterThanOrEqual(delayMs)
      }),
    )
    expect(retryDelayMs(1, null, 0.1)).not.toBe(retryDelayMs(1, null, 0.9))
  })

  test.each(['soon', '-1', '1.5 s', ''])('falls back to its own choice for Retry-After %j', (value) => {
    expect(parseRetryAfterMs(value)).toBeNull()
    expect(retryDelayMs(1, parseRetryAfterMs(value), 0)).toBe(250)
  })

  test('ends at once with the reason when the caller gives up', async () => {
    const controller = new AbortController()
    const waiting = wait(60_000, controller.signal)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(wait(60_000, controller.signal)).rejects.toThrow('enough')
  })
})

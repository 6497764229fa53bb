import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openDeadline, TimeLimitError, withDeadline } from '../../src/concurrency/deadline.ts'

const hanging = (): Promise<never> => new Promise(() => undefined)

describe('a deadline', () => {
  test('passes on what the work brings, and what it throws', async () => {
    expect(await withDeadline({ what: 'work', limitMs: 10_000 }, async () => 7)).toBe(7)
    const failing = withDeadline({ what: 'work' }, () => Promise.reject(new RangeError('no')))
    await expect(failing).rejects.toThrow(RangeError)
  })

  test('ends waiting for work that pays no heed, and tells the work why', async () => {
    let reason: unknown = null
    const waiting = withDeadline({ what: 'the slow part', limitMs: 5 }, (ended) => {
      ended.addEventListener('abort', () => (reason = ended.reason))
      return hanging()
    })
    await expect(waiting).rejects.toThrow('the slow part took longer than 5 ms')
    expect(reason).toBeInstanceOf(TimeLimitError)
  })

  test("rejects with the caller's own reason as soon as the caller leaves", async () => {
    const caller = new AbortController()
    const waiting = withDeadline(
      { what: 'work', limitMs: 10_000, signal: caller.signal, graceMs: 10_000 },
      hanging,
    )
    const gone = new Error('the client went away')
    caller.abort(gone)
    await expect(waiting).rejects.toBe(gone)
  })

  test('does not begin work whose time is up or whose caller has left', async () => {
    let begun = 0
    const work = async (): Promise<void> => void (begun += 1)
    await expect(withDeadline({ what: 'work', limitMs: 0 }, work)).rejects.toThrow(TimeLimitError)
    const signal = AbortSignal.abort(new Error('left'))
    await expect(withDeadline({ what: 'work', signal }, work)).rejects.toThrow('left')
    expect(begun).toBe(0)
  })

  test('takes, within its grace, what the work has by then, and waits no longer than that', async () => {
    const limit = { what: 'work', limitMs: 5, graceMs: 50 }
    const partial = (ended: AbortSignal): Promise<string> =>
      new Promise((resolve) => ended.addEventListener('abort', () => resolve('the first half')))
    expect(await withDeadline(limit, partial)).toBe('the first half')
    await expect(withDeadline(limit, hanging)).rejects.toThrow(TimeLimitError)
  })

  test("names the limit where Node's own words only say that the signal was aborted", async () => {
    const limit = { what: 'sleeping', limitMs: 5, graceMs: 1_000 }
    const sleeping = withDeadline(limit, (ended) => sleep(60_000, undefined, { signal: ended }))
    await expect(sleeping).rejects.toThrow('sleeping took longer than 5 ms')
  })

  test('may lie so far away that a timer of Node would fire at once', async () => {
    const deadline = openDeadline({ what: 'work', limitMs: 2 ** 40 })
    await sleep(5)
    expect(deadline.signal.aborted).toBe(false)
    deadline.release()
  })

  test('leaves no listener behind, whoever ends first', async () => {
    const { signal } = new AbortController()
    await withDeadline({ what: 'work', limitMs: 10_000, signal }, async () => null)
    await withDeadline({ what: 'work', limitMs: 1, signal }, hanging).catch(() => null)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

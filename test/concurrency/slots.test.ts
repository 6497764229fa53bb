// Lanes are never lost and never shared, whatever those who wait for them do.
import fc from 'fast-check'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLanes, LanesBusyError } from '../../src/concurrency/slots.ts'

const never = new AbortController().signal
const soon = () => Date.now() + 5_000

describe('lanes', () => {
  it('are given in the order in which they were asked for', async () => {
    const lanes = createLanes(['a'], 10)
    const order: number[] = []
    const first = await lanes.take(soon(), never)
    const waiting = [1, 2, 3].map(async (turn) => {
      const lane = await lanes.take(soon(), never)
      order.push(turn)
      lanes.give(lane)
    })
    lanes.give(first)
    await Promise.all(waiting)
    expect(order).toEqual([1, 2, 3])
  })

  it('are refused at once when the queue is full, and in time when none becomes free', async () => {
    const lanes = createLanes(['a'], 1)
    await lanes.take(soon(), never)
    const waiting = lanes.take(Date.now() + 30, never)
    await expect(lanes.take(soon(), never)).rejects.toBeInstanceOf(LanesBusyError)
    await expect(waiting).rejects.toBeInstanceOf(LanesBusyError)
  })

  it('reject with the reason of an abort, before and while waiting', async () => {
    const lanes = createLanes(['a'], 1)
    await lanes.take(soon(), never)
    await expect(lanes.take(soon(), AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
    const abort = new AbortController()
    const waiting = lanes.take(soon(), abort.signal)
    abort.abort(new Error('while'))
    await expect(waiting).rejects.toThrow('while')
  })

  it('are all back when everybody has left, aborted in any moment or not', async () => {
    const users = fc.array(fc.record({ holdsMs: fc.nat(3), leavesMs: fc.option(fc.nat(3)) }), {
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(users, async (plans) => {
        const lanes = createLanes(['a', 'b'], 20)
        const inUse = new Set<string>()
        const use = async ({ holdsMs, leavesMs }: (typeof plans)[number]) => {
          const abort = new AbortController()
          if (leavesMs !== null) setTimeout(() => abort.abort(new Error('left')), leavesMs)
          const lane = await lanes.take(soon(), abort.signal)
          expect(inUse.has(lane)).toBe(false)
          inUse.add(lane)
          await sleep(holdsMs)
          inUse.delete(lane)
          lanes.give(lane)
        }
        const ends = await Promise.allSettled(plans.map((plan) => use(plan)))
        for (const end of ends)
          if (end.status === 'rejected') expect(end.reason).toHaveProperty('message', 'left')
        const both = [await lanes.take(soon(), never), await lanes.take(soon(), never)]
        expect(both.toSorted()).toEqual(['a', 'b'])
      }),
      { numRuns: 60 },
    )
  })
})

// Slots are never lost and never shared, whatever those who wait for them do.
import fc from 'fast-check'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSlots, SlotsBusyError } from '../../src/concurrency/slots.ts'

const never = new AbortController().signal
const soon = () => Date.now() + 5_000

describe('slots', () => {
  it('are given in the order in which they were asked for', async () => {
    const slots = createSlots(['a'], 10)
    const order: number[] = []
    const first = await slots.take(soon(), never)
    const waiting = [1, 2, 3].map(async (turn) => {
      const slot = await slots.take(soon(), never)
      order.push(turn)
      slots.give(slot)
    })
    slots.give(first)
    await Promise.all(waiting)
    expect(order).toEqual([1, 2, 3])
  })

  it('are refused at once when the queue is full, and in time when none becomes free', async () => {
    const slots = createSlots(['a'], 1)
    await slots.take(soon(), never)
    const waiting = slots.take(Date.now() + 30, never)
    await expect(slots.take(soon(), never)).rejects.toBeInstanceOf(SlotsBusyError)
    await expect(waiting).rejects.toBeInstanceOf(SlotsBusyError)
  })

  it('reject with the reason of an abort, before and while waiting', async () => {
    const slots = createSlots(['a'], 1)
    await slots.take(soon(), never)
    await expect(slots.take(soon(), AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
    const abort = new AbortController()
    const waiting = slots.take(soon(), abort.signal)
    abort.abort(new Error('while'))
    await expect(waiting).rejects.toThrow('while')
  })

  it('are all back when everybody has left, aborted in any moment or not', async () => {
    const users = fc.array(fc.record({ holdsMs: fc.nat(3), leavesMs: fc.option(fc.nat(3)) }), {
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(users, async (plans) => {
        const slots = createSlots(['a', 'b'], 20)
        const inUse = new Set<string>()
        const use = async ({ holdsMs, leavesMs }: (typeof plans)[number]) => {
          const abort = new AbortController()
          if (leavesMs !== null) setTimeout(() => abort.abort(new Error('left')), leavesMs)
          const slot = await slots.take(soon(), abort.signal)
          expect(inUse.has(slot)).toBe(false)
          inUse.add(slot)
          await sleep(holdsMs)
          inUse.delete(slot)
          slots.give(slot)
        }
        const ends = await Promise.allSettled(plans.map((plan) => use(plan)))
        for (const end of ends)
          if (end.status === 'rejected') expect(end.reason).toHaveProperty('message', 'left')
        const both = [await slots.take(soon(), never), await slots.take(soon(), never)]
        expect(both.toSorted()).toEqual(['a', 'b'])
      }),
      { numRuns: 60 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairQueue } from '../../../src/concurrency/turns/fair-queue.ts'

const anyKey = (): boolean => true

/** Everything that waits, in the order in which it is served. */
function drain(queue: ReturnType<typeof createFairQueue<string>>): string[] {
  const served: string[] = []
  for (let next = queue.take(anyKey); next !== undefined; next = queue.take(anyKey)) served.push(next)
  return served
}

describe('a fair queue', () => {
  test('serves keys in turn, however many each of them sent first', () => {
    const queue = createFairQueue<string>(10)
    for (const member of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) queue.enter(member.charAt(0), member)
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  test('passes over keys that may have nothing now, unless there is no other', () => {
    const queue = createFairQueue<string>(10)
    for (const member of ['a1', 'a2', 'b1']) queue.enter(member.charAt(0), member)
    const notA = (key: string): boolean => key !== 'a'
    expect([queue.take(notA), queue.take(notA), queue.take(notA)]).toEqual(['b1', 'a1', 'a2'])
  })

  test('a key alone may fill it; then its newest makes room for another key, down to its half', () => {
    const queue = createFairQueue<string>(4)
    for (const member of ['a1', 'a2', 'a3', 'a4']) expect(queue.enter('a', member)).toEqual({ entered: true })
    expect(queue.enter('a', 'a5')).toEqual({ entered: false })
    expect(queue.enter('b', 'b1')).toEqual({ entered: true, displaced: 'a4' })
    expect(queue.enter('b', 'b2')).toEqual({ entered: true, displaced: 'a3' })
    expect(queue.enter('c', 'c1')).toEqual({ entered: false })
    expect(drain(queue)).toEqual(['a1', 'b1', 'a2', 'b2'])
  })

  test('a member that leaves is not served, and its place is free', () => {
    const queue = createFairQueue<string>(2)
    queue.enter('a', 'a1')
    queue.enter('a', 'a2')
    queue.leave('a', 'a1')
    expect(queue.enter('b', 'b1')).toEqual({ entered: true })
    expect(drain(queue)).toEqual(['a2', 'b1'])
  })

  test('tells how many are served before a newcomer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }),
        fc.constantFrom('a', 'b', 'c'),
        (keys, key) => {
          const queue = createFairQueue<string>(100)
          for (const [index, other] of keys.entries()) queue.enter(other, `${other}${index}`)
          const ahead = queue.aheadOf(key)
          queue.enter(key, 'newcomer')
          // A key that stands behind in the round may be served once more before it; never more than that.
          const place = drain(queue).indexOf('newcomer')
          expect(place).toBeLessThanOrEqual(ahead)
          expect(place).toBeGreaterThanOrEqual(ahead - 2)
        },
      ),
    )
  })

  test('never holds more than it may, and lets no key grow beyond its half while another waits', () => {
    const action = fc.record({ key: fc.constantFrom('a', 'b', 'c'), isTake: fc.boolean() })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 7 }),
        fc.array(action, { maxLength: 60 }),
        (capacity, actions) => {
          const queue = createFairQueue<{ key: string }>(capacity)
          const waiting = new Set<{ key: string }>()
          const of = (key: string): number => [...waiting].filter((member) => member.key === key).length
          for (const { key, isTake } of actions) {
            const member = { key }
            if (isTake) {
              const taken = queue.take(anyKey)
              if (taken !== undefined) waiting.delete(taken)
            } else {
              const before = of(key)
              const others = waiting.size - before
              const { entered, displaced } = queue.enter(key, member)
              if (displaced !== undefined) waiting.delete(displaced)
              if (entered) waiting.add(member)
              if (entered && others > 0)
                expect(of(key)).toBeLessThanOrEqual(Math.max(1, Math.floor(capacity / 2)))
              if (displaced !== undefined) expect(displaced.key).not.toBe(key)
            }
            expect(waiting.size).toBeLessThanOrEqual(capacity)
            expect(queue.size()).toBe(waiting.size)
          }
        },
      ),
    )
  })
})

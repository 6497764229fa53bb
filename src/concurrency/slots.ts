// A fixed number of slots and a bounded queue before them.
import { TimeLimitError, withDeadline } from './deadline.ts'

/** The queue is full, or the slot came too late. */
export class SlotsBusyError extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'SlotsBusyError'
  }
}

/** Hands out `members` one by one, first come first served; at most `waitingMax` wait. */
export function createSlots<T>(members: readonly T[], waitingMax: number) {
  const free = [...members]
  const waiting: ((member: T) => void)[] = []

  function give(member: T): void {
    const next = waiting.shift()
    if (next) next(member)
    else free.push(member)
  }

  return {
    give,
    load: () => ({ busy: members.length - free.length, waiting: waiting.length }),
    /**
     * @throws SlotsBusyError when the queue is full or the deadline (epoch milliseconds) passes before a slot is free;
     * the signal's reason when aborted.
     */
    async take(deadlineMs: number, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted()
      const member = free.pop()
      if (member !== undefined) return member
      if (waiting.length >= waitingMax) throw new SlotsBusyError('the queue is full')
      let admit: ((member: T) => void) | undefined
      const turn = new Promise<T>((resolve) => {
        admit = resolve
        waiting.push(resolve)
      })
      try {
        return await withDeadline(
          { what: 'waiting for a slot', limitMs: deadlineMs - Date.now(), signal },
          () => turn,
        )
      } catch (error) {
        const place = waiting.findIndex((other) => other === admit)
        if (place >= 0) waiting.splice(place, 1)
        // Called up in the very moment of giving up: the slot goes to the next.
        else void turn.then(give)
        if (error instanceof TimeLimitError) throw new SlotsBusyError('no slot became free in time')
        throw error
      }
    },
  }
}

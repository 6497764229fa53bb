// One piece of work for all who want the same thing at the same time.
import { withDeadline } from './deadline.ts'

interface Flight<T> {
  result: Promise<T>
  deadlineMs: number
  waiting: number
  controller: AbortController
}

/** Work keeps to its own deadline and brings what it has by then; its callers wait this much longer for it. */
const GRACE_MS = 1_000

/**
 * Joins concurrent work by name. `isCutShort` tells the errors of work that only ran out of time: a caller who joined
 * and has more time than the first one starts it again.
 */
export function createSingleFlight<T>(isCutShort: (error: unknown) => boolean) {
  const flights = new Map<string, Flight<T>>()

  function leave(name: string, flight: Flight<T>): void {
    if (flights.get(name) === flight) flights.delete(name)
  }

  function takeOff(name: string, deadlineMs: number, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController()
    const flight: Flight<T> = { result: work(controller.signal), deadlineMs, waiting: 0, controller }
    flights.set(name, flight)
    flight.result.then(
      () => leave(name, flight),
      () => leave(name, flight),
    )
    return flight
  }

  /** Waits as one caller among others; the last one to leave ends the work. */
  async function wait(name: string, flight: Flight<T>, deadlineMs: number, signal: AbortSignal): Promise<T> {
    flight.waiting += 1
    const graceMs = flight.deadlineMs > deadlineMs ? 0 : GRACE_MS
    try {
      return await withDeadline(
        { what: name, limitMs: deadlineMs - Date.now() + graceMs, signal },
        () => flight.result,
      )
    } finally {
      flight.waiting -= 1
      if (flight.waiting === 0) {
        leave(name, flight)
        flight.controller.abort(new Error('nobody waits for this any more'))
      }
    }
  }

  /**
   * The outcome of `work`, shared with everybody who asks for `name` while it is under way. `work`'s signal is aborted
   * when the last caller has left. Throws what `work` throws, TimeLimitError at `deadlineMs`, and `signal`'s reason.
   */
  return async function join(
    name: string,
    deadlineMs: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const joined = flights.get(name)
      const flight = joined ?? takeOff(name, deadlineMs, work)
      try {
        return await wait(name, flight, deadlineMs, signal)
      } catch (error) {
        const mayTryAgain = joined !== undefined && joined.deadlineMs < deadlineMs && !signal.aborted
        if (!mayTryAgain || !isCutShort(error)) throw error
      }
    }
  }
}

// Gives the event loop back while a long page is worked on, and stops when nobody waits for it any more.
import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 12

/**
 * Returns a function to await between small pieces of work: it throws the signal's reason once aborted, and after
 * about 12 ms of work lets other events run first. A piece should take well under that.
 */
export function createTimeSlice(signal: AbortSignal): () => Promise<void> {
  let since = performance.now()
  return async () => {
    signal.throwIfAborted()
    if (performance.now() - since < SLICE_MS) return
    await setImmediate()
    signal.throwIfAborted()
    since = performance.now()
  }
}

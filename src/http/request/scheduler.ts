// In which order requests that arrive together are taken up: when a hundred clients ask at once, neither `/health` nor
// the searches under way may wait behind them all.
import type { IncomingMessage, ServerResponse } from 'node:http'

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

/** Answered as soon as they are read, whatever waits. */
const URGENT_PATHS: ReadonlySet<string | undefined> = new Set(['/health', '/ready'])

const waits = new WeakMap<IncomingMessage, number>()

/** Milliseconds between the moment a request was read and the one it was begun; 0 for one that took no turn. */
export const waitOf = (request: IncomingMessage): number => waits.get(request) ?? 0

/**
 * `handle`, with one request taken up in each turn of the event loop, in their order; whatever else is due goes on in
 * between. Node itself would begin all that were read before anything else has its turn.
 */
export function createScheduler(handle: Handle): Handle {
  const waiting: { request: IncomingMessage; response: ServerResponse; readAt: number }[] = []

  function takeUp(): void {
    const next = waiting.shift()
    if (waiting.length > 0) setImmediate(takeUp)
    // Whoever left while waiting has taken the request along.
    if (next === undefined || next.request.destroyed) return
    waits.set(next.request, performance.now() - next.readAt)
    handle(next.request, next.response)
  }

  return (request, response) => {
    if (URGENT_PATHS.has(request.url)) {
      handle(request, response)
      return
    }
    waiting.push({ request, response, readAt: performance.now() })
    if (waiting.length === 1) setImmediate(takeUp)
  }
}

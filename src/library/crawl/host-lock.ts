// Which worker of a crawl may ask a host: never two requests at once, and the pause the host may expect in between.
import { setTimeout as delay } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'

export interface HostLock {
  /**
   * Does `work` when nobody else has a turn at `host`; the next turn there begins `pauseMs` after its end at the earliest.
   * @throws what `work` throws, and the signal's reason when it aborts before the turn has come.
   */
  run<T>(host: string, pauseMs: number, work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** Turns among the crawls of this process, in the order they were asked for. */
export function createHostLock(): HostLock {
  /** `freeAtMs` is read from a clock that never jumps. */
  const hosts = new Map<string, { queue: LimitFunction; freeAtMs: number }>()
  return {
    async run(host, pauseMs, work, signal) {
      const hostLock = hosts.get(host) ?? { queue: pLimit(1), freeAtMs: 0 }
      hosts.set(host, hostLock)
      return hostLock.queue(async () => {
        signal.throwIfAborted()
        await pause(hostLock.freeAtMs - performance.now(), signal)
        try {
          return await work()
        } finally {
          hostLock.freeAtMs = performance.now() + pauseMs
        }
      })
    },
  }
}

/** @throws the signal's own reason, which the timer would hide in an error of its own. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0) return
  await delay(Math.ceil(milliseconds), undefined, { signal }).catch(() => signal.throwIfAborted())
}

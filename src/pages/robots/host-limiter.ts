// How much one host is asked for at a time, and when it is left alone (Retry-After).
import { LRUCache } from 'lru-cache'
import { PageError } from '../capture.ts'
import { FAILURES } from '../page-failure.ts'

export interface HostLimiterLimits {
  /** Pages of one host under way at a time. */
  activePerHost: number
  /**
   * A page that takes longer than this no longer counts as active: one that hangs must not keep the others of its host
   * from being read. `openPerHost` still bounds it.
   */
  stalledAfterMs: number
  /** Pages of one host under way, those that hang included. */
  openPerHost: number
  /** Pages that wait for their turn at one host; the next one is answered as busy. */
  waitingPerHost: number
  /** The longest Retry-After that is believed. */
  pauseMaxMs: number
}

const POLITENESS_LIMITS: HostLimiterLimits = {
  activePerHost: 2,
  stalledAfterMs: 1_000,
  openPerHost: 6,
  waitingPerHost: 100,
  pauseMaxMs: 3_600_000,
}

const PAUSES_KEPT = 5_000

interface Host {
  active: number
  open: number
  waiting: (() => void)[]
}

/** Queues by host, first come, first served. */
function createTurns(limits: HostLimiterLimits) {
  const hosts = new Map<string, Host>()

  function next(name: string, host: Host): void {
    while (host.active < limits.activePerHost && host.open < limits.openPerHost) {
      const start = host.waiting.shift()
      if (start === undefined) break
      start()
    }
    if (host.open === 0 && host.waiting.length === 0) hosts.delete(name)
  }

  /** Takes a turn and returns what ends it. */
  function begin(name: string, host: Host): () => void {
    host.active += 1
    host.open += 1
    let counted = true
    const uncount = () => {
      if (counted) host.active -= 1
      counted = false
    }
    const timer = setTimeout(() => {
      uncount()
      next(name, host)
    }, limits.stalledAfterMs)
    return () => {
      clearTimeout(timer)
      uncount()
      host.open -= 1
      next(name, host)
    }
  }

  /** Waits for a turn at the host of `url` and gives what ends it. Throws as `run` does. */
  return function turnAt(url: URL, signal: AbortSignal): Promise<() => void> {
    const host = hosts.get(url.host) ?? { active: 0, open: 0, waiting: [] }
    hosts.set(url.host, host)
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve(begin(url.host, host))
      }
      const leave = () => {
        host.waiting = host.waiting.filter((waiting) => waiting !== start)
        next(url.host, host)
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
      }
      if (host.waiting.length >= limits.waitingPerHost) {
        reject(new PageError(url.href, { code: 'busy', message: FAILURES.busy }))
        return
      }
      signal.addEventListener('abort', leave, { once: true })
      host.waiting.push(start)
      next(url.host, host)
    })
  }
}

/** Turns at hosts (host and port) and their pauses, in memory of this process. */
export function createHostLimiter(overrides: Partial<HostLimiterLimits> = {}) {
  const limits = { ...POLITENESS_LIMITS, ...overrides }
  const turnAt = createTurns(limits)
  /** Until when, by the time that no one sets. */
  const pauses = new LRUCache<string, number>({ max: PAUSES_KEPT })

  return {
    /**
     * Runs `work` when it is its turn at the host of `url`. Throws PageError `site_busy` when the host asked to be left
     * alone, `busy` when too many wait already, the signal's reason when it is aborted while waiting, and what `work`
     * throws.
     */
    async run<T>(url: URL, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      signal.throwIfAborted()
      if ((pauses.get(url.host) ?? 0) > performance.now()) {
        throw new PageError(url.href, { code: 'site_busy', message: FAILURES.site_busy })
      }
      const end = await turnAt(url, signal)
      try {
        return await work()
      } finally {
        end()
      }
    },
    /** Takes note of an answer: after 429 or 503 with Retry-After (RFC 9110 §10.2.3) the host is left alone. */
    heed(url: URL, status: number, retryAfter: string | null): void {
      const pauseMs = pauseOf(status, retryAfter, limits.pauseMaxMs)
      if (pauseMs > 0) pauses.set(url.host, performance.now() + pauseMs)
    },
  }
}

export type HostLimiter = ReturnType<typeof createHostLimiter>

function pauseOf(status: number, retryAfter: string | null, pauseMaxMs: number): number {
  if (status !== 429 && status !== 503) return 0
  const text = retryAfter?.trim() ?? ''
  const askedMs = /^\d{1,9}$/u.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(askedMs, 0), pauseMaxMs)
}

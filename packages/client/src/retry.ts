// When a failed attempt is made again, and how long to wait before it.

const FIRST_DELAY_MS = 500
const DELAY_MAX_MS = 8_000
/** A server that asks for more patience than this gets its error passed on instead. */
const RETRY_AFTER_MAX_MS = 60_000

/**
 * Milliseconds to wait before attempt number `attempt` (1 for the first repetition), or null when waiting makes no sense.
 * What the server asks for is kept to and spread by up to a quarter; else exponential back-off with jitter over its upper
 * half, so that clients that failed together do not come back together. `random` is 0 up to 1.
 */
export function retryDelayMs(attempt: number, askedMs: number | null, random: number): number | null {
  if (askedMs !== null) return askedMs > RETRY_AFTER_MAX_MS ? null : askedMs * (1 + random / 4)
  return Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + random / 2)
}

/** What `Retry-After` (RFC 9110 §10.2.3) asks for, as seconds or as an HTTP date; null when it says neither. */
export function parseRetryAfterMs(value: string | null, nowMs = Date.now()): number | null {
  if (value === null) return null
  if (/^\d+$/u.test(value)) return Number(value) * 1_000
  const atMs = /^[A-Z][a-z]{2}, .* GMT$/u.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}

/** Resolves after `delayMs`; rejects with the signal's reason as soon as it aborts. */
export async function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, delayMs)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
  })
}

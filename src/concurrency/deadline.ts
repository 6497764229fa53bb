// Waiting with an end, and telling the work when it has come: the one way in which anything slow is bounded in time or
// given up because its caller left.

/** Something did not happen in time; `message` names it, for the log. */
export class TimeLimitError extends Error {
  constructor(what: string, limitMs: number) {
    super(`${what} took longer than ${Math.round(Math.max(0, limitMs))} ms`)
    this.name = 'TimeLimitError'
  }
}

export interface Limit {
  /** Names the work in the error, for the log. */
  what: string
  /** Milliseconds from now; none when left out or infinite. */
  limitMs?: number
  /** The caller's own: when it is aborted, its reason ends the work. */
  signal?: AbortSignal | undefined
}

/** Longer delays make a timer of Node fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

export interface Deadline {
  /** Aborted with a TimeLimitError at the limit, with the caller's reason when the caller leaves. */
  signal: AbortSignal
  /** To be called when the work is done: takes back the timer and the caller's listener. */
  release(): void
}

/** A signal for work that several promises make up; for a single one there is `withDeadline`. */
export function openDeadline({ what, limitMs = Number.POSITIVE_INFINITY, signal }: Limit): Deadline {
  const ended = new AbortController()
  const onAbort = (): void => ended.abort(signal?.reason)
  const onTimeUp = (): void => ended.abort(new TimeLimitError(what, limitMs))
  if (signal?.aborted === true) onAbort()
  else if (limitMs <= 0) onTimeUp()
  const timer =
    ended.signal.aborted || limitMs > TIMER_MAX_MS ? undefined : setTimeout(onTimeUp, Math.ceil(limitMs))
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: ended.signal,
    release(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

/**
 * The outcome of `work`, or a TimeLimitError at the limit, or the signal's reason as soon as it is aborted, even when
 * the work pays no heed to the signal it is given; its late failure is not reported a second time. With `graceMs` the
 * work may take so much longer, once time is up, to bring what it has by then. Work whose time is up already is not
 * begun.
 */
export async function withDeadline<T>(
  limit: Limit & { graceMs?: number },
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = openDeadline(limit)
  const { signal } = deadline
  let grace: NodeJS.Timeout | undefined
  let onEnd: (() => void) | undefined
  try {
    signal.throwIfAborted()
    const end = new Promise<never>((_resolve, reject) => {
      const giveUp = (): void => reject(signal.reason)
      onEnd = () => {
        const graceMs = limit.signal?.aborted === true ? 0 : (limit.graceMs ?? 0)
        if (graceMs > 0) grace = setTimeout(giveUp, graceMs)
        else giveUp()
      }
      signal.addEventListener('abort', onEnd, { once: true })
    })
    return await Promise.race([work(signal), end])
  } catch (error) {
    throw signal.aborted && isAbortion(error) ? signal.reason : error
  } finally {
    if (onEnd) signal.removeEventListener('abort', onEnd)
    clearTimeout(grace)
    deadline.release()
  }
}

/** The words in which Node's own functions say that their signal was aborted. */
const isAbortion = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || ('code' in error && error.code === 'ABORT_ERR'))

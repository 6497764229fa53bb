// Waiting with an end: a hung browser, database or disk answers nothing, so every word spoken with one carries a time limit.

/** Something did not happen in time; `message` names it, for the log. */
export class TimeLimitError extends Error {
  constructor(what: string, limitMs: number) {
    super(`${what} took longer than ${Math.round(limitMs)} ms`)
    this.name = 'TimeLimitError'
  }
}

/**
 * The outcome of `work`, or a TimeLimitError after `limitMs`, or `signal`'s reason as soon as it is aborted.
 * The work itself goes on: whoever started it ends it. Its late failure is not reported a second time.
 */
export async function withinTime<T>(
  work: Promise<T>,
  limitMs: number,
  what: string,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted()
  let timer: NodeJS.Timeout | undefined
  let onAbort: (() => void) | undefined
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(what, limitMs)), Math.max(0, limitMs))
    onAbort = () => reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    signal?.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
    if (onAbort) signal?.removeEventListener('abort', onAbort)
  }
}

/** The outcome of `work`, or `signal`'s reason as soon as it is aborted, even if `work` pays no heed to it. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

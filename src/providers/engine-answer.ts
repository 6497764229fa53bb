// What an engine answered before its hits are read: whether its status is a failure and of which kind, when it may be asked
// again, and whether it is JSON at all.
import { ProviderError } from './provider.ts'

export interface EngineAnswer {
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/** Tavily says 432 and 433 when a plan is used up. */
const KEY_OR_PLAN = new Set([401, 402, 403, 432, 433])

/** What is wrong with the request and with no other: too long, badly formed, not to be understood. */
const REFUSALS = new Set([400, 406, 411, 413, 414, 415, 422, 431])

/**
 * Nothing for 2xx; else the failure that the status stands for.
 * @throws {ProviderError}
 */
export function throwForStatus(provider: string, answer: EngineAnswer): void {
  const { status } = answer
  if (status >= 200 && status < 300) return
  const retryAfterSeconds = readRetryAfter(answer.headers['retry-after'])
  if (status === 429) {
    throw new ProviderError(provider, 'rate_limited', 'status 429: too many requests', { retryAfterSeconds })
  }
  if (status >= 500) {
    throw new ProviderError(provider, 'unreachable', `status ${status}: the engine is out of order`, {
      retryAfterSeconds,
    })
  }
  if (KEY_OR_PLAN.has(status)) {
    throw new ProviderError(provider, 'misconfigured', `status ${status}: the key or plan is not accepted`)
  }
  if (REFUSALS.has(status)) {
    throw new ProviderError(provider, 'refused', `status ${status}: the engine does not take this query`)
  }
  throw new ProviderError(provider, 'misconfigured', `status ${status}: is the address right?`)
}

/** RFC 9110 §10.2.3: seconds or an HTTP date; null when absent or senseless. At least 0, rounded up. */
export function readRetryAfter(header: string | string[] | undefined, now: Date = new Date()): number | null {
  if (typeof header !== 'string') return null
  if (/^\d{1,9}$/u.test(header.trim())) return Number(header)
  // Only with a month's name: left to itself, the parser makes a date of nearly any number.
  const at = /[a-z]{3}/iu.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000))
}

/**
 * `text` as JSON.
 * @throws {ProviderError} `bad_answer`, saying when it is HTML.
 */
export function parseJson(provider: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const what = /^\s*</u.test(text)
      ? 'HTML came in place of JSON'
      : 'the answer is no JSON, or it was cut off'
    // The parser's own message quotes the answer, so it is not kept as the cause.
    throw new ProviderError(provider, 'bad_answer', what, {
      cause: error instanceof SyntaxError ? error.name : error,
    })
  }
}

// The one error of this package: what the service (or something in front of it) answered instead of a result.
import type { Problem } from './api.ts'
import { parseRetryAfterMs } from './retry.ts'

type ProblemFacts = Omit<Problem, 'type' | 'title' | 'request_id'> & { request_id: string | null }

/** An answer that is an error. Connection failures are not this error but the one that `fetch` throws. */
export class VerbatimError extends Error {
  /** HTTP status of the answer. */
  readonly status: number
  /** The service's stable code such as `validation_failed`; `http_error` or `unexpected_answer` for anything else's. */
  readonly code: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** How long the service asks to wait before that, in milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null
  /** To be quoted in a report; null when the answer carried none. */
  readonly requestId: string | null
  /** The refused fields: a JSON pointer (RFC 6901) into the request and what is allowed there. */
  readonly issues: readonly { pointer: string; message: string }[]

  constructor(problem: ProblemFacts, retryAfterMs: number | null = null) {
    super(problem.detail)
    this.name = 'VerbatimError'
    this.status = problem.status
    this.code = problem.code
    this.retryable = problem.retryable
    this.retryAfterMs = retryAfterMs
    this.requestId = problem.request_id
    this.issues = problem.errors ?? []
  }
}

/** The error that an answer other than 2xx stands for, whoever gave it: the service or a proxy in front of it. */
export async function errorOf(response: Response): Promise<VerbatimError> {
  const problem = await jsonOf(response)
  const { status, headers } = response
  const unknown = {
    status,
    code: 'http_error',
    detail: `The service answered ${status}.`,
    retryable: status === 429 || status >= 500,
    request_id: headers.get('X-Request-Id'),
  }
  const retryAfterMs = parseRetryAfterMs(headers.get('Retry-After'))
  return new VerbatimError(isProblem(problem) ? problem : unknown, retryAfterMs)
}

/** A 2xx answer that is not what the service promises: cut off, or given by something else at this address. */
export function unexpectedAnswer(
  response: Response,
  detail = 'The answer is not one of Verbatim. Is the baseUrl right?',
): VerbatimError {
  return new VerbatimError({
    status: response.status,
    code: 'unexpected_answer',
    detail,
    retryable: true,
    request_id: response.headers.get('X-Request-Id'),
  })
}

/** The body as JSON; undefined when it is not JSON, such as a proxy's HTML page. */
export async function jsonOf(response: Response): Promise<unknown> {
  const body = await response.text()
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

export function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'detail' in value &&
    typeof value.detail === 'string' &&
    'code' in value &&
    typeof value.code === 'string' &&
    'retryable' in value &&
    typeof value.retryable === 'boolean'
  )
}

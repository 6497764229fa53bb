// The errors a caller may see: status, stable code, public words; and the one written for the operator. Internal
// detail travels in `cause`, which goes to the log alone.
import type { FieldIssue } from './contract/body.ts'

/** A database that is away is asked again by the next request, whoever sends it. */
const STORE_RETRY_SECONDS = 5

interface ApiErrorOptions {
  status: number
  code: string
  title: string
  detail: string
  retryable?: boolean
  issues?: readonly FieldIssue[]
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** An error whose `detail` is written for the caller. Everything else that is thrown becomes a bare 500. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly retryable: boolean
  readonly issues: readonly FieldIssue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(options: ApiErrorOptions) {
    super(options.detail, { cause: options.cause })
    this.name = 'ApiError'
    this.status = options.status
    this.code = options.code
    this.title = options.title
    this.detail = options.detail
    this.retryable = options.retryable ?? false
    this.issues = options.issues ?? []
    this.headers = options.headers ?? {}
  }
}

/** What the operator can mend. `message` is the sentence the command line shows them without a stack; never a secret. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}

/** The `code` that Node, SQLite and PostgreSQL put on their errors; '' when there is none. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** Codes of Node for a connection on which no TLS was agreed. */
export const TLS_FAILURES = /CERT|^UNABLE_TO_|^ERR_(?:TLS|SSL)_|^EPROTO$/u

/** What an error means for the operator by its code; the first that fits counts. */
export type ReasonsByCode = readonly (readonly [codes: RegExp, reason: string])[]

/** The operator's sentence for an error whose code has a reason; errors of no known kind are returned as they are. */
export function explainByCode(
  error: unknown,
  reasons: ReasonsByCode,
  sentence: (reason: string) => string,
): unknown {
  const code = errorCode(error)
  const reason = reasons.find(([codes]) => codes.test(code))?.[1]
  return reason === undefined ? error : new OperatorError(sentence(reason), { cause: error })
}

const refused = (detail: string): ApiError =>
  new ApiError({
    status: 401,
    code: 'unauthorized',
    title: 'Unauthorized',
    detail,
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

/** 401. One text for missing, malformed, unknown and revoked keys: no hint which. */
export const unauthorized = (): ApiError =>
  refused('A valid API key is required: send "Authorization: Bearer <API_KEY>".')

/** 401 for a key that stands in the address, whether it is good or not. */
export const keyInAddress = (): ApiError =>
  refused(
    'An API key does not belong in an address, which others may keep: revoke it, and put a path token there ("verbatim keys create NAME --path").',
  )

/** 401. One text for every path token that is none, or none any more: who has one can send no header. */
export const pathTokenRefused = (): ApiError =>
  refused('A valid path token is required in the address: the one there is unknown, expired or revoked.')

/** 403 (RFC 6750 §3.1): the key is good, but not for this. */
/** `scopes`: any one of them would do. */
export const insufficientScope = (scopes: readonly string[]): ApiError =>
  new ApiError({
    status: 403,
    code: 'insufficient_scope',
    title: 'Forbidden',
    detail: `This API key does not have the scope ${scopes.map((scope) => `"${scope}"`).join(' or ')} that this address needs.`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"` },
  })

/** 400: the body is no JSON object, or its query is missing or invalid. */
export const badRequest = (detail: string, issues: readonly FieldIssue[] = []): ApiError =>
  new ApiError({ status: 400, code: 'invalid_request', title: 'Bad Request', detail, issues })

/** 422: a field other than query has a wrong type or is out of its range. */
export const invalidFields = (issues: readonly FieldIssue[]): ApiError =>
  new ApiError({
    status: 422,
    code: 'validation_failed',
    title: 'Unprocessable Entity',
    detail: issues.map((issue) => issue.message).join(' '),
    issues,
  })

/** 429: the key (or the address, for refused keys) has used its quota. */
export const rateLimited = (retryAfterSeconds: number): ApiError =>
  new ApiError({
    status: 429,
    code: 'rate_limited',
    title: 'Too Many Requests',
    detail: `The rate limit is used up. Try again in ${retryAfterSeconds} s.`,
    retryable: true,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })

/** 429: the service works at its limit; the queue that would hold this request is full. */
export const overloaded = (retryAfterSeconds = 1): ApiError =>
  new ApiError({
    status: 429,
    code: 'overloaded',
    title: 'Too Many Requests',
    detail: `The service is working at its limit. Try again in ${retryAfterSeconds} s.`,
    retryable: true,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })

/** 500: every search provider failed, so there is nothing to answer from. Not retryable when all refused the query. */
export const searchUnavailable = (cause: unknown, retryable = true): ApiError =>
  new ApiError({
    status: 500,
    code: 'search_unavailable',
    title: 'Internal Server Error',
    detail: retryable
      ? 'No search provider could be reached. The operator of this service finds the reason in its log.'
      : 'No search provider takes this query. Shorten it, or leave out its unusual characters.',
    retryable,
    cause,
  })

/** 408: the time that the caller leaves is over before a search engine answered. */
export const outOfPatience = (cause: unknown): ApiError =>
  new ApiError({
    status: 408,
    code: 'out_of_time',
    title: 'Request Timeout',
    detail: 'No search engine answered within the time that the request allows. Allow more of it.',
    retryable: true,
    cause,
  })

/** 503: a database that the request needs does not answer, or not in time. */
export const storeUnavailable = (cause: unknown): ApiError =>
  new ApiError({
    status: 503,
    code: 'store_unavailable',
    title: 'Service Unavailable',
    detail: `A database of this service does not answer. Try again in ${STORE_RETRY_SECONDS} s.`,
    retryable: true,
    headers: { 'Retry-After': String(STORE_RETRY_SECONDS) },
    cause,
  })

/** 500: anything unexpected. */
export const internalError = (cause: unknown): ApiError =>
  new ApiError({
    status: 500,
    code: 'internal_error',
    title: 'Internal Server Error',
    detail: 'Something unexpected went wrong. Quote the request id when you report it.',
    retryable: true,
    cause,
  })

export const notFound = (): ApiError =>
  new ApiError({
    status: 404,
    code: 'not_found',
    title: 'Not Found',
    detail: 'There is nothing at this address.',
  })

/** 404: no page text with this digest is kept, or not any more. */
export const captureUnknown = (): ApiError =>
  new ApiError({
    status: 404,
    code: 'capture_unknown',
    title: 'Not Found',
    detail: 'No page text with this digest is kept (any more). Ask with the url instead.',
  })

export const methodNotAllowed = (allow: string): ApiError =>
  new ApiError({
    status: 405,
    code: 'method_not_allowed',
    title: 'Method Not Allowed',
    detail: `This address answers ${allow}.`,
    headers: { Allow: allow },
  })

export const bodyTooLarge = (limitBytes: number): ApiError =>
  new ApiError({
    status: 413,
    code: 'body_too_large',
    title: 'Content Too Large',
    detail: `The request body may hold at most ${limitBytes} bytes.`,
  })

export const unsupportedMediaType = (detail: string): ApiError =>
  new ApiError({ status: 415, code: 'unsupported_media_type', title: 'Unsupported Media Type', detail })

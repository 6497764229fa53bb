// What went wrong with a fetch, in the words that its reader sees.
import { STATUS_CODES } from 'node:http'
import { errors } from 'undici'
import { errorCode, TLS_FAILURES } from '../errors.ts'
import { AddressRefusedError } from './egress/address-policy.ts'
import { DamagedBodyError, UnknownEncodingError } from './fetch/body.ts'
import { PageError, type PageWarning, type PageWarningCode } from './capture.ts'
import { UnreachableHostError } from './egress/connector.ts'
import { TimeLimitError } from '../concurrency/deadline.ts'

export const FAILURES = {
  address_refused: 'The page leads to an address that this service does not open.',
  unreachable: 'The site could not be reached.',
  not_http: 'What the site answered is not HTTP as this service reads it.',
  insecure: 'No secure connection to the site could be made.',
  timeout: 'The site did not answer in time.',
  too_many_redirects: 'The page redirects too often.',
  too_large: 'The page is larger than this service reads.',
  not_text: 'The address leads to a file that holds no text to read.',
  unknown_encoding: 'The site sent the page in a compression that this service does not read.',
  damaged: 'The site says that the page is compressed, and what it sent is not.',
  robots_disallowed: "The site's robots.txt asks not to open this page.",
  truncated_size: 'The page is larger than this service reads; only its beginning was used.',
  truncated_time: 'The page was still loading when its time was over; only its beginning was used.',
  truncated_connection: 'The connection ended before the page did; only its beginning was used.',
  busy: 'Too many pages are being opened at this moment.',
  site_busy: 'The site asked this service to wait before it opens further pages.',
  out_of_time: 'This service had no time left to open the page.',
} as const

/** The page is no more, or never was. */
const GONE: ReadonlySet<number> = new Set([404, 410])
/** Another time the same question may be answered; all of 5xx beside them. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

const REFUSALS: Readonly<Record<number, PageWarningCode>> = {
  401: 'login',
  402: 'paywall',
  403: 'blocked',
  451: 'blocked',
}

/**
 * The site answered, but not with the page. `status` is anything outside 2xx, or a 2xx without content; `shown` is what
 * its answer showed instead, where that was looked at.
 */
export function statusWarning(status: number, shown: 'challenge' | 'blocked' | null = null): PageWarning {
  const name = STATUS_CODES[status]
  const answered = `The site answered with status ${status}${name === undefined ? '' : ` (${name})`}`
  return {
    code: shown ?? codeOf(status),
    message:
      shown === 'challenge' ? `${answered} and asks visitors to prove that they are human.` : `${answered}.`,
  }
}

function codeOf(status: number): PageWarningCode {
  if (GONE.has(status)) return 'gone'
  if (LATER.has(status) || status >= 500) return 'site_busy'
  return REFUSALS[status] ?? 'http_status'
}

/** Any error of a fetch as the PageError that its result shows. `url` is the address that failed. */
export function toPageError(url: string, error: unknown): PageError {
  return error instanceof PageError ? error : new PageError(url, warningOf(error), error)
}

/** The page's time went by while it waited for its turn: that is no fault of the site. */
export const outOfTime = (url: string, cause: unknown): PageError =>
  new PageError(url, { code: 'out_of_time', message: FAILURES.out_of_time }, cause)

function warningOf(error: unknown): PageWarning {
  if (error instanceof AddressRefusedError)
    return { code: 'address_refused', message: FAILURES.address_refused }
  if (error instanceof UnknownEncodingError) return { code: 'not_text', message: FAILURES.unknown_encoding }
  if (error instanceof DamagedBodyError) return { code: 'damaged', message: FAILURES.damaged }
  if (error instanceof UnreachableHostError && error.reason === 'busy')
    return { code: 'busy', message: FAILURES.busy }
  if (isTimeout(error)) return { code: 'timeout', message: FAILURES.timeout }
  if (isNotHttp(error)) return { code: 'unreachable', message: FAILURES.not_http }
  return { code: 'unreachable', message: isTlsFailure(error) ? FAILURES.insecure : FAILURES.unreachable }
}

/** The answer breaks the protocol, or its headers are beyond the parser's limit. */
const isNotHttp = (error: unknown): boolean =>
  error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError

function isTimeout(error: unknown): boolean {
  return (
    (error instanceof UnreachableHostError && error.reason === 'timeout') ||
    error instanceof TimeLimitError ||
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  )
}

const isTlsFailure = (error: unknown): boolean => TLS_FAILURES.test(errorCode(error))

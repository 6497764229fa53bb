// What happens to every request before and after its route: id, log line, error boundary. The routes behind it only
// throw; this is the one place where an error becomes an answer.
import { randomBytes } from 'node:crypto'
import { HttpError } from 'koa'
import type { Context, Middleware, Next } from 'koa'
import {
  ApiError,
  badRequest,
  bodyTooLarge,
  internalError,
  methodNotAllowed,
  notFound,
  unsupportedMediaType,
} from '../../errors.ts'
import { withRequestFacts, type Logger } from '../../telemetry/telemetry.ts'
import { waitOf } from './scheduler.ts'

/** What every request carries from its first middleware on. */
export interface RequestState {
  requestId: string
  /** Epoch milliseconds at which it was read; it may have waited for its turn since. */
  arrivedAtMs: number
  /** Only when requests are traced. */
  traceId?: string
}

const SANE_REQUEST_ID = /^[A-Za-z0-9_.:-]{1,64}$/u

/**
 * Gives the request an id (the caller's `X-Request-Id` when it is sane), which every line that is logged because of it
 * carries, and writes one line when it is done.
 */
export function requestLog(log: Logger): Middleware<RequestState> {
  return async function requestLogMiddleware(context, next) {
    const waitedMs = waitOf(context.req)
    const startedAt = performance.now() - waitedMs
    const sent = context.get('X-Request-Id')
    context.state.arrivedAtMs = Math.round(Date.now() - waitedMs)
    context.state.requestId = SANE_REQUEST_ID.test(sent) ? sent : `req_${randomBytes(12).toString('hex')}`
    context.set('X-Request-Id', context.state.requestId)
    // Answers quote foreign pages: no browser may take them for anything but what their type says.
    context.set('X-Content-Type-Options', 'nosniff')
    const { requestId, traceId } = context.state
    await withRequestFacts({ requestId, ...(traceId === undefined ? {} : { traceId }) }, async () => {
      await next()
      const line = {
        method: context.method,
        path: context.path,
        status: context.status,
        elapsedMs: Math.round(performance.now() - startedAt),
      }
      if (context.status >= 500) log.error(line, 'request')
      else log.info(line, 'request')
    })
  }
}

/** Turns whatever was thrown, and every answer nobody gave, into RFC 9457 problem+json. Internal detail goes to the log alone. */
export function errorBoundary(log: Logger): Middleware<RequestState> {
  return async function errorBoundaryMiddleware(context: Context, next: Next) {
    try {
      await next()
      if (context.body === undefined) refuseUnanswered(context)
    } catch (thrown) {
      const error = toApiError(thrown)
      if (error.status >= 500) log.error({ err: thrown }, 'request failed')
      writeProblem(context, error)
    }
  }
}

/** Nobody answered: the router leaves 404, or 405 and 501 with the methods it knows. */
function refuseUnanswered(context: Context): void {
  if (context.status === 404) throw notFound()
  if (context.status === 405 || context.status === 501) throw methodNotAllowed(context.response.get('Allow'))
}

function writeProblem(context: Context, error: ApiError): void {
  context.status = error.status
  context.set({ ...error.headers })
  context.body = JSON.stringify(problemOf(error, String(context.state['requestId'])))
  context.type = 'application/problem+json'
}

/** The public face of an error: RFC 9457 members, and ours beside them. */
export function problemOf(error: ApiError, requestId: string): Record<string, unknown> {
  return {
    type: `/docs/errors#${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.detail,
    code: error.code,
    request_id: requestId,
    retryable: error.retryable,
    ...(error.issues.length > 0 ? { errors: error.issues } : {}),
  }
}

/** Everything that is not ours becomes ours: Koa's own HTTP errors by status, the rest an internal error. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const status = statusOf(thrown)
  if (status === 404) return notFound()
  if (status === 413) return bodyTooLarge(64 * 1024)
  if (status === 415) return unsupportedMediaType('This Content-Type or Content-Encoding is not supported.')
  if (status >= 400 && status < 500) return badRequest('The request could not be read.')
  return internalError(thrown)
}

/** The body parser's errors are plain errors with a status; Koa's and the router's are HttpErrors. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpError) return thrown.status
  const status = thrown instanceof Error && 'status' in thrown ? thrown.status : 500
  return typeof status === 'number' ? status : 500
}

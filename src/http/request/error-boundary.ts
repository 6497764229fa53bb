// The one place where an error becomes an answer; the routes behind it only throw.
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
import type { Logger } from '../../telemetry/log.ts'
import type { RequestState } from './request-log.ts'

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

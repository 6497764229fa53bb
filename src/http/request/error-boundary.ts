// The one place where an error becomes an answer; the routes behind it only throw.
import { HttpError } from 'koa'
import type { Context, Middleware, Next } from 'koa'
import { StoreError } from '../../accounts/store/store-error.ts'
import { PostgresError } from '../../connections/postgres-error.ts'
import { LIMITS } from '../../contract/limits.ts'
import {
  ApiError,
  badRequest,
  bodyTooLarge,
  internalError,
  methodNotAllowed,
  notFound,
  storeUnavailable,
  unsupportedMediaType,
} from '../../errors.ts'
import type { Logger } from '../../telemetry/log.ts'
import type { ErrorShape } from '../route.ts'
import type { RequestState } from './follow-requests.ts'

/**
 * Turns whatever was thrown, and every answer nobody gave, into RFC 9457 problem+json, or into the words of a foreign
 * client below its prefix. Internal detail goes to the log alone.
 */
export function errorBoundary(log: Logger, shapes: readonly ErrorShape[] = []): Middleware<RequestState> {
  return async function errorBoundaryMiddleware(context: Context, next: Next) {
    try {
      await next()
      if (context.body === undefined) refuseUnanswered(context)
    } catch (thrown) {
      writeError(context, recordFailure(context, thrown, log), shapes)
    }
  }
}

/** Nobody answered: the router leaves 404, or 405 and 501 with the methods it knows. */
function refuseUnanswered(context: Context): void {
  if (context.status === 404) throw notFound()
  if (context.status === 405 || context.status === 501) throw methodNotAllowed(context.response.get('Allow'))
}

function writeError(context: Context, error: ApiError, shapes: readonly ErrorShape[]): void {
  context.set({ ...error.headers })
  const shape = shapes.find(({ prefix }) => `${context.path}/`.startsWith(prefix))
  if (shape !== undefined) {
    const { status, body } = shape.spell(error)
    context.status = status
    context.body = body
    return
  }
  context.status = error.status
  context.body = JSON.stringify(problemOf(error, String(context.state['requestId'])))
  context.type = 'application/problem+json'
}

/**
 * What a request failed with, as the caller may know it: kept for whoever counts the request, and logged with its
 * internal detail when it is our fault. For failures that are answered inside a stream or a page, too.
 */
export function recordFailure(
  context: Context & { state: Partial<RequestState> },
  thrown: unknown,
  log: Logger,
): ApiError {
  const error = toApiError(thrown)
  context.state.failure = error
  // Of a store that is away the log has been told once, by the store.
  if (error.status >= 500) log[isStoreAway(thrown) ? 'debug' : 'error']({ err: thrown }, 'request failed')
  return error
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
  if (isStoreAway(thrown) || isPostgresAway(thrown)) return storeUnavailable(thrown)
  const status = statusOf(thrown)
  if (status === 404) return notFound()
  if (status === 413) return bodyTooLarge(LIMITS.bodyBytes)
  if (status === 415) return unsupportedMediaType('This Content-Type or Content-Encoding is not supported.')
  if (status >= 400 && status < 500) return badRequest('The request could not be read.')
  return internalError(thrown)
}

const isStoreAway = (thrown: unknown): boolean =>
  thrown instanceof StoreError && thrown.trouble === 'unreachable'

/** For a request it is the same whether the database is away, takes too long or lets us in no more. */
const isPostgresAway = (thrown: unknown): boolean =>
  thrown instanceof PostgresError && thrown.trouble !== 'read_only' && thrown.trouble !== 'full'

/** The body parser's errors are plain errors with a status; Koa's and the router's are HttpErrors. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpError) return thrown.status
  const status = thrown instanceof Error && 'status' in thrown ? thrown.status : 500
  return typeof status === 'number' ? status : 500
}

// The middleware that makes a span of every request.
import type { Middleware } from 'koa'
import type { StartRequest } from '../../telemetry/open-telemetry.ts'
import { answerOf } from './measure-requests.ts'
import type { RequestState } from './request-log.ts'

/** Asked every few seconds by machines; nobody wants a trace of each. */
const UNTRACED_PATHS = new Set(['/health', '/metrics'])

/** Continues the caller's trace (W3C `traceparent`) or begins one; the span ends with the answer, streams included. */
export function traceRequests(startRequest: StartRequest): Middleware<RequestState> {
  return async function traceRequestsMiddleware(context, next) {
    if (UNTRACED_PATHS.has(context.path)) return next()
    const { method } = answerOf(context)
    const request = startRequest({ method, traceparent: context.get('traceparent') })
    context.state.traceId = request.traceId
    context.res.once('close', () => request.end(answerOf(context)))
    return request.run(next)
  }
}

// How every request ended and how long it took, told to the metrics when its answer is out.
import type { Context, Middleware } from 'koa'
import type { RequestObservation } from '../../telemetry/metrics.ts'
import { waitOf } from './scheduler.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Measures from the moment a request was read to the end of the answer, streams included. To be mounted first. */
export function measureRequests(metrics: { observeRequest(request: RequestObservation): void }): Middleware {
  return async function measureRequestsMiddleware(context, next) {
    const startedAt = performance.now() - waitOf(context.req)
    context.res.once('close', () =>
      metrics.observeRequest({ ...answerOf(context), elapsedMs: performance.now() - startedAt }),
    )
    await next()
  }
}

/** How a request ended, in words of ours; status 499 while its answer is not out, and for ever when its client is gone. */
export function answerOf(context: Context): { method: string; route: string; status: number } {
  return {
    method: METHODS.has(context.method) ? context.method : 'other',
    route: routeOf(context),
    status: context.res.writableFinished ? context.status : 499,
  }
}

/** What the router matched: a pattern of ours, never the caller's own words. */
function routeOf(context: Context): string {
  const matched: unknown = context['_matchedRoute']
  return typeof matched === 'string' ? matched : 'other'
}

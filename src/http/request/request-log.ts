// The first middleware of every request: its id, the moment it arrived, and one line in the log when it is done.
import { randomBytes } from 'node:crypto'
import type { Middleware } from 'koa'
import { withRequestFacts, type Logger } from '../../telemetry/log.ts'
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

// The first middleware of every request: its id and its span, and the one place where its end is told, when the answer
// is out or the client gone: to the log, the trace, and whoever counts.
import { randomBytes } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import type { ApiError } from '../../errors.ts'
import type { SearchEnd } from '../../search/search-context.ts'
import { withRequestFacts, type Logger } from '../../telemetry/log.ts'
import type { StartRequest, TracedRequest } from '../../telemetry/open-telemetry.ts'
import { followDelivery } from './delivery.ts'
import { waitOf } from './scheduler.ts'

/** What every request carries from its first middleware on. */
export interface RequestState {
  requestId: string
  /** Epoch milliseconds at which it was read; it may have waited for its turn since. */
  arrivedAtMs: number
  /** Whose key it carries; absent before the door, and where there is none. */
  caller?: { id: string }
  /** Snippets answered so far. */
  snippets: number
  /** What it failed with, although its status may have been sent before: of a stream, or of a tool call. */
  failure: ApiError | null
  /** The search it asked for, once that has ended. */
  search?: SearchEnd
}

/** A request whose answer is out, or whose client is gone. */
export interface FinishedRequest {
  requestId: string
  /** One of the known methods, or "other". */
  method: string
  /** The pattern of the route, such as "/keys/:id"; "other" when none matched. Never the caller's own words. */
  route: string
  /** As the answer ended: a stream's last event counts, and 499 stands for a client that left before it. */
  status: number
  /** From the moment it was read to the end of its answer. */
  elapsedMs: number
  /** The key's id; null for a request that no key was accepted for. */
  callerId: string | null
  snippets: number
  /** The code of the refusal or failure; null for an answer. */
  code: string | null
  /** Null where none was asked for, or none came about. */
  search: SearchEnd | null
}

export interface FollowOptions {
  log: Logger
  /** Null where nobody looks at traces. */
  startRequest: StartRequest | null
  /** Told of every request once, after its end; must not throw. */
  onFinished: (request: FinishedRequest) => void
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Asked every few seconds by machines; nobody wants a trace of each. */
const UNTRACED_PATHS = new Set(['/health', '/ready', '/metrics'])
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,64}$/u
/** A secret of ours, or its bare half: an id is logged and echoed. */
const SECRET_LIKE = /vb[a-z]{1,2}_|[0-9A-Za-z]{36}/u

/**
 * Gives the request an id (the caller's `X-Request-Id` when it is sane), which every line that is logged because of it
 * carries, and follows it to its end.
 */
export function followRequests(options: FollowOptions): Middleware<RequestState> {
  return async function followRequestsMiddleware(context, next) {
    const waitedMs = waitOf(context.req)
    const startedAt = performance.now() - waitedMs
    const sent = context.get('X-Request-Id')
    const isSane = REQUEST_ID.test(sent) && !SECRET_LIKE.test(sent)
    const requestId = isSane ? sent : `req_${randomBytes(12).toString('hex')}`
    const arrivedAtMs = Math.round(Date.now() - waitedMs)
    Object.assign(context.state, { requestId, arrivedAtMs, snippets: 0, failure: null })
    context.set('X-Request-Id', requestId)
    // Answers quote foreign pages: no browser may take them for anything but what their type says.
    context.set('X-Content-Type-Options', 'nosniff')
    const traced = startSpan(context, options.startRequest)
    const facts = { requestId, ...(traced === null ? {} : { traceId: traced.traceId }) }
    const isDelivered = followDelivery(context)
    context.res.once('close', () => {
      const end = { elapsedMs: performance.now() - startedAt, isDelivered: isDelivered() }
      withRequestFacts(facts, () => finish(context, end, traced, options))
    })
    await withRequestFacts(facts, () => (traced === null ? next() : traced.run(next)))
  }
}

function startSpan(context: Context, startRequest: StartRequest | null): TracedRequest | null {
  if (startRequest === null || UNTRACED_PATHS.has(context.path)) return null
  return startRequest({ method: methodOf(context), traceparent: context.get('traceparent') })
}

function finish(
  context: Context & { state: RequestState },
  { elapsedMs, isDelivered }: { elapsedMs: number; isDelivered: boolean },
  traced: TracedRequest | null,
  { log, onFinished }: FollowOptions,
): void {
  const { requestId, caller, snippets, failure, search = null } = context.state
  const status = isDelivered ? statusOf(context) : 499
  const answer = { method: methodOf(context), route: routeOf(context), status }
  const line = { ...answer, elapsedMs: Math.round(elapsedMs) }
  if (answer.status >= 500) log.error(line, 'request')
  else log.info(line, 'request')
  traced?.end(answer)
  const code = failure?.code ?? null
  onFinished({ requestId, ...answer, elapsedMs, callerId: caller?.id ?? null, snippets, code, search })
}

const methodOf = (context: Context): string => (METHODS.has(context.method) ? context.method : 'other')

/** What the router matched. */
function routeOf(context: Context): string {
  const matched: unknown = context['_matchedRoute']
  return typeof matched === 'string' ? matched : 'other'
}

const statusOf = (context: Context & { state: RequestState }): number =>
  context.status >= 400 ? context.status : (context.state.failure?.status ?? context.status)

// GET /metrics, behind a door of its own: a token for Prometheus, a key with the scope for it, or nothing but this
// machine.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, ParameterizedContext } from 'koa'
import { ApiError, notFound } from '../../errors.ts'
import type { DoorOptions } from '../request/authenticate.ts'
import type { RequestState } from '../request/follow-requests.ts'
import type { PathTokenState } from '../request/path-token.ts'
import type { Route } from '../route.ts'

export interface MetricsOptions {
  contentType: string
  render(): Promise<string>
  /** The bearer token that opens /metrics; null opens it to direct requests from this machine alone. */
  token: string | null
  /** A proxy on this machine makes every caller look local, so without a token nobody is let in. */
  isBehindProxy: boolean
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/u
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/iu
/** How our own page loader names itself: a search must not be a way to read what only this machine may. */
const OWN_PAGE_LOADER = /^Verbatim\//u
const FORWARDING_HEADERS = ['Forwarded', 'X-Forwarded-For', 'X-Real-IP', 'Via']

/** Answers 401 for a wrong token; 404 to other machines when there is no token, as if it did not exist. */
export const metricsRoute: Route<{ metrics: MetricsOptions } & Pick<DoorOptions, 'verifyKey'>> = {
  method: 'get',
  path: '/metrics',
  door: 'open',
  operation: null,
  createHandler: ({ metrics, verifyKey }) =>
    async function answerScrape(context: ParameterizedContext<RequestState & PathTokenState>) {
      const { pathToken } = context.state
      const sent = /^bearer +(\S+) *$/iu.exec(context.get('Authorization'))?.[1] ?? ''
      const key = await verifyKey(pathToken ?? sent, context.get('User-Agent'))
      const mayStandThere = pathToken === undefined || (key?.isPathToken ?? false)
      const isAllowed = mayStandThere && key?.scopes.includes('metrics') === true
      if (!isAllowed && metrics.token !== null) {
        if (!isSame(sent, metrics.token)) throw unauthorizedScrape()
      } else if (!isAllowed && (metrics.isBehindProxy || !isDirectlyLocal(context))) throw notFound()
      context.set({ 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' })
      context.body = await metrics.render()
    },
}

/**
 * The socket's own address counts, not what a header says of it. The name that was asked for must be this machine's too:
 * a page in a browser here may have had its own name resolved to loopback, and would read the answer.
 */
function isDirectlyLocal(context: Context): boolean {
  const isForwarded = FORWARDING_HEADERS.some((name) => context.get(name) !== '')
  const isOurs = OWN_PAGE_LOADER.test(context.get('User-Agent'))
  const isFromHere = LOOPBACK.test(context.req.socket.remoteAddress ?? '')
  return !isForwarded && !isOurs && isFromHere && LOCAL_HOST.test(context.get('Host'))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Digests have one length, so the comparison takes the same time whatever was sent. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right))
}

const unauthorizedScrape = (): ApiError =>
  new ApiError({
    status: 401,
    code: 'unauthorized',
    title: 'Unauthorized',
    detail:
      'The metrics need the token that the operator has set in METRICS_TOKEN, or an API key with the scope "metrics".',
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

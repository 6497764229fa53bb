// Every route and the order of everything around it, on one page.
import Router from '@koa/router'
import Koa, { type Middleware } from 'koa'
import type { PageAccess } from '../search/proof/single-page.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { StartRequest } from '../telemetry/open-telemetry.ts'
import { authenticate, limitRate, type CallerState, type DoorOptions } from './request/authenticate.ts'
import { openWebUiRoute } from './compat/open-webui.ts'
import { tavilyErrors, tavilyRoute } from './compat/tavily.ts'
import { readBody } from './request/json-body.ts'
import { mcpRoute } from './routes/mcp.ts'
import { measureRequests } from './request/measure-requests.ts'
import { metricsRoute, type MetricsOptions } from './routes/metrics.ts'
import { errorBoundary } from './request/error-boundary.ts'
import { requestLog } from './request/request-log.ts'
import { openApiDocument } from './openapi.ts'
import { countRequests, searchRoute, type SearchRouteOptions } from './routes/search.ts'
import { traceRequests } from './request/trace-requests.ts'
import { verifyRoute } from './routes/verify.ts'

export interface AppOptions extends DoorOptions, SearchRouteOptions {
  pageAccess: PageAccess
  version: string
  /** Believe `X-Forwarded-*` of the proxy in front. */
  trustProxy: boolean
  /** Routes of other families (dashboard, docs), mounted after the API. */
  pages: readonly Middleware[]
  metrics: MetricsOptions & Pick<Metrics, 'observeRequest'>
  /** Null where nobody looks at traces. */
  startRequest: StartRequest | null
  log: Logger
}

/** The whole HTTP surface as a Koa application; nothing listens yet. */
export function createApp(options: AppOptions): Koa {
  // The last address of X-Forwarded-For is what our own proxy saw; those before it are the caller's to invent.
  const app = new Koa({ proxy: options.trustProxy, maxIpsCount: 1 })
  app.silent = true

  const router = new Router<CallerState>()
  const door = [authenticate(options), countRequests(options), limitRate(options), readBody()]
  router.get('/health', (context) => {
    context.body = { status: 'ok' }
  })
  router.get('/metrics', metricsRoute(options.metrics))
  router.get('/openapi.json', (context) => {
    context.body = openApiDocument(options.version, `${context.protocol}://${context.host}`)
  })
  router.post('/v1/search', ...door, searchRoute(options))
  router.post('/v1/verify', ...door, verifyRoute(options))
  router.post('/mcp', ...door, mcpRoute(options))
  router.post('/compat/tavily/search', tavilyErrors(), ...door, tavilyRoute(options))
  router.post('/compat/open-webui/search', ...door, openWebUiRoute(options))

  app.use(measureRequests(options.metrics))
  if (options.startRequest !== null) app.use(traceRequests(options.startRequest))
  app.use(requestLog(options.log))
  app.use(errorBoundary(options.log))
  app.use(router.routes())
  app.use(router.allowedMethods())
  for (const page of options.pages) app.use(page)
  return app
}

// Every route and the order of everything around it, on one page.
import Router from '@koa/router'
import Koa, { type Middleware } from 'koa'
import type { Logger } from '../telemetry.ts'
import { authenticate, limitRate, type CallerState, type DoorOptions } from './authenticate.ts'
import { readBody } from './json-body.ts'
import { errorBoundary, requestLog } from './middleware.ts'
import { countRequests, searchRoute, type SearchRouteOptions } from './search-route.ts'

export interface AppOptions extends DoorOptions, SearchRouteOptions {
  /** Believe `X-Forwarded-*` of the proxy in front. */
  trustProxy: boolean
  /** Routes of other families (dashboard, docs, metrics), mounted after the API. */
  pages: readonly Middleware[]
  log: Logger
}

/** The whole HTTP surface as a Koa application; nothing listens yet. */
export function createApp(options: AppOptions): Koa {
  const app = new Koa({ proxy: options.trustProxy })
  app.silent = true

  const router = new Router<CallerState>()
  router.get('/health', (context) => {
    context.body = { status: 'ok' }
  })
  router.post(
    '/v1/search',
    authenticate(options),
    countRequests(options),
    limitRate(options),
    readBody(),
    searchRoute(options),
  )

  app.use(requestLog(options.log))
  app.use(errorBoundary(options.log))
  app.use(router.routes())
  app.use(router.allowedMethods({ throw: true }))
  for (const page of options.pages) app.use(page)
  return app
}

// The order of everything around the routes, on one page.
import Router from '@koa/router'
import Koa, { type Middleware } from 'koa'
import type { Logger } from '../telemetry/log.ts'
import { openApiDocument } from './openapi.ts'
import {
  authenticate,
  demandScope,
  limitRate,
  type CallerState,
  type DoorOptions,
} from './request/authenticate.ts'
import { errorBoundary } from './request/error-boundary.ts'
import { followRequests, type FollowOptions } from './request/follow-requests.ts'
import { joinSlashes } from './request/joined-slashes.ts'
import { readBody } from './request/json-body.ts'
import { takePathToken } from './request/path-token.ts'
import { ERROR_SHAPES, ROUTES, type RouteParts } from './route-table.ts'

export interface AppOptions extends DoorOptions, FollowOptions, Omit<RouteParts, 'openApi'> {
  version: string
  /** Where callers reach this service, without a slash at its end. */
  publicUrl: string
  /** Believe `X-Forwarded-*` of the proxy in front. */
  trustProxy: boolean
  /** Routes of other families (dashboard, docs), mounted after the API. */
  pages: readonly Middleware[]
  log: Logger
}

/** The whole HTTP surface as a Koa application; nothing listens yet. */
export function createApp(options: AppOptions): Koa {
  // The last address of X-Forwarded-For is what our own proxy saw; those before it are the caller's to invent.
  const app = new Koa({ proxy: options.trustProxy, maxIpsCount: 1 })
  app.silent = true

  const router = createRouter(options)
  app.use(takePathToken)
  app.use(joinSlashes)
  app.use(followRequests(options))
  app.use(errorBoundary(options.log, ERROR_SHAPES))
  app.use(router.routes())
  app.use(router.allowedMethods())
  for (const page of options.pages) app.use(page)
  return app
}

function createRouter(options: AppOptions): Router<CallerState> {
  const router = new Router<CallerState>()
  const door = [authenticate(options), limitRate(options)]
  const parts = { ...options, openApi: openApiDocument(ROUTES, options.version, options.publicUrl) }
  for (const route of ROUTES) {
    const before = route.door === 'key' ? [...door, demandScope(route.scope), readBody(route.bodyBytes)] : []
    router[route.method](route.path, ...before, route.createHandler(parts))
  }
  return router
}

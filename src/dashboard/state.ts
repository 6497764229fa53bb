// What every request to the dashboard carries: who looks at the page.
import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type { ParameterizedContext } from 'koa'
import type { Theme } from './frame/theme-switch.tsx'
import type { Session } from '../accounts/people/sessions.ts'
import type { RequestState } from '../http/request/follow-requests.ts'

export interface Visitor {
  session: Session | null
  /** What the session cookie holds, when its session lives. */
  sessionToken: string | null
  /** The cookie names a session that is over. */
  hasSessionEnded: boolean
  /** Stands in every form of the page; '' for a stranger who was shown no form yet. */
  formToken: string
  theme: Theme
}

export interface DashboardState extends RequestState {
  visitor: Visitor
}

/** With the router of the pages, once that is asked. */
export type DashboardContext = ParameterizedContext<DashboardState> & { router?: DashboardRouter }
/** The context of a route whose path has parameters. */
export type RoutedContext = RouterContext<DashboardState>
export type DashboardRouter = Router<DashboardState>

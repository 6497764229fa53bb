// Errors as people see them: the same public words as the API's, on a page with a way on.
import type { Context } from 'koa'
import { MessagePage } from './message-page.tsx'
import { recordFailure } from '../../http/request/error-boundary.ts'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext } from '../state.ts'
import { frameOf, pageOf, sendPage } from './respond.ts'
import type { ApiError } from '../../errors.ts'

/** Answers whatever a page threw. Internal detail goes to the log alone. */
export function answerError(context: DashboardContext, parts: DashboardParts, thrown: unknown): void {
  const error = recordFailure(context, thrown, parts.log)
  if (error.status < 500 && error.cause !== undefined) parts.log.warn({ err: thrown }, 'page refused')
  const title = error.status === 404 ? 'There is nothing here' : error.title
  const detail =
    error.status >= 500 ? `${error.detail} The request id is ${context.state.requestId}.` : error.detail
  context.set({ ...error.headers })
  const frame = frameOf(context, parts.assetUrls)
  sendPage(
    context,
    <MessagePage
      frame={{ ...frame, notice: null }}
      title={title}
      detail={detail}
      next={wayOn(context, error)}
    />,
    error.status,
  )
}

/** A form is gone back to; what the playground shows is had again by asking there; everything else begins at the top. */
function wayOn(
  context: DashboardContext,
  { code }: ApiError,
): { href: string; label: string; isForm?: true } {
  const { path, state } = context
  const form = code === 'form_refused' ? pageOf(context) : '/'
  if (form !== '/') return { href: form, label: 'Back to the form', isForm: true }
  if (!state.visitor?.session) return { href: '/', label: 'To the start page' }
  if (path.startsWith('/playground/')) return { href: '/playground', label: 'To the playground' }
  return { href: '/', label: 'To the overview' }
}

/** Whether the client asks for a page by name. A wildcard does not: programs send it, and they get JSON. */
export const wantsPage = (context: Context): boolean => context.get('Accept').includes('text/html')

// How a route answers with a page: the frame filled from the visitor, the notice after a redirect, the redirect itself.
import { randomBytes } from 'node:crypto'
import type { JSX } from 'preact'
import { renderDocument, type AssetUrls, type Frame, type Notice } from './page.tsx'
import type { DashboardContext } from '../state.ts'

/** What `?done=` may say after a redirect. Only these texts exist, so an address cannot put words into a page. */
const DONE: Readonly<Record<string, string>> = {
  'signed-out': 'You are signed out.',
  'session-over': 'Your session has ended. Sign in to go on where you were.',
  'signed-out-everywhere': 'You are signed out on every device.',
  welcome:
    'Your account is ready. Ask your first question here. Programs need a key of their own: make one under Keys.',
  'password-changed': 'Your password is changed. Every other session has ended.',
  'password-set': 'Your new password is set. Sign in with it.',
  'made-already':
    'That form was sent before, and what it made is shown only once. If you missed it, delete it and make another.',
  'key-deleted': 'The key is deleted: requests that use it are refused from now on.',
  'key-renamed': 'The key has its new name. Applications that use it notice nothing.',
  'engine-answered': 'The engine answered.',
  'site-added': 'The site is being read. Its progress is below.',
  'site-due': 'The site will be read again as soon as there is room.',
  'site-schedule': 'The schedule is changed.',
  'site-removed': 'The site and its pages are removed.',
  'documents-added': 'The documents can be found now.',
  'document-removed': 'The document is removed.',
  'stores-answer': 'The stores answer.',
  'models-answer': 'The models of every depth have scored a passage.',
  'sessions-ended': 'The sessions are ended.',
  'session-ended': 'The session is ended.',
  'invitation-withdrawn': 'The invitation is withdrawn.',
  'person-removed': 'The account is closed, its sessions are ended and its keys are deleted.',
}

/** The same of what did not go well. */
const FAILED: Readonly<Record<string, string>> = {
  'engine-failed': 'The engine was asked and did not answer as it should: why, and what to do, stands below.',
}

/** The page that is asked for; of a form, the one that it stands on, and only if it is one of ours. */
export function pageOf(context: DashboardContext): string {
  if (context.method !== 'POST') return context.url
  const from = context.get('Referer')
  if (!URL.canParse(from)) return '/'
  const { pathname, search } = new URL(from)
  const isPage = (path: string): boolean => context.router?.match(path, 'GET').route === true
  return isPage(pathname) ? pathname + search : pageAbove(pathname, isPage)
}

/** Of a page that answered a form and has no address of its own, the one that leads to it: "/users" of "/users/invitations". */
function pageAbove(path: string, isPage: (path: string) => boolean): string {
  const above = path.slice(0, path.lastIndexOf('/'))
  return above === '' ? '/' : isPage(above) ? above : pageAbove(above, isPage)
}

/** The frame of the page that answers this request. */
export function frameOf(context: DashboardContext, assets: AssetUrls, notice: Notice | null = null): Frame {
  const { session, formToken, theme } = context.state.visitor
  const outcome = String(context.query['done'] ?? '')
  return {
    path: context.path,
    back: pageOf(context).replace(/[?&]done=[\w-]*$/u, ''),
    person: session === null ? null : session.user,
    theme,
    formToken,
    pageMark: randomBytes(16).toString('base64url'),
    assets,
    notice: notice ?? told('good', DONE, outcome) ?? told('bad', FAILED, outcome),
  }
}

/** Every object knows `constructor` and the like, which are no outcomes of ours. */
function told(tone: Notice['tone'], texts: Readonly<Record<string, string>>, outcome: string): Notice | null {
  const text = Object.hasOwn(texts, outcome) ? texts[outcome] : undefined
  return text === undefined ? null : { tone, text }
}

/** The address of this service as the reader knows it, without a slash at its end. */
export const baseUrl = (context: DashboardContext, publicUrl: string | null): string =>
  publicUrl ?? `${context.protocol}://${context.host}`

/** Answers with a page. */
export function sendPage(context: DashboardContext, page: JSX.Element, status = 200): void {
  context.status = status
  context.type = 'text/html; charset=utf-8'
  context.body = renderDocument(page)
}

/** Answers a form: the browser loads `path` anew, so that reloading never sends the form twice. */
export function seeOther(context: DashboardContext, path: string): void {
  context.redirect(path)
  context.status = 303
}

// Who looks at a page: the session behind the cookie, the anti-forgery token of the forms, and the guards that turn
// strangers away. One file, because cookie, session and token must never disagree.
import { createHash, randomBytes } from 'node:crypto'
import type { Context, Next } from 'koa'
import type { Session, Sessions } from '../../accounts/people/sessions.ts'
import { notFound } from '../../errors.ts'
import { pageOf, seeOther } from '../frame/respond.ts'
import { readTheme } from './theme.ts'
import type { Cookies } from './cookies.ts'
import type { DashboardContext, Visitor } from '../state.ts'

const STRANGER: Visitor = {
  session: null,
  sessionToken: null,
  hasSessionEnded: false,
  formToken: '',
  theme: 'system',
}
const FORM_SECRET_SHAPE = /^[\w-]{43}$/u

/** Puts the visitor into `context.state`: who the cookie's live session belongs to, or a stranger. */
export function loadVisitor({ sessions, cookies }: { sessions: Sessions; cookies: Cookies }) {
  return async function loadVisitorMiddleware(context: Context, next: Next): Promise<void> {
    // Set before the store is asked, so that even the page about its failure knows who looks: a stranger.
    const theme = readTheme(cookies.get(context, 'theme'))
    context.state['visitor'] = { ...STRANGER, theme }
    // What a page shows depends on who looks, and must not outlive their signing out.
    context.set('Cache-Control', 'no-store')
    const token = cookies.get(context, 'session')
    const session = token === undefined ? null : await sessions.find(token)
    const sessionToken = session === null || token === undefined ? null : token
    const secret = sessionToken ?? strangersSecret(context, cookies)
    const formToken = secret === null ? '' : formTokenOf(secret)
    const hasSessionEnded = token !== undefined && session === null
    context.state['visitor'] = { session, sessionToken, hasSessionEnded, formToken, theme } satisfies Visitor
    await next()
  }
}

/** Gives a stranger the cookie that the token of their form is tied to. Call it before such a form is rendered. */
export function allowStrangersForm(context: DashboardContext, cookies: Cookies): void {
  if (context.state.visitor.formToken !== '') return
  const secret = randomBytes(32).toString('base64url')
  cookies.set(context, 'form', secret)
  context.state.visitor = { ...context.state.visitor, formToken: formTokenOf(secret) }
}

function strangersSecret(context: Context, cookies: Cookies): string | null {
  const secret = cookies.get(context, 'form')
  return secret !== undefined && FORM_SECRET_SHAPE.test(secret) ? secret : null
}

/** The token is derived from the cookie's secret, so nothing has to be stored and no other site can know it. */
const formTokenOf = (secret: string): string =>
  createHash('sha256').update(`verbatim form token\0${secret}`).digest('base64url')

/** Lets people pass who are signed in; sends others to sign in, and back afterwards. */
export async function signedIn(context: DashboardContext, next: Next): Promise<void> {
  if (context.state.visitor.session !== null) return next()
  const query = new URLSearchParams({ next: pageOf(context) })
  if (context.state.visitor.hasSessionEnded) query.set('done', 'session-over')
  seeOther(context, `/sign-in?${query.toString()}`)
}

/** Lets administrators pass. Others see what a wrong address shows. Stands behind `signedIn`. */
export async function adminsOnly(context: DashboardContext, next: Next): Promise<void> {
  if (!sessionOf(context).user.isAdmin) throw notFound()
  await next()
}

/** The session that `signedIn` has made sure of. */
export function sessionOf(context: DashboardContext): Session {
  const { session } = context.state.visitor
  if (session === null) throw new Error('this route stands without the signedIn guard')
  return session
}

/** Whose keys the visitor may see: `{}` stands for everyone's. */
export function ownerFilter(context: DashboardContext): { ownerId?: string } {
  const { user } = sessionOf(context)
  return user.isAdmin ? {} : { ownerId: user.id }
}

/**
 * `next` when it is a path of this service, else the overview: a link must not lead people to another site. What is
 * judged is what will be sent, since reading an address can bring slashes to its front ("/.//evil.example").
 */
export function safePath(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, OWN_ORIGIN)) return HOME
  const { pathname, search, hash } = new URL(next, OWN_ORIGIN)
  const path = pathname + search + hash
  return isOwnPath(next) && isOwnPath(path) ? path : HOME
}

/** Where who came for nothing in particular finds what the service does and what is to be looked after. */
const HOME = '/'

const OWN_ORIGIN = 'http://same.invalid'

/** As every browser reads it: two slashes, or backslashes, begin the name of a host. */
const isOwnPath = (path: string): boolean =>
  /^\/(?![/\\])/u.test(path) && new URL(path, OWN_ORIGIN).origin === OWN_ORIGIN

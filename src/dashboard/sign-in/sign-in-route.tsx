// Signing in and out. A new session is made at every sign-in, so that a cookie planted before it is worth nothing.
import { SignInPage } from './sign-in-view.tsx'
import { checkFormToken, readForm, textField } from '../frame/read-form.ts'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { frameOf, seeOther, sendPage } from '../frame/respond.ts'
import { allowStrangersForm, safePath } from '../visitor/visitor.ts'

export function addSignInRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/sign-in', (context: DashboardContext) => {
    const next = safePath(context.query['next'])
    if (context.state.visitor.session !== null) return seeOther(context, next)
    showSignIn(context, parts, { email: '', next, wrong: null })
  })
  router.post('/sign-in', readForm, checkFormToken, (context: DashboardContext) => signIn(context, parts))
  router.post('/sign-out', readForm, checkFormToken, async (context: DashboardContext) => {
    const { sessionToken } = context.state.visitor
    if (sessionToken !== null) await parts.sessions.revoke(sessionToken)
    parts.cookies.clear(context, 'session')
    seeOther(context, '/sign-in?done=signed-out')
  })
}

async function signIn(context: DashboardContext, parts: DashboardParts): Promise<void> {
  const email = textField(context, 'email')
  const next = safePath(textField(context, 'next'))
  const attempt = { email, password: textField(context, 'password'), address: context.ip }
  const result = await parts.passwords.signIn(attempt)
  if (result.outcome === 'signed_in') {
    await startSession(context, parts, result.user.id)
    await parts.audit.note({ actorId: result.user.id, action: 'signed_in', subject: result.user.email })
    return seeOther(context, next)
  }
  if (result.outcome === 'rate_limited') {
    context.set('Retry-After', String(result.retryAfterSeconds))
    const wrong = `Too many attempts. Wait ${result.retryAfterSeconds} seconds, then try again.`
    return showSignIn(context, parts, { email, next, wrong }, 429)
  }
  showSignIn(context, parts, { email, next, wrong: 'The e-mail address or the password is wrong.' }, 401)
}

/** Ends the session the browser came with, if any, and gives it a fresh one. */
export async function startSession(
  context: DashboardContext,
  parts: DashboardParts,
  userId: string,
): Promise<void> {
  const { sessionToken } = context.state.visitor
  if (sessionToken !== null) await parts.sessions.revoke(sessionToken)
  const { token, expiresAt } = await parts.sessions.create(userId)
  parts.cookies.set(context, 'session', token, expiresAt)
  parts.cookies.clear(context, 'form')
}

function showSignIn(
  context: DashboardContext,
  parts: DashboardParts,
  form: { email: string; next: string; wrong: string | null },
  status = 200,
): void {
  allowStrangersForm(context, parts.cookies)
  const page = (
    <SignInPage frame={frameOf(context, parts.assetUrls)} oidcLabel={parts.oidc?.label ?? null} {...form} />
  )
  sendPage(context, page, status)
}

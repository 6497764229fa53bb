// One's own account: change the password, sign out everywhere.
import { PASSWORD_LENGTH } from '../../accounts/people/password-hasher.ts'
import { notFound } from '../../errors.ts'
import { AccountPage } from './account-view.tsx'
import { checkFormToken, readForm, textField } from '../frame/read-form.ts'
import { WEAK_PASSWORD } from '../sign-in/invitations-route.tsx'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext, DashboardRouter, RoutedContext } from '../state.ts'
import { frameOf, seeOther, sendPage } from '../frame/respond.ts'
import { noteAct } from '../visitor/note-act.ts'
import { sessionOf, signedIn } from '../visitor/visitor.ts'

export function addAccountRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/account', signedIn, (context: DashboardContext) => showAccount(context, parts, {}))
  router.post('/account/password', signedIn, readForm, checkFormToken, (context: DashboardContext) =>
    changePassword(context, parts),
  )
  router.post('/account/sessions/:id/end', signedIn, readForm, checkFormToken, (context: RoutedContext) =>
    endSession(context, parts),
  )
  router.post(
    '/account/sign-out-everywhere',
    signedIn,
    readForm,
    checkFormToken,
    async (context: DashboardContext) => {
      const { user } = sessionOf(context)
      await parts.sessions.revokeAll(user.id)
      await noteAct(context, parts, 'sessions_ended', user.email)
      parts.cookies.clear(context, 'session')
      seeOther(context, '/sign-in?done=signed-out-everywhere')
    },
  )
}

async function endSession(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const { user } = sessionOf(context)
  if (!(await parts.sessions.end(user.id, context.params['id'] ?? ''))) throw notFound()
  await noteAct(context, parts, 'sessions_ended', user.email)
  seeOther(context, '/account?done=session-ended')
}

const REFUSALS = {
  wrong_password: { status: 422, wrong: { current: 'This is not your current password.' } },
  weak_password: { status: 422, wrong: { next: WEAK_PASSWORD } },
  rate_limited: { status: 429, wrong: { current: 'Too many attempts. Wait a minute, then try again.' } },
} as const

async function changePassword(context: DashboardContext, parts: DashboardParts): Promise<void> {
  const { session, sessionToken } = context.state.visitor
  if (session === null || sessionToken === null) throw new Error('this route stands behind signedIn')
  const outcome = await parts.passwords.change(session.user.id, {
    current: textField(context, 'current'),
    next: textField(context, 'next'),
    keepToken: sessionToken,
  })
  if (outcome === 'changed') {
    await noteAct(context, parts, 'password_changed', session.user.email)
    return seeOther(context, '/account?done=password-changed')
  }
  const refusal = REFUSALS[outcome]
  await showAccount(context, parts, refusal.wrong, refusal.status)
}

async function showAccount(
  context: DashboardContext,
  parts: DashboardParts,
  wrong: { current?: string; next?: string },
  status = 200,
): Promise<void> {
  const { user, expiresAt } = sessionOf(context)
  const sessions = await parts.sessions.list(user.id, context.state.visitor.sessionToken)
  const page = (
    <AccountPage
      frame={frameOf(context, parts.assetUrls)}
      user={user}
      sessionExpiresAt={expiresAt}
      sessions={sessions}
      now={new Date()}
      passwordLength={PASSWORD_LENGTH}
      wrong={wrong}
    />
  )
  sendPage(context, page, status)
}

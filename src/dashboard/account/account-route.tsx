// One's own account: change the password, sign out everywhere.
import { PASSWORD_LENGTH } from '../../accounts/people/password-hasher.ts'
import { AccountPage } from './account-view.tsx'
import { checkFormToken, readForm, textField } from '../frame/read-form.ts'
import { WEAK_PASSWORD } from '../people/invitations-route.tsx'
import type { DashboardParts } from '../context.ts'
import type { DashboardContext, DashboardRouter } from '../state.ts'
import { frameOf, seeOther, sendPage } from '../frame/respond.ts'
import { sessionOf, signedIn } from '../visitor/visitor.ts'

export function addAccountRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/account', signedIn, (context: DashboardContext) => showAccount(context, parts, {}))
  router.post('/account/password', signedIn, readForm, checkFormToken, (context: DashboardContext) =>
    changePassword(context, parts),
  )
  router.post(
    '/account/sign-out-everywhere',
    signedIn,
    readForm,
    checkFormToken,
    async (context: DashboardContext) => {
      await parts.sessions.revokeAll(sessionOf(context).user.id)
      parts.cookies.clear(context, 'session')
      seeOther(context, '/sign-in?done=signed-out-everywhere')
    },
  )
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
  if (outcome === 'changed') return seeOther(context, '/account?done=password-changed')
  const refusal = REFUSALS[outcome]
  showAccount(context, parts, refusal.wrong, refusal.status)
}

function showAccount(
  context: DashboardContext,
  parts: DashboardParts,
  wrong: { current?: string; next?: string },
  status = 200,
): void {
  const { user, expiresAt } = sessionOf(context)
  const page = (
    <AccountPage
      frame={frameOf(context, parts.assetUrls)}
      user={user}
      sessionExpiresAt={expiresAt}
      passwordLength={PASSWORD_LENGTH}
      wrong={wrong}
    />
  )
  sendPage(context, page, status)
}

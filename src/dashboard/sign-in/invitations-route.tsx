// The two kinds of links that are sent to people: an invitation makes an account, a reset sets a new password. Both work
// once; what they show to someone with a used, expired or invented link is the same.
import type { Acceptance } from '../../accounts/people/invitations.ts'
import type { User } from '../../accounts/people/user.ts'
import { PASSWORD_LENGTH } from '../../accounts/people/password-hasher.ts'
import { InvitationPage, NewPasswordPage } from './sign-in-view.tsx'
import { MessagePage } from '../frame/message-page.tsx'
import { checkFormToken, readForm, textField } from '../frame/read-form.ts'
import type { DashboardParts } from '../context.ts'
import type { RoutedContext, DashboardRouter } from '../state.ts'
import { frameOf, seeOther, sendPage } from '../frame/respond.ts'
import { startSession } from './sign-in-route.tsx'
import { allowStrangersForm } from '../visitor/visitor.ts'

export function addInvitationRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/invitations/:token', (context: RoutedContext) => showInvitation(context, parts, {}))
  router.post('/invitations/:token', readForm, checkFormToken, (context: RoutedContext) =>
    accept(context, parts),
  )
  router.get('/resets/:token', (context: RoutedContext) => showReset(context, parts, null))
  router.post('/resets/:token', readForm, checkFormToken, (context: RoutedContext) => reset(context, parts))
}

const tokenOf = (context: RoutedContext): string => context.params['token'] ?? ''

export const WEAK_PASSWORD = `A password has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, at least five different ones, and is not your e-mail address.`

type Refusal = Extract<Acceptance, { ok: false }>['reason']

const REFUSALS: Readonly<Record<Exclude<Refusal, 'invalid_invitation'>, Readonly<Record<string, string>>>> = {
  invalid_email: { email: 'This is not an e-mail address this invitation can be used with.' },
  email_taken: { email: 'There is already an account with this e-mail address.' },
  identity_taken: { email: 'This identity already belongs to an account.' },
  weak_password: { password: WEAK_PASSWORD },
}

async function accept(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const name = textField(context, 'name').trim()
  const email = textField(context, 'email').trim()
  if (name === '' || name.length > 100) {
    return showInvitation(context, parts, { name: 'A name has 1 to 100 characters.' })
  }
  const person = { email, name, password: textField(context, 'password') }
  const accepted = await parts.invitations.accept(tokenOf(context), person)
  if (accepted.ok) {
    await noteAccountMade(parts, accepted.user)
    await startSession(context, parts, accepted.user.id)
    return seeOther(context, '/playground?done=welcome')
  }
  if (accepted.reason === 'invalid_invitation') return showDeadLink(context, parts)
  await showInvitation(context, parts, REFUSALS[accepted.reason])
}

/** Notes that somebody has made their account. Never rejects. */
export const noteAccountMade = (
  { audit }: Pick<DashboardParts, 'audit'>,
  { id, email }: User,
): Promise<void> => audit.note({ actorId: id, action: 'account_made', subject: email })

async function showInvitation(
  context: RoutedContext,
  parts: DashboardParts,
  wrong: Readonly<Record<string, string>>,
): Promise<void> {
  const invitation = await parts.invitations.find(tokenOf(context))
  if (invitation === null) return showDeadLink(context, parts)
  allowStrangersForm(context, parts.cookies)
  const page = (
    <InvitationPage
      frame={frameOf(context, parts.assetUrls)}
      isAdmin={invitation.isAdmin}
      boundEmail={invitation.email}
      email={textField(context, 'email')}
      name={textField(context, 'name')}
      passwordLength={PASSWORD_LENGTH}
      oidc={parts.oidc === null ? null : { label: parts.oidc.label, token: tokenOf(context) }}
      wrong={wrong}
    />
  )
  sendPage(context, page, Object.keys(wrong).length === 0 ? 200 : 422)
}

async function reset(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const user = await parts.passwords.findReset(tokenOf(context))
  const outcome = await parts.passwords.reset(tokenOf(context), textField(context, 'password'))
  if (outcome === 'invalid_link') return showDeadLink(context, parts)
  if (outcome === 'weak_password') return showReset(context, parts, WEAK_PASSWORD)
  if (user !== null)
    await parts.audit.note({ actorId: user.id, action: 'password_reset', subject: user.email })
  parts.cookies.clear(context, 'session')
  seeOther(context, '/sign-in?done=password-set')
}

async function showReset(context: RoutedContext, parts: DashboardParts, wrong: string | null): Promise<void> {
  const user = await parts.passwords.findReset(tokenOf(context))
  if (user === null) return showDeadLink(context, parts)
  allowStrangersForm(context, parts.cookies)
  const page = (
    <NewPasswordPage
      frame={frameOf(context, parts.assetUrls)}
      email={user.email}
      passwordLength={PASSWORD_LENGTH}
      wrong={wrong}
    />
  )
  sendPage(context, page, wrong === null ? 200 : 422)
}

function showDeadLink(context: RoutedContext, parts: DashboardParts): void {
  const page = (
    <MessagePage
      frame={frameOf(context, parts.assetUrls)}
      title="This link does not work any more"
      detail="It was used already, has expired or was withdrawn. Ask the person who sent it for a new one."
      next={{ href: '/sign-in', label: 'Sign in' }}
    />
  )
  sendPage(context, page, 404)
}

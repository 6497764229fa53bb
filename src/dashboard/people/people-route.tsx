// What administrators do for people: invite, hand out a link for a new password, close an account.
import {
  INVITATION_DAYS,
  PeoplePage,
  PersonRemovalPage,
  SecretLinkPage,
  type RefusedInvitation,
} from './people-view.tsx'
import type { User } from '../../accounts/people/user.ts'
import { normaliseEmail } from '../../accounts/people/users.ts'
import { ApiError, notFound } from '../../errors.ts'
import { checkFormToken, isSentFirst, readForm, textField } from '../frame/read-form.ts'
import type { DashboardParts } from '../context.ts'
import type { RoutedContext, DashboardRouter } from '../state.ts'
import { baseUrl, frameOf, seeOther, sendPage } from '../frame/respond.ts'
import { noteAct } from '../visitor/note-act.ts'
import { adminsOnly, sessionOf, signedIn } from '../visitor/visitor.ts'

const DAY_MS = 86_400_000
/** Whom an invitation is for that names nobody. */
const ANYONE = 'anyone with the link'

export function addPeopleRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/users', signedIn, adminsOnly, (context: RoutedContext) => showPeople(context, parts, null))
  const form = [signedIn, adminsOnly, readForm, checkFormToken] as const
  router.post('/users/invitations', ...form, (context: RoutedContext) => invite(context, parts))
  router.post('/users/invitations/:id/withdraw', ...form, async (context: RoutedContext) => {
    const id = context.params['id'] ?? ''
    const withdrawn = (await parts.invitations.list()).find((invitation) => invitation.id === id)
    if (!(await parts.invitations.withdraw(id))) throw notFound()
    await noteAct(context, parts, 'invitation_withdrawn', withdrawn?.email ?? ANYONE)
    seeOther(context, '/users?done=invitation-withdrawn')
  })
  router.post('/users/:id/sign-out', ...form, async (context: RoutedContext) => {
    const user = await findActiveUser(context, parts)
    await parts.sessions.revokeAll(user.id)
    await noteAct(context, parts, 'sessions_ended', user.email)
    seeOther(context, '/users?done=sessions-ended')
  })
  router.post('/users/:id/reset', ...form, (context: RoutedContext) => makeReset(context, parts))
  router.get('/users/:id/remove', signedIn, adminsOnly, async (context: RoutedContext) => {
    const user = await findActiveUser(context, parts)
    sendPage(context, <PersonRemovalPage frame={frameOf(context, parts.assetUrls)} user={user} />)
  })
  router.post('/users/:id/remove', ...form, (context: RoutedContext) => remove(context, parts))
}

async function findActiveUser(context: RoutedContext, parts: DashboardParts): Promise<User> {
  const user = await parts.users.get(context.params['id'] ?? '')
  if (user === null || user.disabledAt !== null) throw notFound()
  return user
}

async function invite(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const email = textField(context, 'email').trim()
  const wrong = email === '' ? null : await findFault(parts, email)
  if (wrong !== null) {
    const [role, days] = [textField(context, 'role'), textField(context, 'days')]
    return showPeople(context, parts, { email, role, days, wrong })
  }
  if (!(await isSentFirst(context, parts))) return seeOther(context, '/users?done=made-already')
  const lifetimeDays = INVITATION_DAYS.find((days) => String(days) === textField(context, 'days'))
  const { invitation, token } = await parts.invitations.create({
    isAdmin: textField(context, 'role') === 'admin',
    email: email === '' ? null : email,
    createdBy: sessionOf(context).user.id,
    lifetimeMs: (lifetimeDays ?? 7) * DAY_MS,
  })
  await noteAct(context, parts, 'invitation_made', invitation.email ?? ANYONE)
  const page = (
    <SecretLinkPage
      frame={frameOf(context, parts.assetUrls)}
      title="Invitation made"
      link={`${baseUrl(context, parts.publicUrl)}/invitations/${token}`}
      expiresAt={invitation.expiresAt}
      detail={
        invitation.email === null
          ? 'Whoever opens this link first can make an account with it.'
          : `Only ${invitation.email} can make an account with this link.`
      }
    />
  )
  sendPage(context, page, 201)
}

/** Why nobody can make an account with this address; null when somebody can. */
async function findFault(parts: DashboardParts, email: string): Promise<string | null> {
  if (normaliseEmail(email) === null) return 'This is not an e-mail address.'
  const holder = await parts.users.findByEmail(email)
  return holder?.disabledAt === null ? 'There is already an account with this e-mail address.' : null
}

async function makeReset(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const user = await findActiveUser(context, parts)
  if (!(await isSentFirst(context, parts))) return seeOther(context, '/users?done=made-already')
  const { token, expiresAt } = await parts.passwords.createReset(user.id, sessionOf(context).user.id)
  await noteAct(context, parts, 'reset_made', user.email)
  const page = (
    <SecretLinkPage
      frame={frameOf(context, parts.assetUrls)}
      title="Link for a new password"
      link={`${baseUrl(context, parts.publicUrl)}/resets/${token}`}
      expiresAt={expiresAt}
      detail={`With this link ${user.email} can set a new password. The old one works until then.`}
    />
  )
  sendPage(context, page, 201)
}

async function remove(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const user = await findActiveUser(context, parts)
  if (await parts.users.disable(user.id, sessionOf(context).user.id)) {
    await noteAct(context, parts, 'account_closed', user.email)
    return seeOther(context, '/users?done=person-removed')
  }
  throw new ApiError({
    status: 409,
    code: 'last_admin',
    title: 'This account stays',
    detail: 'It is the last administrator. Invite another one first.',
  })
}

async function showPeople(
  context: RoutedContext,
  parts: DashboardParts,
  refused: RefusedInvitation | null,
): Promise<void> {
  const [users, invitations, keys, sessionCounts] = await Promise.all([
    parts.users.list(),
    parts.invitations.list(),
    parts.keys.list(),
    parts.sessions.counts(),
  ])
  const keyCounts = new Map<string, number>()
  for (const { ownerId } of keys) {
    if (ownerId !== null) keyCounts.set(ownerId, (keyCounts.get(ownerId) ?? 0) + 1)
  }
  const now = new Date()
  const open = invitations.filter(({ acceptedAt, expiresAt }) => acceptedAt === null && expiresAt > now)
  const page = (
    <PeoplePage
      frame={frameOf(context, parts.assetUrls)}
      users={users}
      keyCounts={keyCounts}
      sessionCounts={sessionCounts}
      now={now}
      invitations={open}
      ownId={sessionOf(context).user.id}
      refused={refused}
    />
  )
  sendPage(context, page, refused === null ? 200 : 422)
}

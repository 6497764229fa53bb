// The people who may sign in, for administrators: who they are, open invitations, links that are shown once.
import type { JSX } from 'preact'
import type { Invitation } from '../../accounts/people/invitations.ts'
import type { User } from '../../accounts/people/user.ts'
import { CopyButton, Field, RemovalForm, Select } from '../frame/fields.tsx'
import { formatAge, formatCount, formatDay, formatMoment } from '../frame/formats.ts'
import { FormMark, FormToken, Page, PageHead, type Frame } from '../frame/page.tsx'
import { CardTable, type Column } from '../frame/table.tsx'

/** How many days an invitation may be open. */
export const INVITATION_DAYS = [7, 1, 30] as const

interface PeopleProperties {
  frame: Frame
  /** Oldest first. */
  users: readonly User[]
  /** Usable keys by user id. */
  keyCounts: ReadonlyMap<string, number>
  /** Live sessions by user id. */
  sessionCounts: ReadonlyMap<string, number>
  now: Date
  /** Those that can still be accepted. */
  invitations: readonly Invitation[]
  /** The administrator who looks. */
  ownId: string
  /** The invitation as it was filled in, when it was refused. */
  refused: RefusedInvitation | null
}

export interface RefusedInvitation {
  email: string
  role: string
  days: string
  /** What is wrong with the address. */
  wrong: string
}

export function PeoplePage(properties: PeopleProperties): JSX.Element {
  const { frame, invitations, refused } = properties
  return (
    <Page frame={frame} title="People">
      <PageHead title="People">
        Invite people by a link that works once. They choose their own password, make their own keys, and see
        only those. The <a href="/audit">audit log</a> tells who did what.
      </PageHead>
      <section>
        <h2>Invite someone</h2>
        <form method="post" action="/users/invitations" class="stack">
          <FormToken frame={frame} />
          <FormMark frame={frame} name="invitation" />
          <div class="fields">
            <Field
              name="email"
              label="E-mail address (optional)"
              type="email"
              value={refused?.email ?? ''}
              wrong={refused?.wrong}
              help="Empty: whoever has the link may use it."
            />
            <Select
              name="role"
              label="Role"
              value={refused?.role ?? 'member'}
              options={[
                ['member', 'Member: own keys only'],
                ['admin', 'Administrator: everything'],
              ]}
            />
            <Select
              name="days"
              label="Open for"
              value={refused?.days ?? '7'}
              options={INVITATION_DAYS.map(
                (days) => [String(days), days === 1 ? 'a day' : `${days} days`] as const,
              )}
            />
          </div>
          <div class="actions">
            <button type="submit" class="button">
              Make invitation link
            </button>
          </div>
        </form>
      </section>
      {invitations.length > 0 && <InvitationTable frame={frame} invitations={invitations} />}
      <section>
        <h2>Accounts</h2>
        <PeopleTable {...properties} />
      </section>
    </Page>
  )
}

function InvitationTable({ frame, invitations }: { frame: Frame; invitations: readonly Invitation[] }) {
  const columns: Column<Invitation>[] = [
    {
      label: 'For',
      isRowHead: true,
      look: 'breakable',
      cell: ({ email }) => email ?? 'Anyone with the link',
    },
    { label: 'Role', cell: ({ isAdmin }) => roleLabel(isAdmin) },
    { label: 'Expires', cell: ({ expiresAt }) => formatMoment(expiresAt) },
    {
      label: 'Withdraw',
      isLabelHidden: true,
      cell: ({ id, email, expiresAt }) => (
        <form method="post" action={`/users/invitations/${id}/withdraw`}>
          <FormToken frame={frame} />
          <button type="submit" class="button button-plain button-small">
            Withdraw<span class="visually-hidden"> the invitation {inWords(email, expiresAt)}</span>
          </button>
        </form>
      ),
    },
  ]
  return (
    <section>
      <h2>Open invitations</h2>
      <CardTable columns={columns} rows={invitations} />
    </section>
  )
}

/** Invitations that name nobody are told apart by their end. */
const inWords = (email: string | null, expiresAt: Date): string =>
  email === null ? `for anyone, until ${formatMoment(expiresAt)}` : `of ${email}`

function PeopleTable({ frame, users, keyCounts, sessionCounts, ownId, now }: PeopleProperties) {
  const columns: Column<User>[] = [
    { label: 'Name', isRowHead: true, look: 'breakable', cell: ({ name }) => name },
    { label: 'E-mail address', look: 'breakable', cell: ({ email }) => email },
    {
      label: 'Role',
      cell: ({ disabledAt, isAdmin }) => (disabledAt === null ? roleLabel(isAdmin) : 'Closed'),
    },
    { label: 'Since', look: 'nowrap', cell: ({ createdAt }) => formatDay(createdAt) },
    {
      label: 'Last seen',
      look: 'nowrap',
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? '–' : formatAge(lastSeenAt, now)),
    },
    { label: 'Sessions', look: 'number', cell: ({ id }) => formatCount(sessionCounts.get(id) ?? 0) },
    { label: 'Keys', look: 'number', cell: ({ id }) => formatCount(keyCounts.get(id) ?? 0) },
    {
      label: 'Actions',
      isLabelHidden: true,
      cell: (user) =>
        user.disabledAt === null && user.id !== ownId && <PersonActions frame={frame} user={user} />,
    },
  ]
  return <CardTable columns={columns} rows={users} />
}

function PersonActions({ frame, user }: { frame: Frame; user: User }) {
  return (
    <div class="actions">
      <form method="post" action={`/users/${user.id}/sign-out`}>
        <FormToken frame={frame} />
        <button type="submit" class="button button-plain button-small">
          End sessions<span class="visually-hidden"> of {user.name}</span>
        </button>
      </form>
      <form method="post" action={`/users/${user.id}/reset`}>
        <FormToken frame={frame} />
        <FormMark frame={frame} name={user.id} />
        <button type="submit" class="button button-plain button-small">
          Reset password<span class="visually-hidden"> of {user.name}</span>
        </button>
      </form>
      <a class="button button-plain button-small" href={`/users/${user.id}/remove`}>
        Close<span class="visually-hidden"> the account of {user.name}</span>
      </a>
    </div>
  )
}

const roleLabel = (isAdmin: boolean): string => (isAdmin ? 'Administrator' : 'Member')

interface SecretLinkProperties {
  frame: Frame
  title: string
  detail: string
  link: string
  expiresAt: Date
}

/** A link that is shown once, to be handed to somebody. */
export function SecretLinkPage({ frame, title, detail, link, expiresAt }: SecretLinkProperties): JSX.Element {
  return (
    <Page frame={frame} title={title}>
      <PageHead title={title}>{detail}</PageHead>
      <section>
        <div class="secret">
          <code id="link">{link}</code>
          <CopyButton source="link" label="the link" isFirst />
        </div>
      </section>
      <section>
        <p>
          It works once, until {formatMoment(expiresAt)}, and is shown only now. Send it over a channel that
          others cannot read.
        </p>
        <a class="button" href="/users">
          Back to people
        </a>
      </section>
    </Page>
  )
}

/** The question before an account is closed. */
export function PersonRemovalPage({ frame, user }: { frame: Frame; user: User }): JSX.Element {
  return (
    <Page frame={frame} title="Close account">
      <PageHead title={`Close the account of ${user.name}?`} above={['/users', 'People']}>
        {user.email} is signed out everywhere and cannot sign in again, and all their keys are deleted. This
        cannot be undone.
      </PageHead>
      <RemovalForm frame={frame} does="Close account" leave={['/users', 'Leave it open']} />
    </Page>
  )
}

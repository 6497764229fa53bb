// One's own account.
import type { JSX } from 'preact'
import { Field } from '../frame/fields.tsx'
import type { OpenSession } from '../../accounts/people/open-sessions.ts'
import { formatAge, formatMoment } from '../frame/formats.ts'
import { FormToken, Page, PageHead, type Frame, type Person } from '../frame/page.tsx'
import { CardTable, type Column } from '../frame/table.tsx'
import { NewPasswordField } from '../sign-in/sign-in-view.tsx'

interface AccountProperties {
  frame: Frame
  user: Person & { hasPassword: boolean }
  sessionExpiresAt: Date
  /** The one used last first. */
  sessions: readonly OpenSession[]
  now: Date
  passwordLength: { min: number; max: number }
  wrong: { current?: string; next?: string }
}

export function AccountPage(properties: AccountProperties): JSX.Element {
  const { frame, user, wrong } = properties
  return (
    <Page frame={frame} title="Account">
      <PageHead title="Account">
        {user.name}, {user.email}. {user.isAdmin ? 'You are an administrator.' : ''}
      </PageHead>
      {user.hasPassword && (
        <section>
          <h2>Change password</h2>
          <form method="post" action="/account/password" class="stack narrow">
            <FormToken frame={frame} />
            <Field
              name="current"
              label="Current password"
              type="password"
              autocomplete="current-password"
              required
              wrong={wrong.current}
            />
            <NewPasswordField
              name="next"
              label="New password"
              length={properties.passwordLength}
              wrong={wrong.next}
            />
            <div class="actions">
              <button type="submit" class="button">
                Change password
              </button>
            </div>
          </form>
        </section>
      )}
      <section>
        <h2>Sessions</h2>
        <p>
          This session ends on {formatMoment(properties.sessionExpiresAt)}. If you used a device that is not
          yours, or lost one, end every session at once and sign in again.
        </p>
        <SessionTable {...properties} />
        <form method="post" action="/account/sign-out-everywhere">
          <FormToken frame={frame} />
          <button type="submit" class="button button-plain">
            Sign out everywhere
          </button>
        </form>
      </section>
    </Page>
  )
}

function SessionTable({ frame, sessions, now }: AccountProperties) {
  const columns: Column<AccountProperties['sessions'][number]>[] = [
    { label: 'Signed in', isRowHead: true, cell: ({ createdAt }) => formatMoment(createdAt) },
    {
      label: 'Last seen',
      cell: ({ isCurrent, lastSeenAt }) => (isCurrent ? 'now, by this browser' : formatAge(lastSeenAt, now)),
    },
    {
      label: 'End',
      isLabelHidden: true,
      cell: ({ id, createdAt, isCurrent }) =>
        !isCurrent && (
          <form method="post" action={`/account/sessions/${id}/end`}>
            <FormToken frame={frame} />
            <button type="submit" class="button button-plain button-small">
              End<span class="visually-hidden"> the session of {formatMoment(createdAt)}</span>
            </button>
          </form>
        ),
    },
  ]
  return <CardTable columns={columns} rows={sessions} />
}

// Who did what, newest first.
import type { JSX } from 'preact'
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from '../../accounts/audit/audit.ts'
import { cursorText, type ListCursor } from '../../accounts/store/list-cursor.ts'
import { EmptyState, Select } from '../frame/fields.tsx'
import { formatMoment } from '../frame/formats.ts'
import { Page, PageHead, type Frame } from '../frame/page.tsx'
import { CardTable, type Column } from '../frame/table.tsx'

const ACTIONS: Readonly<Record<AuditAction, string>> = {
  signed_in: 'Signed in',
  password_changed: 'Changed a password',
  password_reset: 'Set a new password by a link',
  sessions_ended: 'Ended sessions',
  key_created: 'Created a key',
  key_renamed: 'Renamed a key',
  key_rotated: 'Rotated a key',
  key_deleted: 'Deleted a key',
  invitation_made: 'Made an invitation',
  invitation_withdrawn: 'Withdrew an invitation',
  account_made: 'Made an account',
  reset_made: 'Made a link for a new password',
  account_closed: 'Closed an account',
  engine_tested: 'Tested a search engine',
  site_added: 'Added a site to the library',
  site_read_again: 'Had a site read again',
  site_schedule_changed: 'Changed how often a site is read',
  site_removed: 'Removed a site',
  document_uploaded: 'Uploaded a document',
  document_removed: 'Removed a document',
}

interface AuditProperties {
  frame: Frame
  /** The one kind that is looked at; null for all. */
  action: AuditAction | null
  entries: readonly AuditEntry[]
  /** Where older ones begin; null when there are none. */
  next: ListCursor | null
}

export function AuditPage({ frame, action, entries, next }: AuditProperties): JSX.Element {
  return (
    <Page frame={frame} style="status" title="Audit log">
      <PageHead title="Audit log" above={['/users', 'People']}>
        What was done to keys, accounts, sessions and the library, and by whom. Entries are kept for 400 days
        and cannot be changed here.
      </PageHead>
      <section>
        <form method="get" action="/audit" class="filters">
          <Select
            name="action"
            label="What"
            value={action ?? ''}
            options={[['', 'Everything'], ...AUDIT_ACTIONS.map((known) => [known, ACTIONS[known]] as const)]}
          />
          <button type="submit" class="button">
            Show
          </button>
        </form>
      </section>
      <section aria-labelledby="entries">
        <h2 id="entries" class="visually-hidden">
          Entries
        </h2>
        {entries.length === 0 ? (
          <EmptyState title="Nothing noted">
            What people do to keys, accounts and the library shows up here.
          </EmptyState>
        ) : (
          <CardTable columns={COLUMNS} rows={entries} />
        )}
        {next !== null && (
          <p class="actions">
            <a
              class="button button-plain"
              href={`/audit?${new URLSearchParams({ action: action ?? '', before: cursorText(next) }).toString()}`}
            >
              Older entries
            </a>
          </p>
        )}
      </section>
    </Page>
  )
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    label: 'When',
    look: 'nowrap',
    cell: ({ occurredAt }) => <time dateTime={occurredAt.toISOString()}>{formatMoment(occurredAt)}</time>,
  },
  { label: 'Who', look: 'breakable', cell: ({ actorEmail }) => actorEmail ?? 'Command line' },
  { label: 'What', cell: ({ action }) => wordsOf(action) },
  { label: 'To what', look: 'breakable', cell: ({ subject }) => subject },
]

const isKnown = (action: string): action is AuditAction => Object.hasOwn(ACTIONS, action)
const wordsOf = (action: string): string => (isKnown(action) ? ACTIONS[action] : action)

// API keys: the form that makes one, the list of those there are, and who made and deleted them.
import type { JSX } from 'preact'
import { hasExpired, type ApiKey } from '../../accounts/keys/api-key.ts'
import type { KeyEvent } from '../../accounts/keys/key-events.ts'
import { EmptyState } from '../frame/fields.tsx'
import { formatAge, formatCount, formatDay, formatMoment } from '../frame/formats.ts'
import { Page, PageHead } from '../frame/page.tsx'
import { CardTable, type Column } from '../frame/table.tsx'
import { KeyHint } from './key-hint.tsx'
import { NewKeyForm, type NewKeyProperties } from './new-key-form.tsx'

interface KeysProperties extends NewKeyProperties {
  /** Newest first. */
  keys: readonly ApiKey[]
  requestsToday: ReadonlyMap<string, number>
  events: readonly KeyEvent[]
  /** E-mail addresses by user id for administrators, who see everyone's keys; null for everybody else. */
  owners: ReadonlyMap<string, string> | null
  now: Date
}

export function KeysPage(properties: KeysProperties): JSX.Element {
  const { frame, keys, owners } = properties
  return (
    <Page frame={frame} title="Keys">
      <PageHead title="Keys">
        Every search carries an API key. Use one per application or environment, so that you can delete one
        without stopping the others.
      </PageHead>
      <section>
        <h2>New key</h2>
        <NewKeyForm {...properties} />
      </section>
      <section>
        <h2>{owners === null ? 'Your keys' : 'All keys'}</h2>
        {keys.length === 0 ? (
          <EmptyState title="No keys yet">
            Name the place that will use the key above, such as “Website” or “Notebook”, and create it.
          </EmptyState>
        ) : (
          <KeyTable {...properties} />
        )}
      </section>
      {properties.events.length > 0 && <KeyHistory events={properties.events} />}
    </Page>
  )
}

function KeyTable({ keys, owners, requestsToday, rateLimit, now }: KeysProperties) {
  const ownerColumns: Column<ApiKey>[] =
    owners === null ? [] : [{ label: 'Owner', look: 'breakable', cell: (key) => ownerLabel(key, owners) }]
  const columns: Column<ApiKey>[] = [
    {
      label: 'Name',
      isRowHead: true,
      look: 'breakable',
      cell: (key) => (
        <>
          {key.name}
          <KeyTerms apiKey={key} durationSeconds={rateLimit.durationSeconds} now={now} />
        </>
      ),
    },
    { label: 'Key', cell: (key) => <KeyHint apiKey={key} /> },
    ...ownerColumns,
    {
      label: 'Created',
      look: 'nowrap',
      cell: ({ createdAt }) => <time dateTime={createdAt.toISOString()}>{formatDay(createdAt)}</time>,
    },
    { label: 'Last used', look: 'nowrap', cell: (key) => <LastUse apiKey={key} now={now} /> },
    {
      label: 'Requests today',
      look: 'number',
      cell: ({ id, name }) => (
        <a href={`/usage?key=${id}`}>
          {formatCount(requestsToday.get(id) ?? 0)}
          <span class="visually-hidden"> requests of {name} today: usage</span>
        </a>
      ),
    },
    {
      label: 'Rename, rotate or delete',
      isLabelHidden: true,
      cell: (key) => <KeyActions apiKey={key} now={now} />,
    },
  ]
  return <CardTable columns={columns} rows={keys} />
}

function LastUse({ apiKey: { lastUsedAt, lastUsedClient }, now }: { apiKey: ApiKey; now: Date }) {
  if (lastUsedAt === null) return <>never</>
  return (
    <span>
      <time dateTime={lastUsedAt.toISOString()}>{formatAge(lastUsedAt, now)}</time>
      {lastUsedClient !== null && (
        <>
          <br />
          <span class="quiet small">by {lastUsedClient}</span>
        </>
      )}
    </span>
  )
}

const ACTIONS = [
  ['Rename', 'rename'],
  ['Rotate', 'rotate'],
  ['Delete', 'delete'],
] as const

function KeyActions({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  const { id, name } = apiKey
  // An expired key has nothing to hand over.
  const actions = ACTIONS.filter(([, page]) => page !== 'rotate' || !hasExpired(apiKey, now))
  return (
    <div class="actions">
      {actions.map(([label, page]) => (
        <a class="button button-plain button-small" href={`/keys/${id}/${page}`}>
          {label}
          <span class="visually-hidden"> key {name}</span>
        </a>
      ))}
    </div>
  )
}

/** The terms of a key: its end, its own limit, where it stands, and what it may be used for. */
function KeyTerms({ apiKey, durationSeconds, now }: { apiKey: ApiKey; durationSeconds: number; now: Date }) {
  const terms: string[] = []
  if (apiKey.expiresAt !== null) {
    terms.push(`${hasExpired(apiKey, now) ? 'expired' : 'expires'} ${endLabel(apiKey.expiresAt)}`)
  }
  if (apiKey.rateLimitPoints !== null) {
    terms.push(`${formatCount(apiKey.rateLimitPoints)} requests per ${durationSeconds} s`)
  }
  if (apiKey.isPathToken) terms.push('sent in the address')
  terms.push(`for ${apiKey.scopes.join(', ')}`)
  return (
    <>
      <br />
      <span class="quiet small">{terms.join(' · ')}</span>
    </>
  )
}

/** A key ends with a day, or by rotation at some moment of one. */
const endLabel = (end: Date): string =>
  end.toISOString().endsWith('T23:59:59.999Z') ? formatDay(end) : formatMoment(end)

const ownerLabel = (key: ApiKey, owners: ReadonlyMap<string, string>): string =>
  key.ownerId === null ? 'Command line' : (owners.get(key.ownerId) ?? 'Closed account')

const HISTORY: readonly Column<KeyEvent>[] = [
  {
    label: 'When',
    look: 'nowrap',
    cell: ({ occurredAt }) => <time dateTime={occurredAt.toISOString()}>{formatMoment(occurredAt)}</time>,
  },
  { label: 'What', cell: ({ event }) => (event === 'created' ? 'Created' : 'Deleted') },
  { label: 'Key', look: 'breakable', cell: ({ keyName }) => keyName },
  { label: 'By', look: 'breakable', cell: ({ byEmail }) => byEmail ?? 'Command line' },
]

function KeyHistory({ events }: { events: readonly KeyEvent[] }) {
  return (
    <section>
      <h2>History</h2>
      <details>
        <summary>Who made and deleted keys</summary>
        <CardTable columns={HISTORY} rows={events} />
      </details>
    </section>
  )
}

// Requests as rows of a table: when, what, how it ended, how long it took, and by which id it is known.
import type { ComponentChildren, JSX } from 'preact'
import type { LoggedRequest } from '../../accounts/activity/request-log.ts'
import { formatDuration, formatMoment } from '../frame/formats.ts'
import { CardTable, type Column } from '../frame/table.tsx'

interface RequestTableProperties {
  requests: readonly LoggedRequest[]
  /** Names of keys by id. */
  keyNames: ReadonlyMap<string, string>
}

export function RequestTable({ requests, keyNames }: RequestTableProperties): JSX.Element {
  const hasQueries = requests.some(({ query }) => query !== null)
  const columns = hasQueries ? [...columnsFor(keyNames), QUERY] : columnsFor(keyNames)
  return <CardTable name="requests" columns={columns} rows={requests} />
}

const QUERY: Column<LoggedRequest> = { label: 'Query', look: 'breakable', cell: ({ query }) => query ?? '–' }

const columnsFor = (keyNames: ReadonlyMap<string, string>): Column<LoggedRequest>[] => [
  {
    label: 'Request id',
    isRowHead: true,
    cell: ({ requestId }) => (
      <a href={`/requests?id=${encodeURIComponent(requestId)}`}>
        <code>{requestId}</code>
      </a>
    ),
  },
  {
    label: 'When',
    look: 'nowrap',
    cell: ({ occurredAt }) => <time dateTime={occurredAt.toISOString()}>{formatMoment(occurredAt)}</time>,
  },
  { label: 'Route', cell: ({ route }) => route },
  { label: 'Ended', cell: endingOf },
  { label: 'Time', look: 'number', cell: ({ elapsedMs }) => formatDuration(elapsedMs) },
  { label: 'Key', look: 'breakable', cell: ({ keyId }) => nameOf(keyId, keyNames) },
  { label: 'Engine', cell: ({ engine }) => engine ?? '–' },
]

/** A code of an error leads to what it means and what to do. */
function endingOf({ status, code, snippets, depth }: LoggedRequest): ComponentChildren {
  if (status === 499) return '499, the client left'
  if (code !== null)
    return (
      <>
        {status} <a href={`/docs/errors#${encodeURIComponent(code)}`}>{code}</a>
      </>
    )
  if (snippets === 0) return depth === null ? String(status) : `${status}, no passage`
  return `${status}, ${snippets} ${snippets === 1 ? 'passage' : 'passages'}`
}

const nameOf = (keyId: string | null, names: ReadonlyMap<string, string>): string =>
  keyId === null ? '–' : (names.get(keyId) ?? 'deleted key')

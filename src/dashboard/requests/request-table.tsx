// Requests as rows of a table: when, what, how it ended, how long it took, and by which id it is known.
import type { JSX } from 'preact'
import type { LoggedRequest } from '../../accounts/activity/request-log.ts'
import { formatDuration, formatMoment } from '../frame/formats.ts'

interface RequestTableProperties {
  requests: readonly LoggedRequest[]
  /** Names of keys by id. */
  keyNames: ReadonlyMap<string, string>
}

export function RequestTable({ requests, keyNames }: RequestTableProperties): JSX.Element {
  const hasQueries = requests.some(({ query }) => query !== null)
  return (
    <table class="cards requests">
      <thead>
        <tr>
          <th scope="col">Request id</th>
          <th scope="col">When</th>
          <th scope="col">Route</th>
          <th scope="col">Ended</th>
          <th scope="col" class="number">
            Time
          </th>
          <th scope="col">Key</th>
          <th scope="col">Engine</th>
          {hasQueries && <th scope="col">Query</th>}
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <tr>
            <th scope="row">
              <a href={`/requests?id=${encodeURIComponent(request.requestId)}`}>
                <code>{request.requestId}</code>
              </a>
            </th>
            <td data-label="When" class="nowrap">
              <time dateTime={request.occurredAt.toISOString()}>{formatMoment(request.occurredAt)}</time>
            </td>
            <td data-label="Route">{request.route}</td>
            <td data-label="Ended">{endingOf(request)}</td>
            <td data-label="Time" class="number">
              {formatDuration(request.elapsedMs)}
            </td>
            <td data-label="Key">{nameOf(request.keyId, keyNames)}</td>
            <td data-label="Engine">{request.engine ?? '–'}</td>
            {hasQueries && <td data-label="Query">{request.query ?? '–'}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function endingOf({ status, code, snippets }: LoggedRequest): string {
  if (status === 499) return '499, the client left'
  if (code !== null) return `${status} ${code}`
  return snippets === 0 ? String(status) : `${status}, ${snippets} ${snippets === 1 ? 'passage' : 'passages'}`
}

const nameOf = (keyId: string | null, names: ReadonlyMap<string, string>): string =>
  keyId === null ? '–' : (names.get(keyId) ?? 'deleted key')

// Which key is used most, beside the sum of all.
import type { JSX } from 'preact'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import { KEY_TOTALS_MAX, type KeyTotal } from '../../accounts/usage/usage-reports.ts'
import { formatCount, formatShare } from '../frame/formats.ts'
import { CardTable, type Column } from '../frame/table.tsx'

interface KeyTableProperties {
  /** Most requests first. */
  totals: readonly KeyTotal[]
  keys: readonly ApiKey[]
  /** Of all keys in this time. */
  requests: number
  /** As it stands in the address. */
  span: string
}

/** As keys are told apart where they stand in a list. */
export const nameOf = ({ name, lastFour, revokedAt }: ApiKey): string =>
  `${name} (…${lastFour})${revokedAt === null ? '' : ', deleted'}`

export function KeyTable({ totals, keys, requests, span }: KeyTableProperties): JSX.Element {
  const known = new Map(keys.map((key) => [key.id, key]))
  const columns: Column<KeyTotal>[] = [
    {
      label: 'Key',
      isRowHead: true,
      look: 'breakable',
      cell: ({ keyId }) => {
        const key = known.get(keyId)
        const query = new URLSearchParams({ key: keyId, span })
        return key === undefined ? keyId : <a href={`/usage?${query.toString()}`}>{nameOf(key)}</a>
      },
    },
    { label: 'Requests', look: 'number', cell: (total) => formatShare(total.requests, requests) },
    { label: 'Errors', look: 'number', cell: (total) => formatShare(total.errors, total.requests) },
    { label: 'Snippets', look: 'number', cell: ({ snippets }) => formatCount(snippets) },
  ]
  return (
    <section>
      <h2>By key</h2>
      {totals.length === KEY_TOTALS_MAX && (
        <p class="quiet small">The {KEY_TOTALS_MAX} keys with most requests.</p>
      )}
      <CardTable columns={columns} rows={totals} />
    </section>
  )
}

// The last requests, to look through: by id, by how they ended, by key.
import type { JSX } from 'preact'
import {
  REQUEST_OUTCOMES,
  type RequestPage,
  type RequestOutcome,
} from '../../accounts/activity/request-log.ts'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import { cursorText } from '../../accounts/store/list-cursor.ts'
import { EmptyState, Field, Select } from '../frame/fields.tsx'
import { Page, PageHead, type Frame } from '../frame/page.tsx'
import { RequestTable } from './request-table.tsx'

const OUTCOME_LABELS: Readonly<Record<RequestOutcome, string>> = {
  answered: 'Answered',
  refused: 'Refused (4xx)',
  failed: 'Failed (5xx)',
}

/** What is looked for; '' for anything. */
export interface RequestFilter {
  id: string
  outcome: RequestOutcome | ''
  key: string
}

interface RequestsProperties {
  frame: Frame
  filter: RequestFilter
  /** To choose from; deleted ones included. */
  keys: readonly ApiKey[]
  page: RequestPage
}

export function RequestsPage({ frame, filter, keys, page }: RequestsProperties): JSX.Element {
  return (
    <Page frame={frame} style="status" title="Requests">
      <PageHead title="Requests">
        {frame.person?.isAdmin ? 'Requests of all keys' : 'Requests with your keys'} of the last 30 days,
        newest first. Every answer carries its id in <code>X-Request-Id</code>.
      </PageHead>
      <section>
        <form method="get" action="/requests" class="filters">
          <Field name="id" label="Request id" value={filter.id} maxLength={64} />
          <Select
            name="outcome"
            label="Ended"
            value={filter.outcome}
            options={[
              ['', 'In any way'],
              ...REQUEST_OUTCOMES.map((outcome) => [outcome, OUTCOME_LABELS[outcome]] as const),
            ]}
          />
          <Select
            name="key"
            label="Key"
            value={filter.key}
            options={[
              ['', 'All keys'],
              ...keys.map(({ id, name, lastFour }) => [id, `${name} (…${lastFour})`] as const),
            ]}
          />
          <div class="actions">
            <button type="submit" class="button">
              Show
            </button>
            {isNarrowed(filter) && (
              <a class="button button-plain" href="/requests">
                Show all
              </a>
            )}
          </div>
        </form>
      </section>
      <section aria-labelledby="found">
        <h2 id="found" class="visually-hidden">
          Found
        </h2>
        <Found page={page} filter={filter} keys={keys} />
      </section>
    </Page>
  )
}

const isNarrowed = ({ id, outcome, key }: RequestFilter): boolean => id !== '' || outcome !== '' || key !== ''

function Found({ page, filter, keys }: Omit<RequestsProperties, 'frame'>) {
  if (page.requests.length === 0)
    return (
      <EmptyState title={isNarrowed(filter) ? 'No such requests' : 'No requests yet'}>
        A request shows up here within seconds of its answer, and stays for 30 days.
      </EmptyState>
    )
  return (
    <>
      <RequestTable requests={page.requests} keyNames={new Map(keys.map(({ id, name }) => [id, name]))} />
      {page.next !== null && (
        <p class="actions">
          <a class="button button-plain" href={`/requests?${olderQuery(filter, page.next)}`}>
            Older requests
          </a>
        </p>
      )}
    </>
  )
}

const olderQuery = (filter: RequestFilter, next: NonNullable<RequestPage['next']>): string =>
  new URLSearchParams({ ...filter, before: cursorText(next) }).toString()

// How much keys are used: totals, charts and the numbers behind them.
import type { JSX } from 'preact'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import type { KeyTotal, UsagePeriod } from '../../accounts/usage/usage-reports.ts'
import { Chart } from './chart.tsx'
import { EmptyState, Select } from '../frame/fields.tsx'
import { formatCount, formatDuration } from '../frame/formats.ts'
import { Page, PageHead, type Frame } from '../frame/page.tsx'
import { KeyTable, nameOf } from './key-table.tsx'

export type UsageSpan = '48h' | '30d' | '90d' | '1y'

interface UsageProperties {
  frame: Frame
  span: UsageSpan
  unit: 'hour' | 'day'
  /** The one key that is looked at; null for all the visitor may see. */
  keyId: string | null
  /** To choose from; deleted ones included. */
  keys: readonly ApiKey[]
  /** Oldest first, without gaps. */
  periods: readonly UsagePeriod[]
  /** Of the keys that are used most; empty where one is looked at, or there is only one. */
  keyTotals: readonly KeyTotal[]
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const HOUR = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

export function UsagePage(properties: UsageProperties): JSX.Element {
  const { frame, periods, keyTotals, keys, span } = properties
  const requests = sum(periods, ({ requests: count }) => count)
  return (
    <Page frame={frame} style="usage" title="Usage">
      <PageHead title="Usage">What your keys were used for. All times are UTC.</PageHead>
      <section>
        <Choices {...properties} />
      </section>
      <section>
        <Totals periods={periods} requests={requests} />
      </section>
      {requests === 0 ? (
        <section>
          <EmptyState title="No requests in this time">
            Make a search with one of your keys and it shows up here within seconds. The{' '}
            <a href="/docs/api">API reference</a> has an example to copy.
          </EmptyState>
        </section>
      ) : (
        <>
          {keyTotals.length > 0 && (
            <KeyTable totals={keyTotals} keys={keys} requests={requests} span={span} />
          )}
          <Charts {...properties} />
        </>
      )}
    </Page>
  )
}

function Choices({ span, keyId, keys }: UsageProperties) {
  const query = new URLSearchParams({ span, key: keyId ?? '' })
  return (
    <form method="get" action="/usage" class="filters">
      <Select
        name="key"
        label="Key"
        value={keyId ?? ''}
        options={[['', 'All keys'], ...keys.map((key): [string, string] => [key.id, nameOf(key)])]}
      />
      <Select
        name="span"
        label="Time"
        value={span}
        options={[
          ['48h', 'Last 48 hours, by hour'],
          ['30d', 'Last 30 days, by day'],
          ['90d', 'Last 90 days, by day'],
          ['1y', 'Last 365 days, by day'],
        ]}
      />
      <div class="actions">
        <button type="submit" class="button">
          Show
        </button>
        <a class="button button-plain" href={`/usage.csv?${query.toString()}`}>
          Download CSV
        </a>
      </div>
    </form>
  )
}

function Totals({ periods, requests }: { periods: readonly UsagePeriod[]; requests: number }) {
  const failed = sum(periods, errorsOf)
  const share = requests === 0 ? '–' : `${((100 * failed) / requests).toFixed(1)} %`
  return (
    <dl class="facts">
      <div>
        <dt>Requests</dt>
        <dd>{formatCount(requests)}</dd>
      </div>
      <div>
        <dt>Errors</dt>
        <dd>{formatCount(failed)}</dd>
      </div>
      <div>
        <dt>Error share</dt>
        <dd>{share}</dd>
      </div>
      <div>
        <dt>Snippets returned</dt>
        <dd>{formatCount(sum(periods, ({ snippets }) => snippets))}</dd>
      </div>
    </dl>
  )
}

function Charts({ periods, unit }: UsageProperties) {
  const times = periods.map(({ startsAt }) => timeLabel(startsAt, unit))
  return (
    <>
      <section class="chart-pair">
        <Chart
          title="Requests"
          kind="bars"
          times={times}
          formatValue={formatCount}
          series={[
            { label: 'Answered', values: periods.map((period) => period.requests - errorsOf(period)) },
            { label: 'Errors', values: periods.map(errorsOf) },
          ]}
        />
        <Chart
          title="Latency"
          kind="lines"
          times={times}
          formatValue={formatDuration}
          series={[
            { label: 'Half of all requests', values: periods.map(({ latencyP50Ms }) => latencyP50Ms) },
            { label: '95 % of all requests', values: periods.map(({ latencyP95Ms }) => latencyP95Ms) },
          ]}
        />
        <Chart
          title="Snippets returned"
          kind="bars"
          times={times}
          formatValue={formatCount}
          series={[{ label: 'Snippets', values: periods.map(({ snippets }) => snippets) }]}
        />
        <Chart
          title="Refused requests"
          kind="bars"
          times={times}
          formatValue={formatCount}
          series={[
            { label: 'Rate limit (429)', values: periods.map(({ rateLimited }) => rateLimited) },
            { label: 'Other 4xx', values: periods.map(({ clientErrors }) => clientErrors) },
          ]}
        />
      </section>
      <section>
        <h2>Numbers</h2>
        <NumberTable periods={periods} unit={unit} />
      </section>
    </>
  )
}

function NumberTable({ periods, unit }: { periods: readonly UsagePeriod[]; unit: 'hour' | 'day' }) {
  const columns = ['Requests', '4xx', '429', '5xx', 'Snippets', 'p50', 'p95']
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Numbers of the charts">
      <table>
        <thead>
          <tr>
            <th scope="col">{unit === 'hour' ? 'Hour' : 'Day'} (UTC)</th>
            {columns.map((column) => (
              <th scope="col" class="number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {periods
            .filter(({ requests }) => requests > 0)
            .toReversed()
            .map((period) => (
              <tr>
                <th scope="row" class="nowrap">
                  {timeLabel(period.startsAt, unit)}
                </th>
                {numbersOf(period).map((value) => (
                  <td class="number nowrap">{value}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}

const numbersOf = (period: UsagePeriod): string[] => [
  formatCount(period.requests),
  formatCount(period.clientErrors),
  formatCount(period.rateLimited),
  formatCount(period.serverErrors),
  formatCount(period.snippets),
  formatDuration(period.latencyP50Ms),
  formatDuration(period.latencyP95Ms),
]

const timeLabel = (moment: Date, unit: 'hour' | 'day'): string =>
  (unit === 'hour' ? HOUR : DAY).format(moment)

const errorsOf = ({ clientErrors, rateLimited, serverErrors }: UsagePeriod): number =>
  clientErrors + rateLimited + serverErrors

const sum = (periods: readonly UsagePeriod[], valueOf: (period: UsagePeriod) => number): number =>
  periods.reduce((total, period) => total + valueOf(period), 0)

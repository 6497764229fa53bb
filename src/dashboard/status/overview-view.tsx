// The page people look after the service by: what it does now, what it did in a day and in a month, which engine fails
// since when, and what to run when something is missing.
import type { JSX } from 'preact'
import type { LoggedRequest } from '../../accounts/activity/request-log.ts'
import { EmptyState } from '../frame/fields.tsx'
import { FoldingSection } from '../frame/folding-section.tsx'
import { formatCount, formatSpan } from '../frame/formats.ts'
import { Page, PageHead, type Frame } from '../frame/page.tsx'
import { RequestTable } from '../requests/request-table.tsx'
import type { ServiceOverview } from '../../telemetry/service-overview.ts'
import type { ServicePart, ServiceStatus } from '../../telemetry/service-status.ts'
import { Attention } from './attention.tsx'
import { CrawlTable, FailingSites, ModelTable } from './detail-tables.tsx'
import { EngineTable } from './engine-table.tsx'
import { FiguresTable, type SpanFigures } from './figures-table.tsx'
import { PartList } from './part-list.tsx'

interface OverviewProperties extends SpanFigures {
  frame: Frame
  status: ServiceStatus
  overview: ServiceOverview
  requests: readonly LoggedRequest[]
  keyNames: ReadonlyMap<string, string>
  now: Date
}

export function OverviewPage(properties: OverviewProperties): JSX.Element {
  const { frame, status, overview, requests, keyNames, now } = properties
  const partsOf = (kind: ServicePart['kind']) => status.parts.filter((part) => part.kind === kind)
  return (
    <Page frame={frame} style="status" script="folding" title="Overview">
      <PageHead title="Overview">
        What the service does now, and what it did in the last day and month. Reload for new figures.
      </PageHead>
      <Now status={status} overview={overview} now={now} />
      <Attention {...properties} {...overview} parts={status.parts} />
      <EngineTable {...properties} {...overview} parts={status.parts} />
      <section aria-labelledby="figures">
        <h2 id="figures">Figures</h2>
        <FiguresTable {...properties} />
      </section>
      <FoldingSection id="requests" title="Last requests" gist={endingsOf(requests)}>
        {requests.length === 0 ? (
          <EmptyState title="No requests yet">
            Make a search with one of your <a href="/keys">keys</a> and it shows up here within seconds.
          </EmptyState>
        ) : (
          <>
            <RequestTable requests={requests} keyNames={keyNames} />
            <p class="actions">
              <a class="button button-plain" href="/requests">
                All requests
              </a>
            </p>
          </>
        )}
      </FoldingSection>
      <FailingSites {...properties} />
      <ModelTable {...properties} models={partsOf('model')} />
      <CrawlTable crawls={overview.crawls} />
      <PartList title="Browser" parts={partsOf('browser')} />
      <PartList title="Storage" parts={partsOf('storage')} />
    </Page>
  )
}

function endingsOf(requests: readonly LoggedRequest[]): string {
  if (requests.length === 0) return 'none yet'
  const failed = requests.filter(({ status }) => status >= 500).length
  return failed === 0 ? 'none failed' : `${failed} of ${requests.length} failed`
}

function Now({ status, overview: { load }, now }: Pick<OverviewProperties, 'status' | 'overview' | 'now'>) {
  const facts = [
    ['Up for', formatSpan(now.getTime() - status.startedAt.getTime())],
    ['Version', status.version],
    ['Searches running', formatCount(load.searches.running)],
    ['In the queue', formatCount(load.searches.waiting)],
    ...(load.browser.tabs === 0 ? [] : browserFacts(load.browser)),
  ] as const
  return (
    <section aria-label="Now">
      <dl class="facts">
        {facts.map(([term, value]) => (
          <div>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const browserFacts = ({ busy, tabs, waiting }: ServiceOverview['load']['browser']) =>
  [
    ['Browser tabs busy', `${busy} of ${tabs}`],
    ['Pages waiting for one', formatCount(waiting)],
  ] as const

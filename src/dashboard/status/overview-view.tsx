// The page people look after the service by: what it does now, what it did in a day and in a month, which engine fails
// since when, and what to run when something is missing.
import type { JSX } from 'preact'
import type { LoggedRequest } from '../../accounts/activity/request-log.ts'
import { EmptyState } from '../frame/fields.tsx'
import { formatCount, formatMoment, formatSpan } from '../frame/formats.ts'
import { Page, PageHead, type Frame } from '../frame/page.tsx'
import { Remedy } from '../frame/remedy.tsx'
import { RequestTable } from '../requests/request-table.tsx'
import type { ServiceOverview } from '../../telemetry/service-overview.ts'
import type { PartState, ServicePart, ServiceStatus } from '../../telemetry/service-status.ts'
import { CrawlTable, FailingSites, ModelTable } from './detail-tables.tsx'
import { countedFailure, EngineTable } from './engine-table.tsx'
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
    <Page frame={frame} style="status" title="Overview">
      <PageHead title="Overview">
        What the service does now, and what it did in the last day and month. Reload for new figures.
      </PageHead>
      <Now status={status} overview={overview} now={now} />
      <ToLookAfter parts={status.parts} engines={overview.engines} day={properties.day} />
      <section aria-labelledby="figures">
        <h2 id="figures">Figures</h2>
        <FiguresTable {...properties} />
      </section>
      <EngineTable {...properties} engines={overview.engines} />
      <section aria-labelledby="requests">
        <h2 id="requests">Last requests</h2>
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
      </section>
      <FailingSites {...properties} />
      <ModelTable {...properties} models={partsOf('model')} />
      <CrawlTable crawls={overview.crawls} />
      <PartList title="Browser" parts={partsOf('browser')} />
      <PartList title="Storage" parts={partsOf('storage')} />
    </Page>
  )
}

function Now({ status, overview: { load }, now }: Pick<OverviewProperties, 'status' | 'overview' | 'now'>) {
  const facts = [
    ['Up for', formatSpan(now.getTime() - status.startedAt.getTime())],
    ['Version', status.version],
    ['Searches running', formatCount(load.searches.running)],
    ['In the queue', formatCount(load.searches.waiting)],
    ['Browser tabs busy', `${load.browser.busy} of ${load.browser.tabs}`],
    ['Pages waiting for one', formatCount(load.browser.waiting)],
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

const TO_LOOK_AFTER: ReadonlySet<PartState> = new Set(['failing', 'missing', 'limited'])

interface ToLookAfterProperties extends Pick<OverviewProperties, 'day'> {
  parts: readonly ServicePart[]
  engines: ServiceOverview['engines']
}

function ToLookAfter({ parts, engines, day }: ToLookAfterProperties) {
  const open = parts.filter(({ state }) => TO_LOOK_AFTER.has(state))
  // This replica has not asked them yet; the counts of all of them know how they did.
  const silent = engines.flatMap((engine) => {
    const since = engine.condition === 'untried' ? countedFailure(engine, day) : null
    return since === null ? [] : [{ name: engine.name, since }]
  })
  if (open.length === 0 && silent.length === 0) return null
  return (
    <section class="notice notice-warn" aria-labelledby="look-after">
      <h2 id="look-after" class="notice-title">
        Needs attention
      </h2>
      <ul>
        {silent.map(({ name, since }) => (
          <li>
            <strong>search engine {name}</strong>: It failed when it was last asked, before this replica
            started; no answer was counted since {formatMoment(since)}.{' '}
            <a href={`#engine-${name}`}>Test it</a>
          </li>
        ))}
        {open.map(({ kind, name, detail, remedy }) => (
          <li>
            <strong>
              {kind} {name}
            </strong>
            : {detail} {remedy !== null && <Remedy remedy={remedy} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

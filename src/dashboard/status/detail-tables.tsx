// Failing sites, models and crawls, a table each.
import type { JSX } from 'preact'
import type { HostFigures, ModelFigures } from '../../accounts/activity/figures.ts'
import { EmptyState } from '../frame/fields.tsx'
import { formatCount, formatDuration, formatMoment } from '../frame/formats.ts'
import { StateLabel } from '../frame/state-label.tsx'
import type { CrawlOverview } from '../../telemetry/service-overview.ts'
import type { ServicePart } from '../../telemetry/service-status.ts'
import type { SpanFigures } from './figures-table.tsx'

/** Why a page could not be read; a code that is new reads as itself. */
const REASONS: Readonly<Record<string, string>> = {
  gone: 'page is gone',
  http_status: 'answered with an error',
  timeout: 'too slow',
  unreachable: 'out of reach',
  address_refused: 'address not opened',
  too_many_redirects: 'redirects too often',
  too_large: 'too large',
  not_text: 'no text',
  robots_disallowed: 'robots.txt says no',
  truncated: 'broke off',
  site_busy: 'asked us to wait',
  encrypted: 'encrypted file',
  scanned: 'scanned file',
  damaged: 'damaged file',
  empty: 'empty',
}

export function FailingSites({ day, month }: SpanFigures): JSX.Element {
  const daily = new Map(day.failingHosts.map(({ host, failures }) => [host, failures]))
  return (
    <section aria-labelledby="sites">
      <h2 id="sites">Failing sites</h2>
      {month.failingHosts.length === 0 ? (
        <EmptyState title="Every page was read">Sites whose pages cannot be read are listed here.</EmptyState>
      ) : (
        <table class="cards">
          <thead>
            <tr>
              <th scope="col">Site</th>
              <th scope="col">Why, in 30 days</th>
              <th scope="col" class="number">
                24 h
              </th>
              <th scope="col" class="number">
                30 d
              </th>
            </tr>
          </thead>
          <tbody>
            {month.failingHosts.map(({ host, reasons, failures }) => (
              <tr>
                <th scope="row">{host}</th>
                <td data-label="Why, in 30 days">{formatReasons(reasons)}</td>
                <td data-label="24 h" class="number">
                  {formatCount(daily.get(host) ?? 0)}
                </td>
                <td data-label="30 d" class="number">
                  {formatCount(failures)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

const formatReasons = (reasons: HostFigures['reasons']): string =>
  reasons.map(({ reason, count }) => `${REASONS[reason] ?? reason} (${formatCount(count)})`).join(', ')

export function ModelTable({
  models,
  day,
  month,
}: SpanFigures & { models: readonly ServicePart[] }): JSX.Element {
  return (
    <section aria-labelledby="models">
      <h2 id="models">Models by depth</h2>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Depth</th>
            <th scope="col">Fit</th>
            <th scope="col">Model</th>
            <th scope="col" class="number">
              Scoring, median 24 h
            </th>
            <th scope="col" class="number">
              Searches 24 h
            </th>
            <th scope="col" class="number">
              30 d
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ name, state, detail, remedy }) => (
            <tr>
              <th scope="row">{name}</th>
              <td data-label="Fit">
                <StateLabel state={state} words={state === 'ready' ? 'Its own' : 'Stand-in'} />
              </td>
              <td data-label="Model">
                <span>
                  {detail}
                  {remedy !== null && (
                    <>
                      <br />
                      <code>{remedy}</code>
                    </>
                  )}
                </span>
              </td>
              <td data-label="Scoring, median 24 h" class="number">
                {formatDuration(ofDepth(day.models, name)[0]?.medianMs ?? null)}
              </td>
              <td data-label="Searches 24 h" class="number">
                {formatCount(searchesOf(day.models, name))}
              </td>
              <td data-label="30 d" class="number">
                {formatCount(searchesOf(month.models, name))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const ofDepth = (models: readonly ModelFigures[], depth: string): ModelFigures[] =>
  models.filter((model) => model.depth === depth)

const searchesOf = (models: readonly ModelFigures[], depth: string): number =>
  ofDepth(models, depth).reduce((sum, { searches }) => sum + searches, 0)

export function CrawlTable({ crawls }: { crawls: readonly CrawlOverview[] }): JSX.Element {
  return (
    <section aria-labelledby="crawls">
      <h2 id="crawls">Crawls</h2>
      {crawls.length === 0 ? (
        <EmptyState title="No sites yet">
          A site is read into the library by <code>npm run -s verbatim -- index crawl URL</code>.
        </EmptyState>
      ) : (
        <table class="cards">
          <thead>
            <tr>
              <th scope="col">Site</th>
              <th scope="col">State</th>
              <th scope="col" class="number">
                Read
              </th>
              <th scope="col" class="number">
                Waiting
              </th>
              <th scope="col" class="number">
                Failed
              </th>
            </tr>
          </thead>
          <tbody>
            {crawls.map(({ url, finishedAt, pages }) => (
              <tr>
                <th scope="row">{url}</th>
                <td data-label="State">
                  {finishedAt === null ? 'Not finished' : `Finished ${formatMoment(finishedAt)}`}
                </td>
                <td data-label="Read" class="number">
                  {formatCount(pages.read)}
                </td>
                <td data-label="Waiting" class="number">
                  {formatCount(pages.waiting)}
                </td>
                <td data-label="Failed" class="number">
                  {formatCount(pages.failed)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

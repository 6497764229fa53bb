// The figures of the last day and month, side by side.
import type { JSX } from 'preact'
import type { ActivityFigures } from '../../accounts/activity/figures.ts'
import { formatCount, formatDuration, formatShare } from '../frame/formats.ts'

export interface SpanFigures {
  day: ActivityFigures
  month: ActivityFigures
}

/** A row: what is told, and how it is read from the figures of a span. */
type FigureRow = readonly [label: string, read: (figures: ActivityFigures) => string]

const GROUPS: readonly (readonly [title: string, rows: readonly FigureRow[]])[] = [
  [
    'Searches',
    [
      ['Searches', ({ searches }) => formatCount(searches.total)],
      ['Answered', ({ searches }) => formatCount(searches.answered)],
      ['Failed or refused', ({ searches }) => formatShare(searches.failed, searches.total)],
      ['Time, median', ({ latency }) => formatDuration(latency.p50Ms)],
      ['Time, 95 of 100', ({ latency }) => formatDuration(latency.p95Ms)],
      ['Time, 99 of 100', ({ latency }) => formatDuration(latency.p99Ms)],
      ['Wait in the queue, 95 of 100', ({ waitP95Ms }) => formatDuration(waitP95Ms)],
    ],
  ],
  [
    'Requests to the API',
    [
      ['Requests', ({ requests }) => formatCount(requests.total)],
      ['Refused (4xx)', ({ requests }) => formatShare(requests.refused, requests.total)],
      ['Over a limit (429)', ({ requests }) => formatShare(requests.rateLimited, requests.total)],
      ['Failed (5xx)', ({ requests }) => formatShare(requests.failed, requests.total)],
    ],
  ],
  [
    'Pages',
    [
      ['Pages opened', ({ pages }) => formatCount(pages.total)],
      ['From the cache', ({ pages }) => formatShare(pages.cached, pages.total)],
      ['Read by a browser', ({ pages }) => formatShare(pages.rendered, pages.total)],
      ['Not read', ({ pages }) => formatShare(pages.failed, pages.total)],
    ],
  ],
]

export function FiguresTable({ day, month }: SpanFigures): JSX.Element {
  return (
    <div class="figures">
      {GROUPS.map(([title, rows]) => (
        <table>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              <th scope="col" class="number">
                24 h
              </th>
              <th scope="col" class="number">
                30 d
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, read]) => (
              <tr>
                <th scope="row">{label}</th>
                <td class="number">{read(day)}</td>
                <td class="number">{read(month)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  )
}

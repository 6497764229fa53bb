// How an answer was made: the stages as a waterfall, a bar a page by reader and stage, which pages were dropped and why,
// which passages were rejected, and the rest of `explain` as it came.
import type { JSX } from 'preact'
import { CodeBlock } from '../frame/fields.tsx'
import { formatCount, formatDuration } from '../frame/formats.ts'
import {
  domainOf,
  READ_BY,
  readExplanation,
  type ExplainedAnswer,
  type ExplainedPage,
} from './explained-pages.ts'
import { RejectedPassages } from './rejected-passages.tsx'

interface ExplanationProperties {
  /** Milliseconds by stage, in the order in which the stages ran, one after the other. */
  stages: Readonly<Record<string, number>>
  totalMs: number
  /** The answer's `explain`. */
  explain: unknown
  /** The scores of what was returned. */
  returned: readonly number[]
  isOpen: boolean
}

const STAGE_LABELS: Readonly<Record<string, string>> = {
  provider: 'Ask search engines',
  choose: 'Choose pages',
  pages: 'Read pages',
  score: 'Score passages',
}

/** Bars are drawn on a scale of so many units; the shortest is still to be seen. */
const SCALE = 1_000
const SHORTEST = 5

export function Explanation(properties: ExplanationProperties): JSX.Element {
  const { stages, totalMs, explain, returned, isOpen } = properties
  const explained = readExplanation(explain)
  return (
    <section aria-labelledby="explain-title">
      <h2 id="explain-title">Explain</h2>
      <details open={isOpen} class="explanation">
        <summary>Where the time went, what was dropped, what was rejected</summary>
        <StageBars stages={stages} totalMs={totalMs} />
        {explained !== null && (
          <>
            <PageBars pages={explained.pages} totalMs={totalMs} />
            <DroppedPages dropped={explained.filters.dropped_pages} />
            <RejectedPassages pages={explained.pages} threshold={explained.threshold} returned={returned} />
            <details>
              <summary>Everything “explain” tells</summary>
              <CodeBlock
                id="explain"
                label="explain"
                language="json"
                code={JSON.stringify(explain, null, 2)}
              />
            </details>
          </>
        )}
      </details>
    </section>
  )
}

function StageBars({ stages, totalMs }: Pick<ExplanationProperties, 'stages' | 'totalMs'>) {
  return (
    <table class="waterfall">
      <caption>Where the {formatDuration(totalMs)} went</caption>
      <tbody>
        {stagesInTurn(stages).map(({ name, startMs, elapsedMs }) => (
          <tr>
            <th scope="row">
              {STAGE_LABELS[name] ?? name} <span class="quiet small">{formatDuration(elapsedMs)}</span>
            </th>
            <td class="bar">
              <Bar totalMs={totalMs} spans={[{ look: 'stage', startMs, elapsedMs }]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function stagesInTurn(stages: Readonly<Record<string, number>>) {
  let startMs = 0
  return Object.entries(stages).map(([name, elapsedMs]) => {
    const stage = { name, startMs, elapsedMs }
    startMs += elapsedMs
    return stage
  })
}

function PageBars({ pages, totalMs }: { pages: readonly ExplainedPage[]; totalMs: number }) {
  if (pages.length === 0) return null
  return (
    <table class="waterfall">
      <caption>
        Pages side by side: <Key look="static" /> opened by fetch, <Key look="browser" /> by browser,{' '}
        <Key look="cache" /> from the cache, <Key look="reading" /> then read and cut into passages
      </caption>
      <tbody>
        {pages.map((page) => (
          <tr>
            <th scope="row">
              {domainOf(page.url)} <span class="quiet small">{timesOf(page)}</span>
            </th>
            <td class="bar">
              <Bar totalMs={totalMs} spans={spansOf(page)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function timesOf({
  read_by: reader,
  load_ms: loadMs,
  elapsed_ms: elapsedMs,
  passages,
}: ExplainedPage): string {
  if (reader === null) return `not read, ${formatDuration(elapsedMs)}`
  const [opened, read] = [formatDuration(loadMs), formatDuration(elapsedMs - loadMs)]
  const count = `${formatCount(passages)} ${passages === 1 ? 'passage' : 'passages'}`
  return `${READ_BY[reader]} in ${opened}, read in ${read}, ${count}`
}

interface BarSpan {
  look: 'stage' | 'reading' | 'failed' | keyof typeof READ_BY
  startMs: number
  elapsedMs: number
}

function spansOf(page: ExplainedPage): BarSpan[] {
  const { read_by: reader, started_ms: startMs, load_ms: loadMs, elapsed_ms: elapsedMs } = page
  return [
    { look: reader ?? 'failed', startMs, elapsedMs: loadMs },
    { look: 'reading', startMs: startMs + loadMs, elapsedMs: elapsedMs - loadMs },
  ]
}

/** What it shows stands in words beside it. */
function Bar({ totalMs, spans }: { totalMs: number; spans: readonly BarSpan[] }) {
  const scaled = (ms: number): number => (SCALE * ms) / Math.max(totalMs, 1)
  return (
    <svg viewBox={`0 0 ${SCALE} 10`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width={SCALE} height="10" />
      {spans
        .filter(({ elapsedMs }) => elapsedMs > 0)
        .map(({ look, startMs, elapsedMs }) => (
          <rect
            class={`span-${look}`}
            x={Math.min(SCALE - SHORTEST, scaled(startMs))}
            width={Math.max(SHORTEST, scaled(elapsedMs))}
            height="10"
          />
        ))}
    </svg>
  )
}

function Key({ look }: { look: BarSpan['look'] }) {
  return (
    <svg class="key" viewBox="0 0 10 10" aria-hidden="true">
      <rect class={`span-${look}`} width="10" height="10" />
    </svg>
  )
}

/** Why a page that was read is not in the answer. */
const DROP_REASONS: Readonly<Record<string, string>> = {
  domain: 'its domain is one that was left out',
  recency: 'it was not published when it was asked for, or does not tell',
  language: 'it is in another language',
  duplicate: 'another hit led to the same page',
  copy: 'it prints what another page printed first',
}

function DroppedPages({ dropped }: { dropped: ExplainedAnswer['filters']['dropped_pages'] }) {
  return (
    <>
      <h3>Dropped pages</h3>
      {dropped.length === 0 ? (
        <p class="quiet">No page that was read was left out.</p>
      ) : (
        <ul class="dropped">
          {dropped.map(({ url, reason }) => (
            <li>
              {url}: <span class="quiet">{DROP_REASONS[reason] ?? reason}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

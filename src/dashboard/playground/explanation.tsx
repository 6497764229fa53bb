// How an answer was made: the stages as a waterfall, and the rest of `explain` as it came.
import type { JSX } from 'preact'
import { CodeBlock } from '../frame/fields.tsx'
import { formatDuration } from '../frame/formats.ts'

interface ExplanationProperties {
  /** Milliseconds by stage, in the order in which the stages ran, one after the other. */
  stages: Readonly<Record<string, number>>
  totalMs: number
  /** The answer's `explain`, when it was asked for. */
  explain: unknown
}

const STAGE_LABELS: Readonly<Record<string, string>> = {
  provider: 'Ask search engines',
  pages: 'Read pages',
  score: 'Score passages',
}

export function Explanation({ stages, totalMs, explain }: ExplanationProperties): JSX.Element {
  return (
    <section>
      <h2>Explain</h2>
      <table class="waterfall">
        <caption>Where the {formatDuration(totalMs)} went</caption>
        <tbody>
          {stagesInTurn(stages).map(({ name, startMs, elapsedMs }) => (
            <tr>
              <th scope="row">{STAGE_LABELS[name] ?? name}</th>
              <td class="number nowrap">{formatDuration(elapsedMs)}</td>
              <td class="bar">
                <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    x={Math.min(995, (1_000 * startMs) / Math.max(totalMs, 1))}
                    width={Math.max(5, (1_000 * elapsedMs) / Math.max(totalMs, 1))}
                    height="10"
                  />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {explain !== undefined && (
        <details>
          <summary>Everything “explain” tells</summary>
          <CodeBlock id="explain" label="explain" code={JSON.stringify(explain, null, 2)} />
        </details>
      )}
    </section>
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

// The search engines: which works, which failed since when and why, and a way to ask one now.
import type { JSX } from 'preact'
import type { EngineFigures } from '../../accounts/activity/figures.ts'
import { formatAge, formatCount, formatDuration, formatMoment } from '../frame/formats.ts'
import { FormToken, type Frame } from '../frame/page.tsx'
import { StateLabel } from '../frame/state-label.tsx'
import type { EngineCondition, EngineOverview } from '../../telemetry/service-overview.ts'
import type { PartState } from '../../telemetry/service-status.ts'
import type { SpanFigures } from './figures-table.tsx'

const CONDITIONS: Readonly<Record<EngineCondition, readonly [state: PartState, words: string]>> = {
  untried: ['untried', 'Not asked yet'],
  answering: ['ready', 'Answering'],
  failing: ['failing', 'Failing'],
  resting: ['limited', 'Resting'],
  left_alone: ['failing', 'Left alone'],
}

/** The engine that costs nothing to ask. */
const EMBEDDED = 'library'

interface EngineTableProperties extends SpanFigures {
  frame: Frame
  engines: readonly EngineOverview[]
  now: Date
}

export function EngineTable(properties: EngineTableProperties): JSX.Element {
  const { frame, engines } = properties
  const mayTest = frame.person?.isAdmin ?? false
  return (
    <section aria-labelledby="engines">
      <h2 id="engines">Search engines</h2>
      <p class="quiet small">
        State, breaker and median are those of this process since its start; counts are those of all replicas.
        {mayTest && ' A test asks one plain question, which a paid engine charges as a search.'}
      </p>
      <table class="cards engines">
        <thead>
          <tr>
            <th scope="col">Engine</th>
            <th scope="col">State</th>
            <th scope="col">Last failure</th>
            <th scope="col" class="number">
              Median
            </th>
            <th scope="col" class="number">
              Answered, failed 24 h
            </th>
            <th scope="col" class="number">
              30 d
            </th>
            {mayTest && (
              <th scope="col">
                <span class="visually-hidden">Test</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {engines.map((engine) => (
            <EngineRow {...properties} engine={engine} mayTest={mayTest} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface EngineRowProperties extends EngineTableProperties {
  engine: EngineOverview
  mayTest: boolean
}

function EngineRow({ frame, engine, mayTest, day, month, now }: EngineRowProperties) {
  return (
    <tr id={`engine-${engine.name}`}>
      <th scope="row">{engine.name}</th>
      <td data-label="State">
        <EngineCondition engine={engine} now={now} />
      </td>
      <td data-label="Last failure">
        <LastFailure engine={engine} now={now} />
      </td>
      <td data-label="Median" class="number">
        {formatDuration(engine.medianMs)}
      </td>
      <td data-label="Answered, failed 24 h" class="number">
        {formatCounts(day.engines, engine.name)}
      </td>
      <td data-label="30 d" class="number">
        {formatCounts(month.engines, engine.name)}
      </td>
      {mayTest && (
        <td>
          <form method="post" action={`/engines/${engine.name}/test`}>
            <FormToken frame={frame} />
            <button type="submit" class="button button-plain button-small">
              Test now
              <span class="visually-hidden">
                : {engine.name}
                {engine.name === EMBEDDED ? '' : ', costs a request'}
              </span>
            </button>
          </form>
        </td>
      )}
    </tr>
  )
}

function EngineCondition({ engine, now }: { engine: EngineOverview; now: Date }) {
  const [state, words] = CONDITIONS[engine.condition]
  return (
    <span>
      <StateLabel state={state} words={words} />
      {engine.failingSince !== null && (
        <>
          <br />
          <span class="quiet small">
            since{' '}
            <time dateTime={engine.failingSince.toISOString()} title={formatMoment(engine.failingSince)}>
              {formatAge(engine.failingSince, now)}
            </time>
          </span>
        </>
      )}
      {engine.condition === 'left_alone' && (
        <>
          <br />
          <span class="quiet small">breaker open: not asked until a pause is over</span>
        </>
      )}
    </span>
  )
}

function LastFailure({ engine: { lastFailure }, now }: { engine: EngineOverview; now: Date }) {
  if (lastFailure === null) return <span class="quiet">none</span>
  return (
    <span>
      It {lastFailure.words}
      <br />
      <time class="quiet small" dateTime={lastFailure.at.toISOString()} title={formatMoment(lastFailure.at)}>
        {formatAge(lastFailure.at, now)}
      </time>
    </span>
  )
}

function formatCounts(engines: readonly EngineFigures[], name: string): string {
  const counted = engines.find((engine) => engine.name === name)
  return counted === undefined ? '–' : `${formatCount(counted.answered)}, ${formatCount(counted.failed)}`
}

// The search engines: which works, which failed since when and why, and a way to ask one now.
import type { JSX } from 'preact'
import type { EngineFigures } from '../../accounts/activity/figures.ts'
import { formatAge, formatCount, formatDuration, formatMoment } from '../frame/formats.ts'
import { FormToken, type Frame } from '../frame/page.tsx'
import { StateLabel } from '../frame/state-label.tsx'
import { CardTable, type Column } from '../frame/table.tsx'
import type { EngineCondition, EngineOverview } from '../../telemetry/service-overview.ts'
import { isOffer, type PartState, type ServicePart } from '../../telemetry/service-status.ts'
import { type CountedEngine, type CountedFigures, countedFailure, countedReason } from './counted-failure.ts'
import { WithRemedy } from './remedy.tsx'

const CONDITIONS: Readonly<Record<EngineCondition, readonly [state: PartState, words: string]>> = {
  untried: ['untried', 'Not asked yet'],
  answering: ['ready', 'Answering'],
  failing: ['failing', 'Failing'],
  resting: ['limited', 'Resting'],
  left_alone: ['failing', 'Left alone'],
}

/** The engine that costs nothing to ask. */
const EMBEDDED = 'library'

interface EngineTableProperties extends CountedFigures {
  frame: Frame
  engines: readonly EngineOverview[]
  /** What the service says of itself; of engines, what could be added is told here. */
  parts: readonly ServicePart[]
  now: Date
}

/** Every engine that may be asked, with a row of its own. */
export function EngineTable(properties: EngineTableProperties): JSX.Element {
  const { frame, engines, parts } = properties
  const offers = parts.filter((part) => part.kind === 'search engine' && isOffer(part))
  const mayTest = mayTestEngines(frame)
  return (
    <section aria-labelledby="engines">
      <h2 id="engines">Search engines</h2>
      <p class="quiet small">
        State, last failure and median are those of this replica since its start; counts are those of all
        replicas.
        {mayTest && ' A test asks one plain question, which a paid engine charges as a search.'}
      </p>
      <CardTable
        name="engines"
        columns={mayTest ? [...columnsFor(properties), testColumn(frame)] : columnsFor(properties)}
        rows={engines}
        idOf={({ name }) => `engine-${name}`}
      />
      {offers.map(({ detail, remedy }) => (
        <p class="quiet small">
          <WithRemedy detail={detail} remedy={remedy} />
        </p>
      ))}
    </section>
  )
}

const columnsFor = ({ now, ...figures }: EngineTableProperties): Column<EngineOverview>[] => [
  { label: 'Engine', isRowHead: true, cell: ({ name }) => name },
  { label: 'State', cell: (engine) => <EngineCondition engine={engine} figures={figures} now={now} /> },
  { label: 'Last failure', cell: (engine) => <LastFailure engine={engine} figures={figures} now={now} /> },
  { label: 'Median', look: 'number', cell: ({ medianMs }) => formatDuration(medianMs) },
  { label: 'Answered, 24 h', look: 'number', cell: ({ name }) => formatCounts(figures.day.engines, name) },
  { label: '30 d', look: 'number', cell: ({ name }) => formatCounts(figures.month.engines, name) },
]

const testColumn = (frame: Frame): Column<EngineOverview> => ({
  label: 'Test',
  isLabelHidden: true,
  cell: ({ name }) => <TestEngine frame={frame} name={name} />,
})

/** Tests cost requests: they are for administrators. */
export const mayTestEngines = (frame: Frame): boolean => frame.person?.isAdmin ?? false

/** The button that asks one engine now. */
export function TestEngine({ frame, name }: { frame: Frame; name: string }): JSX.Element {
  return (
    <form method="post" action={`/engines/${name}/test`}>
      <FormToken frame={frame} />
      <button type="submit" class="button button-plain button-small" data-busy="Testing…">
        Test now
        <span class="visually-hidden">
          : {name}
          {name === EMBEDDED ? '' : ', costs a request'}
        </span>
      </button>
    </form>
  )
}

function EngineCondition({ engine, figures, now }: CountedEngine) {
  const [state, words] = CONDITIONS[engine.condition]
  const counted = countedFailure(engine, figures, now)
  return (
    <span>
      <StateLabel state={state} words={words} />
      {engine.condition === 'answering' && engine.lastAnswerAt !== null && (
        <>
          <br />
          <span class="quiet small">
            last answer{' '}
            <time dateTime={engine.lastAnswerAt.toISOString()}>{formatAge(engine.lastAnswerAt, now)}</time>
          </span>
        </>
      )}
      {engine.failingSince !== null && (
        <>
          <br />
          <span class="quiet small">
            since{' '}
            <time dateTime={engine.failingSince.toISOString()}>{formatMoment(engine.failingSince)}</time>,{' '}
            {formatAge(engine.failingSince, now)}
          </span>
        </>
      )}
      {counted !== null && (
        <>
          <br />
          <span class="quiet small">
            no answer counted since <time dateTime={counted.since.toISOString()}>{counted.told}</time>
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

function LastFailure({ engine, figures, now }: CountedEngine) {
  const { name, lastFailure } = engine
  const isCounted = lastFailure === null && countedFailure(engine, figures, now) !== null
  const words = lastFailure?.words ?? (isCounted ? countedReason(name, figures)?.words : undefined)
  if (words === undefined) return <span class="quiet">none</span>
  return (
    <span>
      It {words}
      <br />
      {lastFailure === null ? (
        <span class="quiet small">before this replica started</span>
      ) : (
        <time
          class="quiet small"
          dateTime={lastFailure.at.toISOString()}
          title={formatMoment(lastFailure.at)}
        >
          {formatAge(lastFailure.at, now)}
        </time>
      )}
    </span>
  )
}

function formatCounts(engines: readonly EngineFigures[], name: string): string {
  const counted = engines.find((engine) => engine.name === name)
  if (counted === undefined) return '–'
  return `${formatCount(counted.answered)} of ${formatCount(counted.answered + counted.failed)}`
}

// What needs somebody's attention: each engine that fails, with since when, why and what to do, and each part that is
// missing, with what mends it.
import type { JSX } from 'preact'
import { formatAge, formatMoment } from '../frame/formats.ts'
import type { Frame } from '../frame/page.tsx'
import { Remedy } from './remedy.tsx'
import type { EngineOverview } from '../../telemetry/service-overview.ts'
import type { PartState, ServicePart } from '../../telemetry/service-status.ts'
import { countedFailure, mayTestEngines, TestEngine } from './engine-table.tsx'
import type { SpanFigures } from './figures-table.tsx'

const TO_LOOK_AFTER: ReadonlySet<PartState> = new Set(['failing', 'missing', 'limited'])

interface AttentionProperties extends Pick<SpanFigures, 'day'> {
  frame: Frame
  parts: readonly ServicePart[]
  engines: readonly EngineOverview[]
  now: Date
}

export function Attention({ frame, parts, engines, day, now }: AttentionProperties): JSX.Element | null {
  const troubled = engines.filter(
    (engine) => engine.failingSince !== null || countedFailure(engine, day) !== null,
  )
  const told = new Set(troubled.map(({ name }) => name))
  const others = parts.filter(
    ({ kind, name, state }) => TO_LOOK_AFTER.has(state) && !(kind === 'search engine' && told.has(name)),
  )
  if (troubled.length === 0 && others.length === 0) return null
  return (
    <section class="notice notice-warn attention" aria-labelledby="look-after">
      <h2 id="look-after" class="notice-title">
        Needs attention
      </h2>
      <ul>
        {troubled.map((engine) => (
          <li>
            <TroubledEngine engine={engine} day={day} now={now} />
            {mayTestEngines(frame) && <TestEngine frame={frame} name={engine.name} />}
          </li>
        ))}
        {others.map(({ kind, name, detail, remedy }) => (
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

function TroubledEngine({
  engine,
  day,
  now,
}: {
  engine: EngineOverview
  day: SpanFigures['day']
  now: Date
}) {
  const { name, failingSince, lastFailure } = engine
  const counted = countedFailure(engine, day)
  if (failingSince === null) {
    return (
      <p>
        <strong>search engine {name}</strong>: It failed when it was last asked, before this replica started;
        no answer was counted since {counted === null ? '' : formatMoment(counted)}.
      </p>
    )
  }
  return (
    <p>
      <strong>search engine {name}</strong>: Failing since{' '}
      <time dateTime={failingSince.toISOString()}>{formatMoment(failingSince)}</time>,{' '}
      {formatAge(failingSince, now)}.{' '}
      {lastFailure !== null && `At last it ${lastFailure.words}. ${lastFailure.advice} `}
      <a href="/docs/runbook#verbatimenginefailing">More of what to do</a>
    </p>
  )
}

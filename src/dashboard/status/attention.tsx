// What needs somebody's attention: each engine that fails, with since when, why and what to do, and each part that is
// missing, with what mends it.
import type { JSX } from 'preact'
import { formatAge, formatMoment } from '../frame/formats.ts'
import type { Frame } from '../frame/page.tsx'
import { Remedy } from './remedy.tsx'
import type { EngineOverview } from '../../telemetry/service-overview.ts'
import type { PartState, ServicePart } from '../../telemetry/service-status.ts'
import {
  type CountedEngine,
  type CountedFailure,
  type CountedFigures,
  countedFailure,
  countedReason,
} from './counted-failure.ts'
import { mayTestEngines, TestEngine } from './engine-table.tsx'

const TO_LOOK_AFTER: ReadonlySet<PartState> = new Set(['failing', 'missing', 'limited'])

interface AttentionProperties extends CountedFigures {
  frame: Frame
  parts: readonly ServicePart[]
  engines: readonly EngineOverview[]
  now: Date
}

export function Attention(properties: AttentionProperties): JSX.Element | null {
  const { frame, parts, engines, now } = properties
  const troubled = engines.filter(
    (engine) => engine.failingSince !== null || countedFailure(engine, properties, now) !== null,
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
            <TroubledEngine engine={engine} figures={properties} now={now} />
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

function TroubledEngine({ engine, figures, now }: CountedEngine) {
  const { name, failingSince } = engine
  const reason = engine.lastFailure ?? countedReason(name, figures)
  return (
    <p>
      <strong>search engine {name}</strong>:{' '}
      <SinceWhen failingSince={failingSince} counted={countedFailure(engine, figures, now)} now={now} />{' '}
      {reason !== null && `Last failure: it ${reason.words}. ${reason.advice} `}
      <a href="/docs/runbook#verbatimenginefailing">More of what to do</a>
    </p>
  )
}

/** What is counted reaches further back than what a replica that was started anew has seen. */
function SinceWhen({
  failingSince,
  counted,
  now,
}: {
  failingSince: Date | null
  counted: CountedFailure | null
  now: Date
}) {
  const since = counted?.since ?? failingSince
  if (since === null) return null
  const words =
    failingSince === null ? 'It failed when it was last asked, before this replica started; no' : 'No'
  return (
    <>
      {counted === null ? 'Failing since ' : `${words} answer was counted since `}
      <time dateTime={since.toISOString()}>{counted?.told ?? formatMoment(since)}</time>,{' '}
      {formatAge(since, now)}.
    </>
  )
}

// What the counts of all replicas tell of an engine that fails: they outlive a restart, after which a replica knows nothing.
import type { EngineOverview, FailureText, ServiceOverview } from '../../telemetry/service-overview.ts'
import { formatDay, formatMoment } from '../frame/formats.ts'
import type { SpanFigures } from './figures-table.tsx'

/** What is counted is known by the hour for a day, and by the day for a month. */
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface CountedFigures extends SpanFigures {
  failureTexts: ServiceOverview['failureTexts']
}

/** An engine beside what was counted of it. */
export interface CountedEngine {
  engine: EngineOverview
  figures: CountedFigures
  now: Date
}

/** Since when no answer was counted. */
export interface CountedFailure {
  since: Date
  /** As exactly as it is known: the hour, or the day alone. */
  told: string
}

/** Since when it fails by the counts of all replicas; null while this one knows better. */
export function countedFailure(
  { name, condition, failingSince }: EngineOverview,
  figures: SpanFigures,
  now: Date,
): CountedFailure | null {
  const counted = noAnswerSince(name, figures, now)
  if (condition === 'answering' || counted === null) return null
  const isOlder = failingSince === null || failingSince.getTime() - counted.since.getTime() >= HOUR_MS
  return isOlder ? counted : null
}

/** By the hour where it answered within a day or first failed today, else by the day. */
function noAnswerSince(name: string, { day, month }: SpanFigures, now: Date): CountedFailure | null {
  const [inDay, inMonth] = [day, month].map(({ engines }) => engines.find((engine) => engine.name === name))
  const since = inDay?.failingSince ?? null
  if (inDay === undefined || since === null) return null
  const before = inMonth?.failingSince ?? null
  const isOfAnEarlierDay = before !== null && before < since && now.getTime() - before.getTime() >= DAY_MS
  return inDay.answered === 0 && isOfAnEarlierDay
    ? { since: before, told: formatDay(before) }
    : { since, told: formatMoment(since) }
}

/** What is told of the failure that was counted last; null where there is none, or another version counted it. */
export function countedReason(name: string, { day, failureTexts }: CountedFigures): FailureText | null {
  const failure = day.engines.find((engine) => engine.name === name)?.lastFailure ?? null
  return failure === null ? null : (failureTexts.get(failure) ?? null)
}

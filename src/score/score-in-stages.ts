// Lets the stages score one request: the first stage reads every passage, the models of the tier the best of them, and the
// deadline decides how far they get. Nothing here outlasts it.
import { TimeLimitError, withDeadline } from '../concurrency/deadline.ts'
import { BUNDLED } from './models/catalog.ts'
import type { TierModels } from './models/model-registry.ts'
import type { ScoredPassage } from './passage.ts'
import { chooseToRead, descending, type ModelReading } from './relevance/model-stage.ts'
import type { Relevance } from './relevance/open-relevance.ts'
import type { ReadParts } from './relevance/part-features.ts'
import type { RelevanceResult } from './relevance/relevance-worker.ts'
import type { ScoreAnswer, ScoredBy, ScoreRequest } from './score-answer.ts'
import { type Reader, readersOf } from './tier-readers.ts'

/** One request on its way through the stages. */
interface Scoring {
  query: string
  passages: readonly ScoredPassage[]
  request: ScoreRequest
  signal: AbortSignal
}

/** The thread of relevance, or a part that stands in for it. */
type Stages = Pick<Relevance, 'read' | 'judge' | 'highlight'>

const TOO_LATE =
  'The time was used up before the model had read every passage; some scores are rougher than usual.'
const MODEL_FAILED = 'The model could not read every passage; some scores are rougher than usual.'
const NOT_HIGHLIGHTED =
  'The time was used up before the snippets were told part by part; none is highlighted.'

/**
 * Kept of the deadline for judging what the models said and for the highlights: so much for every request, and for each of
 * its passages (.04 ms measured, trees and comparisons together), but no more of the time that is left than the share.
 */
const JUDGING_MS = 50
const JUDGING_MS_PER_PASSAGE = 0.08
const JUDGING_SHARE_MAX = 1 / 3

/** Epoch milliseconds until which the models of this request may read. */
function modelsUntil({ passages, request: { deadlineMs } }: Scoring): number {
  const leftMs = Math.max(0, deadlineMs - Date.now())
  const judgingMs = JUDGING_MS + JUDGING_MS_PER_PASSAGE * passages.length
  return deadlineMs - Math.min(judgingMs, leftMs * JUDGING_SHARE_MAX)
}

/** What `work` brings, or null when the deadline comes first. @throws the signal's reason when the caller leaves. */
async function inTime<T>(
  what: string,
  { request, signal }: Scoring,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T | null> {
  try {
    return await withDeadline({ what, limitMs: request.deadlineMs - Date.now(), signal }, work)
  } catch (error) {
    if (error instanceof TimeLimitError) return null
    throw error
  }
}

/** What is known after the stages so far. */
interface Judged {
  result: RelevanceResult
  readings: readonly ModelReading[]
  scoredBy: readonly ScoredBy[]
  /** Whether a model read nothing, or nothing that could still be judged: the scores are those of the stage before. */
  isOver: boolean
}

/** Lets a model read what the stage before thinks best until `deadlineMs`, and judges what it said. */
async function readAndJudge(
  relevance: Stages,
  { stage, by, count, read }: Reader,
  scoring: Scoring,
  before: Judged,
  deadlineMs: number,
): Promise<Judged> {
  const { query, passages } = scoring
  const { table } = before.result
  const rows = chooseToRead(before.result.relevance, count, by)
  const reading = await read({ query, passages, table, rows, deadlineMs })
  const readings = [...before.readings, reading]
  if (reading.read === 0) return { ...before, readings, isOver: true }
  const pages = Int32Array.from(passages, ({ page }) => page)
  const result = await inTime('judging what a model said', scoring, (ended) =>
    relevance.judge(stage, table, pages, ended),
  )
  if (result === null) return { ...before, readings, isOver: true }
  const chosen = new Set(rows)
  const scoredBy = before.scoredBy.map((was, row) => (chosen.has(row) ? by : was))
  // Not to have been read tells this stage that a passage is unlikely; where only the limit kept it out, it is not.
  const kept = result.relevance.map((value, row) =>
    chosen.has(row) ? value : Math.max(value, before.result.relevance[row] ?? 0),
  )
  return { result: { ...result, relevance: kept }, readings, scoredBy, isOver: false }
}

/**
 * Until when the first of these readers may read: what it leaves is the others', each of which has so much of the time as its
 * share of what is to be read. Without it a re-ranker read nothing where the machine was busy.
 */
function readerUntil(readers: readonly Reader[], untilMs: number): number {
  const [next, ...others] = readers.map(({ count }) => count)
  if (next === undefined || others.length === 0) return untilMs
  const now = Date.now()
  const all = others.reduce((sum, count) => sum + count, next)
  return now + (untilMs - now) * (next / all)
}

/** Lets the models of the tier read, one after the other, as far as the time goes. */
async function runModels(
  relevance: Stages,
  tier: TierModels,
  scoring: Scoring,
  first: Judged,
): Promise<Judged> {
  const untilMs = modelsUntil(scoring)
  const readers = readersOf(tier, scoring.request, scoring.signal)
  let judged = first
  for (const [at, reader] of readers.entries()) {
    if (judged.isOver) break
    judged = await readAndJudge(relevance, reader, scoring, judged, readerUntil(readers.slice(at), untilMs))
  }
  return judged
}

const NO_PARTS: ReadonlyMap<number, Float64Array> = new Map()

/** What all of the models said of one passage's parts. */
function readPartsOf(readings: readonly ModelReading[], row: number): ReadParts {
  const known: ReadParts = {}
  for (const { parts } of readings) Object.assign(known, parts.get(row))
  return known
}

/** Tells the best passages part by part, as many as were asked for; null when the deadline comes first. */
async function highlightBest(
  relevance: Stages,
  scoring: Scoring,
  { result, readings }: Judged,
): Promise<ReadonlyMap<number, Float64Array> | null> {
  const { query, passages, request } = scoring
  const { highlighted = 0 } = request
  if (highlighted === 0) return NO_PARTS
  const rows = descending(result.relevance).slice(0, highlighted)
  const asked = rows.flatMap((row) => {
    const passage = passages[row]
    if (passage === undefined) return []
    return [{ passage, relevance: result.relevance[row] ?? 0, ...readPartsOf(readings, row) }]
  })
  const parts = await inTime('telling passages part by part', scoring, (ended) =>
    relevance.highlight(query, asked, ended),
  )
  return parts === null ? null : new Map(rows.map((row, at) => [row, parts[at] ?? new Float64Array(0)]))
}

/** The answer when the time was over before the first stage had read anything. */
const NOT_READ = {
  partRelevance: NO_PARTS,
  model: BUNDLED,
  version: 'none',
  promises: [],
  warning: 'The time was used up before the passages were scored.',
}

function warningFor({ readings, isOver }: Judged, areHighlightsLate: boolean): string | null {
  if (readings.some(({ failure }) => failure !== null)) return MODEL_FAILED
  if (isOver || readings.some(({ read, wanted }) => read !== wanted)) return TOO_LATE
  return areHighlightsLate ? NOT_HIGHLIGHTED : null
}

/**
 * Scores every passage of a request with the stages it has time for: the answer is there at its deadline, whatever a stage
 * still does then. `tier` is null where no model serves it; `onFailure` is told why a model could not read a passage.
 * @throws {QueueFullError} when a queue is full; the signal's reason when it is aborted.
 */
export async function scoreInStages(
  relevance: Stages,
  tier: TierModels | null,
  scoring: Scoring,
  onFailure: (failure: unknown) => void,
): Promise<ScoreAnswer> {
  const { query, passages, request } = scoring
  const { areTexts = false } = request
  const first = await inTime('the first stage', scoring, (ended) =>
    relevance.read(query, passages, areTexts, ended),
  )
  const scoredBy = passages.map((): ScoredBy => 'first')
  const { tier: requestedTier } = request
  if (first === null)
    return { ...NOT_READ, requestedTier, relevance: new Float64Array(passages.length), scoredBy }
  const models = passages.length === 0 ? null : tier
  const known: Judged = { result: first, readings: [], scoredBy, isOver: false }
  const judged = models === null ? known : await runModels(relevance, models, scoring, known)
  for (const { failure } of judged.readings) if (failure !== null) onFailure(failure)
  const parts = await highlightBest(relevance, scoring, judged)
  const { version, promises } = judged.result
  return {
    relevance: judged.result.relevance,
    scoredBy: judged.scoredBy,
    partRelevance: parts ?? NO_PARTS,
    model: models?.label ?? BUNDLED,
    version,
    promises,
    requestedTier,
    warning: warningFor(judged, parts === null),
  }
}

// What models say of passages that people judged: the raw material of calibration.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { detect } from 'tinyld'
import { z } from 'zod'
import type { LabelledPool } from './labelled-pool.ts'
import { logOddsOf, type Features } from '../relevance/calibration.ts'
import type { Embedder, PartialResult } from '../models/embedder.ts'
import type { ScoredPassage } from '../passage.ts'
import { columnIndex, valueAt } from '../relevance/feature-table.ts'
import { stageOf } from '../relevance/judges.ts'
import { descending, embedPassages } from '../relevance/model-stage.ts'
import type { Relevance } from '../relevance/open-relevance.ts'
import type { RelevanceResult } from '../relevance/relevance-worker.ts'
import { SIMILARITIES } from '../models/token-similarity.ts'
import type { ModelLocation } from '../models/transformer.ts'

const questionSchema = z.object({
  /** The collection it comes from; calibration is judged on sets it has not seen. */
  set: z.string(),
  query: z.string().min(1),
  passages: z.array(z.string()).min(1),
  /** Positions of the passages that answer; empty for questions the passages do not answer. */
  relevant: z.array(z.int().nonnegative()),
})
export type LabelledQuestion = z.infer<typeof questionSchema>

/** Characters that are enough to tell a language. */
const LANGUAGE_SAMPLE = 1_000

/**
 * Reads questions from JSON lines, plain or `.gz`: `{"set", "query", "passages": [], "relevant": []}`.
 * @throws {z.ZodError} or SyntaxError at the first line that is none; Node's error when the file cannot be read.
 */
export async function readLabelledQuestions(path: string): Promise<LabelledQuestion[]> {
  const bytes = createReadStream(path)
  const input = path.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  const questions: LabelledQuestion[] = []
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() !== '') questions.push(questionSchema.parse(JSON.parse(line)))
  }
  return questions
}

/** Whether a question is one for the English models. */
export function isEnglish({ query, passages }: LabelledQuestion): boolean {
  return detect(`${query} ${passages.join(' ')}`.slice(0, LANGUAGE_SAMPLE)) === 'en'
}

export interface LabellingModels {
  relevance: Relevance
  embedder: Embedder
  embedding: ModelLocation
  /** With one, the features hold its logit too. */
  crossEncoder: ModelLocation | null
  /** The model that serves now, with a learned relevance of its own; null where the first stage works alone. */
  serving: ModelLocation | null
}

/** What the models say of a question's passages, and what serves now says of them. */
export interface LabelledQuestionPool extends LabelledPool {
  /** What the model that serves now says of each passage, and the relevance that comes of it, 0..1. */
  serving: { passages: readonly Features[]; relevance: readonly number[] }
}

/** Passages that the models read of each question: the first stage's best, as in a search. */
export const PASSAGES_READ = 32

async function allOf<Value>(
  reading: Promise<PartialResult<Value>>,
  query: string,
): Promise<readonly (Value | null)[]> {
  const { values, failure } = await reading
  if (failure !== null)
    throw new Error(`The models could not read every passage of "${query}".`, { cause: failure })
  return values
}

const UNHURRIED = Number.POSITIVE_INFINITY

/** What serves now makes of passages of which the first stage has said its part. */
async function readServing(
  { relevance, embedder, serving }: LabellingModels,
  query: string,
  passages: readonly ScoredPassage[],
  first: RelevanceResult,
  signal: AbortSignal,
): Promise<LabelledQuestionPool['serving']> {
  const { table } = first
  const firstStage = Array.from(first.relevance, (value) => ({ firstStage: logOddsOf(value) }))
  if (serving === null) return { passages: firstStage, relevance: Array.from(first.relevance) }
  const rows = Array.from(passages.keys())
  await embedPassages(embedder, serving, { query, passages, table, rows, deadlineMs: UNHURRIED }, signal)
  const said = firstStage.map((features: Features, row) => {
    for (const name of SIMILARITIES) features[name] = valueAt(table, row, columnIndex(name))
    return features
  })
  const pages = Int32Array.from(passages, ({ page }) => page)
  const judged = await relevance.judge(stageOf(serving.id, null), table, pages, signal)
  return { passages: said, relevance: Array.from(judged.relevance) }
}

/** What the models say of the first stage's best passages of one question. @throws {Error} when a model could not read one of them. */
export async function labelPool(
  models: LabellingModels,
  { set, query, passages: all, relevant: answers }: LabelledQuestion,
  signal: AbortSignal,
): Promise<LabelledQuestionPool> {
  const { relevance, embedder, embedding, crossEncoder } = models
  const around = { title: '', headings: [], contentWeight: 1, page: 0 }
  const pool = all.map((text, index) => ({ ...around, text, place: index / all.length }))
  const before = await relevance.read(query, pool, false, signal)
  const rows = descending(before.relevance).slice(0, PASSAGES_READ)
  const chosen = rows.flatMap((row) => pool[row] ?? [])
  const texts = chosen.map(({ text }) => ({ context: '', text }))
  const [first, related, ranked] = await Promise.all([
    relevance.read(query, chosen, false, signal),
    allOf(embedder.relate(embedding, query, texts, UNHURRIED, signal), query),
    crossEncoder && allOf(embedder.rank(crossEncoder, query, texts, UNHURRIED, signal), query),
  ])
  const featuresOf = (index: number): Features => {
    const features: Features = { firstStage: logOddsOf(first.relevance[index] ?? 0) }
    for (const [at, name] of SIMILARITIES.entries()) features[name] = related[index]?.[at] ?? 0
    const logit = ranked?.[index]?.[0]
    return logit === undefined ? features : { ...features, crossEncoder: logit }
  }
  return {
    set,
    passages: chosen.map((_passage, index) => featuresOf(index)),
    relevant: [...rows.keys()].filter((index) => answers.includes(rows[index] ?? -1)),
    serving: await readServing(models, query, chosen, first, signal),
  }
}

// What models say of passages that people judged: the raw material of calibration.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { detect } from 'tinyld'
import { z } from 'zod'
import type { LabelledPool } from './fit.ts'
import type { Features } from '../relevance/calibration.ts'
import type { Embedder } from '../models/embedder.ts'
import type { FirstStagePool } from '../relevance/first-stage-pool.ts'
import { dot } from '../relevance/model-stage.ts'
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
const unhurried = { isUrgent: false, deadlineMs: Number.POSITIVE_INFINITY }

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
  firstStage: FirstStagePool
  embedder: Embedder
  embedding: ModelLocation
  /** With one, the features hold its logit too. */
  crossEncoder: ModelLocation | null
}

/** What the models say of every passage of one question. @throws {Error} when a model could not read one of them. */
export async function labelPool(
  { firstStage, embedder, embedding, crossEncoder }: LabellingModels,
  { set, query, passages, relevant }: LabelledQuestion,
  signal: AbortSignal,
): Promise<LabelledPool> {
  const pool = passages.map((text) => ({ text, heading: '' }))
  const [logits] = firstStage.submit([{ query, passages: pool }], unhurried, signal)
  const vectors = embedder.embed(embedding, [query, ...passages], unhurried, signal)
  const ranked = crossEncoder && embedder.rank(crossEncoder, query, passages, unhurried.deadlineMs, signal)
  const [first, { values, failure }, crossed] = await Promise.all([logits, vectors, ranked])
  const [queryVector] = values
  if (!first || !queryVector || failure !== null || (crossed && crossed.failure !== null)) {
    throw new Error(`The models could not read every passage of "${query}".`, {
      cause: failure ?? crossed?.failure,
    })
  }
  const featuresOf = (index: number): Features => {
    const vector = values[index + 1]
    const logit = crossed?.values[index]
    return {
      firstStage: first[index] ?? 0,
      cosine: vector ? dot(queryVector, vector) : 0,
      ...(typeof logit === 'number' ? { crossEncoder: logit } : {}),
    }
  }
  return { set, passages: passages.map((_text, index) => featuresOf(index)), relevant }
}

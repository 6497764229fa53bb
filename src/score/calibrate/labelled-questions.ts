// What models say of passages that people judged: the raw material of calibration.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { detect } from 'tinyld'
import { z } from 'zod'
import type { LabelledPool } from './fit.ts'
import { logOddsOf, type Features } from '../relevance/calibration.ts'
import type { Embedder } from '../models/embedder.ts'
import type { Relevance } from '../relevance/open-relevance.ts'
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
}

/** What the models say of every passage of one question. @throws {Error} when a model could not read one of them. */
export async function labelPool(
  { relevance, embedder, embedding, crossEncoder }: LabellingModels,
  { set, query, passages, relevant }: LabelledQuestion,
  signal: AbortSignal,
): Promise<LabelledPool> {
  const around = { title: '', headings: [], contentWeight: 1, page: 0 }
  const pool = passages.map((text, index) => ({ ...around, text, place: index / passages.length }))
  const unhurried = Number.POSITIVE_INFINITY
  const texts = passages.map((text) => ({ context: '', text }))
  const [first, related, ranked] = await Promise.all([
    relevance.read(query, pool, signal),
    embedder.relate(embedding, query, texts, unhurried, signal),
    crossEncoder && embedder.rank(crossEncoder, query, passages, unhurried, signal),
  ])
  const failure = related.failure ?? ranked?.failure ?? null
  if (failure !== null)
    throw new Error(`The models could not read every passage of "${query}".`, { cause: failure })
  const featuresOf = (index: number): Features => {
    const features: Features = { firstStage: logOddsOf(first.relevance[index] ?? 0) }
    for (const [at, name] of SIMILARITIES.entries()) features[name] = related.values[index]?.[at] ?? 0
    const logit = ranked?.values[index]
    return typeof logit === 'number' ? { ...features, crossEncoder: logit } : features
  }
  return { set, passages: passages.map((_text, index) => featuresOf(index)), relevant }
}

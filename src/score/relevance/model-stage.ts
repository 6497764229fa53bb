// The second stage: the transformers read the best passages of the first stage and correct its probabilities.
import type { Embedder } from '../models/embedder.ts'
import { sigmoid, type Calibration } from './calibration.ts'
import type { ModelLocation } from '../models/transformer.ts'

export interface ModelStageInput {
  query: string
  /** Texts of the passages, all of them. */
  passages: readonly { text: string; heading: string }[]
  /** The first stage's log odds, aligned with the passages. */
  firstStage: Float64Array
  /** How many of the best the models may read. */
  candidates: number
  embedding: ModelLocation
  crossEncoder: ModelLocation | null
  calibration: Calibration
  /** Epoch milliseconds. */
  deadlineMs: number
}

export interface ModelStageOutput {
  relevance: Float64Array
  /** Passages the embedding model read, and how many it should have read. */
  read: number
  wanted: number
  /** Whether the cross-encoder, where there is one, read all it should have. */
  isReranked: boolean
  /** Why some were not read, other than the deadline. */
  failure: unknown
}

/** The cross-encoder reads at most this many, the best of the embedding model: it costs as much as embedding each anew. */
const RERANKED = 32
/** Headings are cut here: a passage's own words must fit the model too. */
const HEADING_CHARACTERS = 120
/** Share of the passages read, the last in the first stage's order, whose mean bounds those that were not read. */
const BORDER_SHARE = 0.25

/** Positions in the order of falling values; equal ones keep their order. */
export function descending(values: ArrayLike<number>): number[] {
  return Array.from({ length: values.length }, (_, index) => index).toSorted(
    (a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b,
  )
}

/** Scalar product; the cosine of unit vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

const textFor = ({ text, heading }: { text: string; heading: string }): string =>
  heading === '' ? text : `${heading.slice(0, HEADING_CHARACTERS)}\n${text}`

/**
 * Bounds passages the model did not read by what it said, on average, of the last quarter of those it did: they stood
 * lower in the first stage, so nothing speaks for more, and their own order stays.
 */
export function capUnread(relevance: Float64Array, read: readonly number[], unread: readonly number[]): void {
  if (read.length === 0) return
  const border = read.slice(-Math.max(1, Math.ceil(read.length * BORDER_SHARE)))
  const cap = border.reduce((sum, index) => sum + (relevance[index] ?? 0), 0) / border.length
  for (const index of unread) relevance[index] = Math.min(relevance[index] ?? 0, cap)
}

/**
 * Lets the models read the best passages and returns calibrated probabilities for all of them.
 * @throws {QueueFullError} when the workers' queue is full; the signal's reason when it is aborted.
 */
export async function runModelStage(
  embedder: Embedder,
  queryVector: Float32Array,
  input: ModelStageInput,
  signal: AbortSignal,
): Promise<ModelStageOutput> {
  const { passages, firstStage, embedding, calibration, deadlineMs } = input
  const order = descending(firstStage)
  const chosen = order.slice(0, input.candidates)
  const texts = chosen.map((index) => textFor(passages[index] ?? { text: '', heading: '' }))
  const { values, failure } = await embedder.embed(embedding, texts, { isUrgent: false, deadlineMs }, signal)
  const relevance = firstStage.map(sigmoid)
  const cosines = new Map<number, number>()
  for (const [rank, vector] of values.entries()) {
    const index = chosen[rank]
    if (vector === null || index === undefined) continue
    const cosine = dot(queryVector, vector)
    cosines.set(index, cosine)
    relevance[index] = calibration.relevance(embedding.id, { cosine, firstStage: firstStage[index] ?? 0 })
  }
  capUnread(
    relevance,
    Array.from(cosines.keys()),
    order.filter((index) => !cosines.has(index)),
  )
  const reranked = await rerank(embedder, input, relevance, cosines, signal)
  return {
    relevance,
    read: cosines.size,
    wanted: chosen.length,
    isReranked: reranked.isDone,
    failure: failure ?? reranked.failure,
  }
}

/** Lets the cross-encoder read the best of what was read, and corrects their probabilities in place. */
async function rerank(
  embedder: Embedder,
  { query, passages, firstStage, crossEncoder, calibration, deadlineMs }: ModelStageInput,
  relevance: Float64Array,
  cosines: ReadonlyMap<number, number>,
  signal: AbortSignal,
): Promise<{ isDone: boolean; failure: unknown }> {
  if (!crossEncoder) return { isDone: true, failure: null }
  const order = descending(relevance)
  const chosen = order.filter((index) => cosines.has(index)).slice(0, RERANKED)
  const texts = chosen.map((index) => textFor(passages[index] ?? { text: '', heading: '' }))
  const { values, failure } = await embedder.rank(crossEncoder, query, texts, deadlineMs, signal)
  const corrected: number[] = []
  for (const [rank, logit] of values.entries()) {
    const index = chosen[rank]
    if (logit === null || index === undefined) continue
    const features = {
      cosine: cosines.get(index) ?? 0,
      firstStage: firstStage[index] ?? 0,
      crossEncoder: logit,
    }
    relevance[index] = calibration.relevance(crossEncoder.id, features)
    corrected.push(index)
  }
  const isCorrected = new Set(corrected)
  capUnread(
    relevance,
    corrected,
    order.filter((index) => !isCorrected.has(index)),
  )
  return { isDone: corrected.length === chosen.length, failure }
}

// The transformers' part: which passages they read, and what they say of them as columns of the feature table.
import type { Embedder } from '../models/embedder.ts'
import { SIMILARITIES } from '../models/token-similarity.ts'
import type { ModelLocation } from '../models/transformer.ts'
import { contextLine, type ScoredPassage } from '../passage.ts'
import { columnIndex, setCell, type FeatureTable } from './feature-table.ts'

/** Of every page the best so many are read before any page's next one: no page is judged by its words alone. */
const FIRST_OF_EACH_PAGE = 2

/** Positions in the order of falling values; equal ones keep their order. */
export function descending(values: ArrayLike<number>): number[] {
  return Array.from({ length: values.length }, (_, index) => index).toSorted(
    (a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b,
  )
}

/** The passages a model should read, the most promising first: the best of every page, then the best of all. */
export function chooseToRead(
  relevance: ArrayLike<number>,
  passages: readonly Pick<ScoredPassage, 'page'>[],
  count: number,
): number[] {
  const order = descending(relevance)
  const taken = new Map<number, number>()
  const early = order.filter((row) => {
    const page = passages[row]?.page ?? 0
    const before = taken.get(page) ?? 0
    taken.set(page, before + 1)
    return before < FIRST_OF_EACH_PAGE
  })
  return [...new Set([...early.slice(0, Math.ceil(count / 2)), ...order])].slice(0, count)
}

export interface ModelReading {
  /** Passages that were read, and that should have been. */
  read: number
  wanted: number
  /** Why some were not, other than the deadline. */
  failure: unknown
  /** PART_SIMILARITIES of the parts of the passages that were read, by their rows. */
  partSimilarities: ReadonlyMap<number, Float32Array>
}

/** What the transformers work with. */
export interface ModelInput {
  query: string
  passages: readonly ScoredPassage[]
  table: FeatureTable
  /** Rows to read, in the order of their promise. */
  rows: readonly number[]
  /** Epoch milliseconds. */
  deadlineMs: number
}

const relatedText = (passage: ScoredPassage | undefined) => ({
  context: passage === undefined ? '' : contextLine(passage),
  text: passage?.text ?? '',
  ...(passage?.parts === undefined ? {} : { parts: passage.parts }),
})

/**
 * Lets the embedding model read passages and writes what it says into the table.
 * @throws {QueueFullError} when the workers' queue is full; the signal's reason when it is aborted.
 */
export async function embedPassages(
  embedder: Embedder,
  model: ModelLocation,
  { query, passages, table, rows, deadlineMs }: ModelInput,
  signal: AbortSignal,
): Promise<ModelReading> {
  const texts = rows.map((row) => relatedText(passages[row]))
  const { values, failure } = await embedder.relate(model, query, texts, deadlineMs, signal)
  const partSimilarities = new Map<number, Float32Array>()
  for (const [index, similarities] of values.entries()) {
    if (similarities === null) continue
    const row = rows[index] ?? 0
    for (const [at, name] of SIMILARITIES.entries())
      setCell(table, row, columnIndex(name), similarities[at] ?? Number.NaN)
    partSimilarities.set(row, similarities.subarray(SIMILARITIES.length))
  }
  return {
    read: values.filter((value) => value !== null).length,
    wanted: rows.length,
    failure,
    partSimilarities,
  }
}

/**
 * Lets the cross-encoder read passages and writes its logits into the table.
 * @throws as `embedPassages`.
 */
export async function rankPassages(
  embedder: Embedder,
  model: ModelLocation,
  { query, passages, table, rows, deadlineMs }: ModelInput,
  signal: AbortSignal,
): Promise<ModelReading> {
  const texts = rows.map((row) => {
    const { context, text } = relatedText(passages[row])
    return context === '' ? text : `${context}\n${text}`
  })
  const { values, failure } = await embedder.rank(model, query, texts, deadlineMs, signal)
  for (const [index, logit] of values.entries())
    if (logit !== null) setCell(table, rows[index] ?? 0, columnIndex('crossEncoder'), logit)
  const read = values.filter((value) => value !== null).length
  return { read, wanted: rows.length, failure, partSimilarities: new Map() }
}

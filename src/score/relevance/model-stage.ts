// The transformers' part: which passages they read, and what they say of them as columns of the feature table.
import type { Embedder } from '../models/embedder.ts'
import { SIMILARITIES } from '../models/token-similarity.ts'
import type { ModelLocation, RelatedText } from '../models/transformer.ts'
import { contextLine, type ScoredPassage } from '../passage.ts'
import { columnIndex, setCell, type FeatureTable } from './feature-table.ts'
import type { ReadParts } from './part-features.ts'

/** Which passages a model reads, by what the stage before makes of them. */
interface ReadingRule {
  /** So many are read in any case. */
  least: number
  /** Beyond those, none that is less likely to answer than this, 0..1. */
  unlikelyBelow: number
}

/**
 * Of the questions of models/relevance/README.md, 18 passages are read in the median with it and 10 re-ranked, and the answer is
 * among them as often as among the 48 and the 24 best.
 */
const READING_RULES = {
  model: { least: 12, unlikelyBelow: 0.0028 },
  reranker: { least: 6, unlikelyBelow: 0.004 },
} as const satisfies Record<string, ReadingRule>

/** Positions in the order of falling values; equal ones keep their order. */
export function descending(values: ArrayLike<number>): number[] {
  return Array.from({ length: values.length }, (_, index) => index).toSorted(
    (a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b,
  )
}

/** The passages that are read, at most `most`, the most promising first; `relevance` is what the stage before says, 0..1. */
export function chooseToRead(
  relevance: ArrayLike<number>,
  most: number,
  reader: keyof typeof READING_RULES,
): number[] {
  const { least, unlikelyBelow } = READING_RULES[reader]
  const order = descending(relevance)
  const unlikely = order.findIndex((row) => (relevance[row] ?? 0) < unlikelyBelow)
  const likely = unlikely === -1 ? order.length : unlikely
  return order.slice(0, Math.min(most, Math.max(least, likely)))
}

export interface ModelReading {
  /** Passages that were read, and that should have been. */
  read: number
  wanted: number
  /** Why some were not, other than the deadline. */
  failure: unknown
  /** What the model says of the parts of the passages that it read, by their rows. */
  parts: ReadonlyMap<number, ReadParts>
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

/** A passage as the models read it. */
export const relatedText = (passage: ScoredPassage | undefined): RelatedText => ({
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
  const parts = new Map<number, ReadParts>()
  for (const [index, similarities] of values.entries()) {
    if (similarities === null) continue
    const row = rows[index] ?? 0
    for (const [at, name] of SIMILARITIES.entries())
      setCell(table, row, columnIndex(name), similarities[at] ?? Number.NaN)
    parts.set(row, { similarities: similarities.subarray(SIMILARITIES.length) })
  }
  return { read: parts.size, wanted: rows.length, failure, parts }
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
  const texts = rows.map((row) => relatedText(passages[row]))
  const { values, failure } = await embedder.rank(model, query, texts, deadlineMs, signal)
  const parts = new Map<number, ReadParts>()
  for (const [index, said] of values.entries()) {
    if (said === null) continue
    const row = rows[index] ?? 0
    setCell(table, row, columnIndex('crossEncoder'), said[0] ?? Number.NaN)
    parts.set(row, { answering: said.subarray(1) })
  }
  return { read: parts.size, wanted: rows.length, failure, parts }
}

// From what a network gives for one text to what is compared of it: its words one by one, and the text as a whole.
import type { ModelLocation } from '../model-location.ts'
import { TEXT_OUTPUT, type ModelReading } from '../reading.ts'
import { encodeQuery, type EncodedPassage, type EncodedQuery } from '../token-similarity.ts'
import type { EncodedText, PassageTokens } from '../tokens/text-encoder.ts'
import type { LoadedLayer } from './layers.ts'
import { poolRows, rowsThroughLayers, throughLayers, type TokenRows } from './pooling.ts'
import type { SessionOutput } from './session.ts'
import { byLateInteraction, byVectors } from './vectors.ts'

const NO_NUMBERS = new Float32Array(0)

/** What one text of a batch came to: a row for each of its tokens, or its vector alone. */
type TextOutput = { rows: TokenRows; width: number } | { vector: Float32Array }

function textOutput({ name, data, dims }: SessionOutput, row: number, tokens: number): TextOutput {
  const [, second = 0, third = 0] = dims
  if (name === TEXT_OUTPUT) return { vector: data.slice(row * second, (row + 1) * second) }
  return { rows: { hidden: data, offset: row * second * third, tokens }, width: third }
}

function logitOf(values: Float32Array): number {
  const [first = Number.NaN, yes] = values
  if (values.length > 2)
    throw new Error(`The model tells ${values.length} labels apart, where a re-ranker has one or two.`)
  return yes === undefined ? first : yes - first
}

/** Makes the functions that read a network's output for one row of a batch. */
export function createTextVectors(
  { kind, dimensions }: ModelLocation['spec'],
  reading: ModelReading,
  layers: readonly LoadedLayer[],
) {
  const cut = (vector: Float32Array): Float32Array =>
    reading.dimensions === null ? vector : vector.subarray(0, reading.dimensions)

  /** The vectors of the tokens, as they are compared. */
  function wordsOf(rows: TokenRows, width: number): TokenRows & { width: number } {
    if (width !== dimensions)
      throw new Error(
        `The model's output does not have the shape that is named: ${width}, not ${dimensions}.`,
      )
    if (kind !== 'late-interaction') return { ...rows, width }
    const made = rowsThroughLayers(rows, width, layers)
    return { hidden: made.values, offset: 0, tokens: rows.tokens, width: made.dimensions }
  }

  const pooled = (rows: TokenRows, width: number, promptEnd: number): Float32Array => {
    const from = reading.poolsPrompt ? 0 : promptEnd
    return cut(throughLayers(poolRows(rows, width, reading.poolings, from), layers))
  }

  return {
    /** @param row which of the batch. */
    query(output: SessionOutput, row: number, { ids, promptEnd, start, end }: EncodedText): EncodedQuery {
      const text = textOutput(output, row, ids.length)
      if ('vector' in text) {
        const similarityTo = byVectors(cut(text.vector), reading.similarity)
        return { tokens: NO_NUMBERS, mean: NO_NUMBERS, pieces: 0, similarityTo }
      }
      const { hidden, offset, width } = wordsOf(text.rows, text.width)
      const all = hidden.subarray(offset, offset + ids.length * width)
      const similarityTo =
        kind === 'late-interaction'
          ? byLateInteraction(all, width)
          : byVectors(pooled(text.rows, width, promptEnd), reading.similarity)
      return encodeQuery({ hidden: all, rows: ids.length, start, end }, width, similarityTo)
    },

    passage(
      output: SessionOutput,
      row: number,
      { ids, promptEnd, sentences, parts, isSkipped }: PassageTokens,
    ): EncodedPassage {
      const text = textOutput(output, row, ids.length)
      if ('vector' in text) {
        const none = { hidden: NO_NUMBERS, offset: 0, tokens: 0, isSkipped: null }
        return { ...none, vector: cut(text.vector), sentences, parts }
      }
      const { hidden, offset, width } = wordsOf(text.rows, text.width)
      const vector = kind === 'late-interaction' ? NO_NUMBERS : pooled(text.rows, width, promptEnd)
      return { hidden, offset, tokens: ids.length, vector, isSkipped, sentences, parts }
    },

    /** A cross-encoder's word on a pair: its only output, or how much more it says yes than no. */
    logit(output: SessionOutput, row: number, tokens: number): number {
      const { data, dims } = output
      const [, second = 1, third] = dims
      const values =
        third === undefined
          ? data.subarray(row * second, (row + 1) * second)
          : pooled({ hidden: data, offset: row * second * third, tokens }, third, 0)
      return logitOf(values)
    },
  }
}

// From the vectors of a text's tokens to the text's own: pooled as the model was taught, and through the layers after it.
import type { Pooling } from '../reading.ts'
import type { LoadedLayer } from './layers.ts'

/** Rows of an encoder's last hidden state. */
export interface TokenRows {
  hidden: Float32Array
  /** Where the first row begins in `hidden`, and how many there are. */
  offset: number
  tokens: number
}

type Reduce = (rows: TokenRows, dimensions: number, from: number) => Float32Array

function weightedSum(
  { hidden, offset, tokens }: TokenRows,
  dimensions: number,
  from: number,
  weightOf: (token: number) => number,
): Float32Array {
  const sum = new Float32Array(dimensions)
  for (let token = from; token < tokens; token++) {
    const [row, weight] = [offset + token * dimensions, weightOf(token)]
    for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] ?? 0) + weight * (hidden[row + at] ?? 0)
  }
  return sum
}

const rowAt = ({ hidden, offset }: TokenRows, dimensions: number, token: number): Float32Array =>
  hidden.slice(offset + token * dimensions, offset + (token + 1) * dimensions)

function largest({ hidden, offset, tokens }: TokenRows, dimensions: number, from: number): Float32Array {
  const most = new Float32Array(dimensions).fill(Number.NEGATIVE_INFINITY)
  for (let token = from; token < tokens; token++)
    for (let at = 0; at < dimensions; at++)
      most[at] = Math.max(most[at] ?? 0, hidden[offset + token * dimensions + at] ?? 0)
  return most
}

/** Of the sum of the natural numbers after `from` up to `to`. */
const sumOfPlaces = (from: number, to: number): number => (to * (to + 1) - from * (from + 1)) / 2

const REDUCERS: Readonly<Record<Pooling, Reduce>> = {
  cls: (rows, dimensions, from) => rowAt(rows, dimensions, from),
  lasttoken: (rows, dimensions) => rowAt(rows, dimensions, rows.tokens - 1),
  max: largest,
  mean: (rows, dimensions, from) => weightedSum(rows, dimensions, from, () => 1 / (rows.tokens - from)),
  mean_sqrt_len_tokens: (rows, dimensions, from) =>
    weightedSum(rows, dimensions, from, () => 1 / Math.sqrt(rows.tokens - from)),
  weightedmean: (rows, dimensions, from) =>
    weightedSum(rows, dimensions, from, (token) => (token + 1) / sumOfPlaces(from, rows.tokens)),
}

/** The vector of a text, from its tokens `from` on. */
export function poolRows(
  rows: TokenRows,
  dimensions: number,
  poolings: readonly Pooling[],
  from: number,
): Float32Array {
  // A text that is nothing but a prompt has at least its last token.
  const first = Math.min(from, rows.tokens - 1)
  const [only, ...others] = poolings.map((pooling) => REDUCERS[pooling](rows, dimensions, first))
  if (only !== undefined && others.length === 0) return only
  const parts = only === undefined ? [] : [only, ...others]
  const joined = new Float32Array(parts.length * dimensions)
  for (const [index, part] of parts.entries()) joined.set(part, index * dimensions)
  return joined
}

/** A vector through the layers, in their order. */
export const throughLayers = (vector: Float32Array, layers: readonly LoadedLayer[]): Float32Array =>
  layers.reduce((input, layer) => layer(input), vector)

/** Every row through the layers, one after the other. */
export function rowsThroughLayers(
  rows: TokenRows,
  dimensions: number,
  layers: readonly LoadedLayer[],
): { values: Float32Array; dimensions: number } {
  const made = Array.from({ length: rows.tokens }, (_, token) =>
    throughLayers(rowAt(rows, dimensions, token), layers),
  )
  const width = made[0]?.length ?? dimensions
  const values = new Float32Array(made.length * width)
  for (const [token, row] of made.entries()) values.set(row, token * width)
  return { values, dimensions: width }
}

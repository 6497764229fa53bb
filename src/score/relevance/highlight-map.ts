// Which part of a passage answers: shares of the passage's probability, by a conditional logit over its parts (McFadden,
// "Conditional logit analysis of qualitative choice behavior", 1974) that models/highlights/fit.py fitted.
import { z } from 'zod'
import { PART_COLUMNS } from './part-features.ts'

const weightsSchema = z.record(z.enum(PART_COLUMNS), z.number())

const highlightMapSchema = z.object({
  /** Names the fit. */
  version: z.string(),
  /** For passages that a re-ranker told part by part, for others that an embedding model read, and for the rest. */
  withReranker: weightsSchema,
  withModel: weightsSchema,
  withoutModel: weightsSchema,
})

const WIDTH = PART_COLUMNS.length
/** What tells which weights count: the first of these columns that is known of a part of the passage. */
const READERS = [
  [PART_COLUMNS.indexOf('answering'), 'withReranker'],
  [PART_COLUMNS.indexOf('cosine'), 'withModel'],
] as const

/**
 * Makes the function that shares a passage's probability among its parts.
 * @throws {z.ZodError} when the fit does not name exactly the columns of the code.
 */
export function loadHighlightMap(json: unknown) {
  const fits = highlightMapSchema.parse(json)

  /** `values` holds rows of PART_COLUMNS; those of the passage are `count` rows from `first` on. Sums to 1. */
  return function sharesOf(values: Float32Array, first: number, count: number): Float64Array {
    const rows = values.subarray(first * WIDTH, (first + count) * WIDTH)
    const [, by = 'withoutModel'] = READERS.find(([column]) => isKnown(rows, column)) ?? []
    const utilities = new Float64Array(count)
    for (const [column, name] of PART_COLUMNS.entries()) {
      const weight = fits[by][name]
      const mean = meanOfKnown(rows, column)
      for (let row = 0; row < count; row++) {
        const value = rows[row * WIDTH + column] ?? Number.NaN
        if (!Number.isNaN(value)) utilities[row] = (utilities[row] ?? 0) + weight * (value - mean)
      }
    }
    return softmax(utilities)
  }
}

const isKnown = (rows: Float32Array, column: number): boolean =>
  rows.some((value, at) => at % WIDTH === column && !Number.isNaN(value))

/** What a part is compared with: its passage's parts, as far as the feature is known of them. */
function meanOfKnown(rows: Float32Array, column: number): number {
  let [sum, count] = [0, 0]
  for (let at = column; at < rows.length; at += WIDTH) {
    const value = rows[at] ?? Number.NaN
    if (Number.isNaN(value)) continue
    sum += value
    count += 1
  }
  return count === 0 ? 0 : sum / count
}

function softmax(utilities: Float64Array): Float64Array {
  const highest = utilities.reduce((top, value) => Math.max(top, value), Number.NEGATIVE_INFINITY)
  const powers = utilities.map((value) => Math.exp(value - highest))
  const total = powers.reduce((sum, value) => sum + value, 0)
  return powers.map((value) => value / total)
}

// The bundled static embedding: one int8 vector per WordPiece token, compared with a query token by token and as a
// mean. Apart from the first stage, which only weighs the numbers that come from here.
import { ONNX_FLOAT, ONNX_INT8, readOnnxTensors } from './onnx-tensors.ts'

/** Distinct query tokens compared one by one; longer queries are cut. 64 tokens are about 40 words. */
const QUERY_TOKENS_MAX = 64

export interface StaticTable {
  vocabularySize: number
  dimensions: number
  /** vocabularySize x dimensions, row by row. */
  rows: Int8Array
  /** A row's true values are its int8 values times its scale. */
  scales: Float32Array
  /** Length of each row's true vector: how much the token says. 0 for tokens that say nothing. */
  norms: Float32Array
}

/**
 * Takes the table out of the model file that transformers.js loads (`table` int8, `row_scale` float32), so that the
 * weights are stored once.
 *
 * @throws {RangeError} when the file holds no such table, or one whose shapes do not fit each other.
 */
export function readStaticTable(onnxFile: Uint8Array): StaticTable {
  const tensors = readOnnxTensors(onnxFile)
  const table = tensors.get('table')
  const scale = tensors.get('row_scale')
  const [vocabularySize = 0, dimensions = 0] = table?.dimensions ?? []
  const fits =
    table?.dataType === ONNX_INT8 &&
    scale?.dataType === ONNX_FLOAT &&
    table.rawData.length === vocabularySize * dimensions &&
    scale.rawData.length === vocabularySize * 4
  if (!fits || dimensions === 0) throw new RangeError('The model file holds no static embedding table.')
  // Copies: the float view needs an aligned start, and the file's buffer can be let go.
  const rows = new Int8Array(Uint8Array.from(table.rawData).buffer)
  const scales = new Float32Array(Uint8Array.from(scale.rawData).buffer)
  return { vocabularySize, dimensions, rows, scales, norms: rowNorms(rows, scales, dimensions) }
}

function rowNorms(rows: Int8Array, scales: Float32Array, dimensions: number): Float32Array {
  return scales.map((scale, token) => {
    let sum = 0
    for (let at = token * dimensions; at < (token + 1) * dimensions; at++) sum += (rows[at] ?? 0) ** 2
    return scale * Math.sqrt(sum)
  })
}

/**
 * Prepares one query (token ids without special tokens) for comparison with many passages. Similarities of query
 * tokens with vocabulary tokens are computed when first met and kept as long as the query.
 */
export function createStaticQuery(table: StaticTable, queryTokens: Int32Array) {
  const { dimensions, norms, scales } = table
  const known = Array.from(new Set(queryTokens)).filter((token) => (norms[token] ?? 0) > 0)
  const tokens = known.slice(0, QUERY_TOKENS_MAX)
  const width = tokens.length
  const weightSum = tokens.reduce((sum, token) => sum + (norms[token] ?? 0), 0)
  const weights = Float32Array.from(tokens, (token) => (norms[token] ?? 0) / weightSum)
  const units = unitRows(table, tokens)
  const mean = meanVector(table, queryTokens)
  const meanNorm = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0))

  const similarity = new Float32Array(table.vocabularySize * width)
  const meanDot = new Float32Array(table.vocabularySize)
  const isKnown = new Uint8Array(table.vocabularySize)
  const best = new Float32Array(width)
  const sum = new Float32Array(dimensions)

  function meet(token: number): void {
    isKnown[token] = 1
    const norm = norms[token] ?? 0
    if (norm === 0) return
    const scale = scales[token] ?? 0
    const row = token * dimensions
    meanDot[token] = scale * dot(mean, 0, table.rows, row, dimensions)
    for (let index = 0; index < width; index++) {
      const product = dot(units, index * dimensions, table.rows, row, dimensions)
      similarity[token * width + index] = (scale / norm) * product
    }
  }

  return {
    /**
     * Weighted mean over the query's tokens of the similarity of the nearest passage token, 0..1. The weights are
     * the lengths of the tokens' vectors (ColBERT's MaxSim, Khattab and Zaharia, SIGIR 2020, with learned weights).
     */
    maxSim(passageTokens: Int32Array): number {
      best.fill(0)
      for (let place = 0; place < passageTokens.length; place++) {
        const token = passageTokens[place] ?? 0
        if (isKnown[token] === 0) meet(token)
        const row = token * width
        for (let index = 0; index < width; index++) {
          const value = similarity[row + index] ?? 0
          if (value > (best[index] ?? 0)) best[index] = value
        }
      }
      let total = 0
      for (let index = 0; index < width; index++) total += (weights[index] ?? 0) * (best[index] ?? 0)
      return Math.min(1, total)
    },

    /** Cosine of the mean vectors, -1..1: what mean pooling in transformers.js gives; 0 for an empty text. */
    cosine(passageTokens: Int32Array): number {
      let product = 0
      for (let place = 0; place < passageTokens.length; place++) {
        const token = passageTokens[place] ?? 0
        if (isKnown[token] === 0) meet(token)
        product += meanDot[token] ?? 0
      }
      sumRows(table, passageTokens, sum)
      let squares = 0
      for (let at = 0; at < dimensions; at++) squares += (sum[at] ?? 0) ** 2
      const norm = Math.sqrt(squares) * meanNorm
      return norm > 0 ? Math.max(-1, Math.min(1, product / norm)) : 0
    },
  }
}

function dot(vectors: Float32Array, start: number, rows: Int8Array, row: number, dimensions: number): number {
  let result = 0
  for (let at = 0; at < dimensions; at++) result += (vectors[start + at] ?? 0) * (rows[row + at] ?? 0)
  return result
}

/** The tokens' vectors at length 1, one after the other. */
function unitRows(table: StaticTable, tokens: readonly number[]): Float32Array {
  const { dimensions, norms, scales, rows } = table
  const units = new Float32Array(tokens.length * dimensions)
  for (const [index, token] of tokens.entries()) {
    const factor = (scales[token] ?? 0) / (norms[token] ?? 1)
    for (let at = 0; at < dimensions; at++) {
      units[index * dimensions + at] = factor * (rows[token * dimensions + at] ?? 0)
    }
  }
  return units
}

function meanVector(table: StaticTable, tokens: Int32Array): Float32Array {
  const sum = new Float32Array(table.dimensions)
  sumRows(table, tokens, sum)
  return sum.map((value) => value / Math.max(1, tokens.length))
}

/** Adds up the tokens' true vectors into `sum`; four rows a turn, which halves the time spent on `sum` itself. */
function sumRows({ rows, scales, dimensions }: StaticTable, tokens: Int32Array, sum: Float32Array): void {
  sum.fill(0)
  const start = (index: number): number => (tokens[index] ?? 0) * dimensions
  const scale = (index: number): number => (index < tokens.length ? (scales[tokens[index] ?? 0] ?? 0) : 0)
  for (let turn = 0; turn < tokens.length; turn += 4) {
    const [a, b, c, d] = [start(turn), start(turn + 1), start(turn + 2), start(turn + 3)]
    const [scaleA, scaleB, scaleC, scaleD] = [scale(turn), scale(turn + 1), scale(turn + 2), scale(turn + 3)]
    for (let at = 0; at < dimensions; at++) {
      sum[at] =
        (sum[at] ?? 0) +
        scaleA * (rows[a + at] ?? 0) +
        scaleB * (rows[b + at] ?? 0) +
        scaleC * (rows[c + at] ?? 0) +
        scaleD * (rows[d + at] ?? 0)
    }
  }
}

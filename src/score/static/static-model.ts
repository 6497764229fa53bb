// The bundled static embedding: one int8 vector per WordPiece token, compared with a query token by token and as a
// mean.
import { ONNX_FLOAT, ONNX_INT8, readOnnxTensors } from './read-onnx-tensors.ts'
import { createStaticKernel, QUERY_TOKENS_MAX, TOKENS_MAX } from './static-kernel.ts'

/** What the model makes of a text, whatever it is compared with. */
export interface StaticText {
  /** Ids without special tokens, at most 512. */
  tokens: Int32Array
  /** Mean of the tokens' vectors at length 1; zeros when they say nothing. */
  mean: Float32Array
}

/** How texts compare with the query, aligned with the texts. */
export interface StaticSimilarities {
  /** Cosine of the mean vectors, -1..1: what mean pooling in transformers.js gives; 0 for an empty text. */
  cosine: Float64Array
  /**
   * Weighted mean over the query's tokens of the similarity of the nearest token of the text, 0..1. The weights are
   * the lengths of the tokens' vectors (ColBERT's MaxSim, Khattab and Zaharia, SIGIR 2020, with learned weights).
   */
  maxSim: Float64Array
  /** The cosine of the headings above the texts, and the MaxSim of headings and text as one. */
  headingCosine: Float64Array
  fullMaxSim: Float64Array
}

const NO_TOKENS = new Int32Array(0)

export type StaticModel = ReturnType<typeof readStaticModel>

/**
 * Takes the table out of the model file that transformers.js loads (`table` int8, `row_scale` float32), so that the
 * weights are stored once.
 *
 * @throws {RangeError} when the file holds no such table, or one whose shapes do not fit each other.
 */
export function readStaticModel(onnxFile: Uint8Array) {
  const tensors = readOnnxTensors(onnxFile)
  const table = tensors.get('table')
  const scale = tensors.get('row_scale')
  const [count = 0, dimensions = 0] = table?.dimensions ?? []
  const fits =
    table?.dataType === ONNX_INT8 &&
    scale?.dataType === ONNX_FLOAT &&
    table.rawData.length === count * dimensions &&
    scale.rawData.length === count * 4
  if (!fits || dimensions === 0) throw new RangeError('The model file holds no static embedding table.')
  // A copy: the float view needs an aligned start.
  const scales = new Float32Array(Uint8Array.from(scale.rawData).buffer)
  const kernel = createStaticKernel({ count, dimensions, values: table.rawData, scales })
  const { norms } = kernel

  return {
    /** Length of each token's vector: how much the token says. 0 for tokens that say nothing. */
    norms,

    read,

    /**
     * Compares one query with many texts and the headings above each. Of the query the first 64 distinct tokens (about
     * 40 words) are compared one by one.
     */
    compare(
      query: StaticText,
      texts: readonly StaticText[],
      headings: readonly StaticText[],
    ): StaticSimilarities {
      const known = Array.from(new Set(query.tokens)).filter((token) => (norms[token] ?? 0) > 0)
      const tokens = known.slice(0, QUERY_TOKENS_MAX)
      kernel.startQuery(tokens)
      const weights = tokenWeights(tokens)
      const maxSimOf = (best: Float32Array): number => Math.min(1, dot(weights, best))
      const cosineOf = (text: StaticText): number => Math.max(-1, Math.min(1, dot(query.mean, text.mean)))
      const maxSim = new Float64Array(texts.length)
      const fullMaxSim = new Float64Array(texts.length)
      for (const [index, text] of texts.entries()) {
        const best = kernel.bestSimilarities(text.tokens).slice()
        maxSim[index] = maxSimOf(best)
        const above = kernel.bestSimilarities(headings[index]?.tokens ?? NO_TOKENS)
        for (let at = 0; at < best.length; at++) best[at] = Math.max(best[at] ?? 0, above[at] ?? 0)
        fullMaxSim[index] = maxSimOf(best)
      }
      const headingCosine = Float64Array.from(headings, cosineOf)
      return { cosine: Float64Array.from(texts, cosineOf), maxSim, headingCosine, fullMaxSim }
    },
  }

  /** Reads a text, as token ids without special tokens; beyond 512 they are left out. */
  function read(ids: Int32Array): StaticText {
    const tokens = ids.subarray(0, TOKENS_MAX)
    const mean = kernel.sumRows(tokens).slice()
    const length = Math.sqrt(dot(mean, mean))
    // A loop: `map` takes 3 us in place of 0.8, for every passage.
    if (length > 0) for (let at = 0; at < mean.length; at++) mean[at] = (mean[at] ?? 0) / length
    return { tokens, mean }
  }

  /** The tokens' shares of the query, 1 in all, each over what the kernel's similarities are too long by. */
  function tokenWeights(tokens: readonly number[]): Float32Array {
    const total = tokens.reduce((sum, token) => sum + (norms[token] ?? 0), 0)
    return Float32Array.from(tokens, (token) => (norms[token] ?? 0) / total / (kernel.lengths[token] ?? 1))
  }
}

function dot(one: Float32Array, other: Float32Array): number {
  let result = 0
  for (let at = 0; at < one.length; at++) result += (one[at] ?? 0) * (other[at] ?? 0)
  return result
}

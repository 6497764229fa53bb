// Memory and calls of the WebAssembly kernel of the static model (its loops: static-kernel.wat).
import { STATIC_KERNEL } from './static-kernel-bytes.ts'

/** The kernel reads so many int8 values at a time. */
const BLOCK = 16
const PAGE_BYTES = 65_536

/** Tokens of one text; what is longer is the caller's to cut. */
export const TOKENS_MAX = 512
/** Query tokens compared one by one. */
export const QUERY_TOKENS_MAX = 64

interface Exports {
  similarities(row: number, rowBytes: number, factor: number, query: number, count: number, out: number): void
  columnMaxima(rows: number, count: number, columnBytes: number, out: number): void
  sumRows(rows: number, count: number, rowBytes: number, out: number): void
}

/** Rows of int8 values, one after the other; a row's true vector is its values times its scale. */
export interface QuantizedRows {
  count: number
  dimensions: number
  values: Uint8Array
  scales: Float32Array
}

/** Where everything lies, in bytes: the table first, what one query needs after it. */
function layout({ count, dimensions }: QuantizedRows) {
  const query = count * dimensions
  const pointers = query + QUERY_TOKENS_MAX * dimensions * Int16Array.BYTES_PER_ELEMENT
  const maxima = pointers + TOKENS_MAX * 2 * Int32Array.BYTES_PER_ELEMENT
  const sum = maxima + QUERY_TOKENS_MAX * Float32Array.BYTES_PER_ELEMENT
  const similarities = sum + dimensions * Float32Array.BYTES_PER_ELEMENT
  // Most of this is never touched, so it takes no memory: no query meets every token.
  const end = similarities + count * QUERY_TOKENS_MAX * Float32Array.BYTES_PER_ELEMENT
  return { query, pointers, maxima, sum, similarities, end }
}

const isKernel = (exports: object): exports is Exports =>
  'similarities' in exports && 'columnMaxima' in exports && 'sumRows' in exports

function instantiate(memory: WebAssembly.Memory): Exports {
  const module = new WebAssembly.Module(Buffer.from(STATIC_KERNEL, 'base64'))
  const { exports } = new WebAssembly.Instance(module, { kernel: { memory } })
  if (!isKernel(exports)) throw new Error('static-kernel-bytes.ts is not what static-kernel.wat says.')
  return exports
}

/** Length of each row's values, before scaling. */
function lengthsOf(values: Int8Array, { count, dimensions }: QuantizedRows): Float32Array {
  return Float32Array.from({ length: count }, (_, row) => {
    let sum = 0
    for (let at = row * dimensions; at < (row + 1) * dimensions; at++) sum += (values[at] ?? 0) ** 2
    return Math.sqrt(sum)
  })
}

/**
 * Copies the rows into a memory of their own (as many bytes again are reserved, not used, for similarities).
 * One query at a time: `startQuery` forgets the query before.
 *
 * @throws {RangeError} when a row's length is no multiple of 16.
 */
export function createStaticKernel(rows: QuantizedRows) {
  const { count, dimensions, scales } = rows
  if (dimensions === 0 || dimensions % BLOCK !== 0) throw new RangeError('Rows must be multiples of 16 long.')
  const place = layout(rows)
  const memory = new WebAssembly.Memory({ initial: Math.ceil(place.end / PAGE_BYTES) })
  const { buffer } = memory
  const values = new Int8Array(buffer, 0, count * dimensions)
  values.set(rows.values)
  const queryRows = new Int16Array(buffer, place.query, QUERY_TOKENS_MAX * dimensions)
  const addresses = new Int32Array(buffer, place.pointers, TOKENS_MAX * 2)
  const factors = new Float32Array(buffer, place.pointers, TOKENS_MAX * 2)
  const sum = new Float32Array(buffer, place.sum, dimensions)
  const kernel = instantiate(memory)
  const lengths = lengthsOf(values, rows)

  /** Address of the similarities of each token that the query has met; 0 for the others. */
  const met = new Int32Array(count)
  let width = 0
  let rowBytes = 0
  let free = place.similarities

  function meet(token: number): number {
    const address = free
    free += rowBytes
    met[token] = address
    const factor = 1 / (lengths[token] ?? 1)
    kernel.similarities(token * dimensions, dimensions, factor, place.query, width, address)
    return address
  }

  return {
    /** Length of each row's true vector. */
    norms: lengths.map((length, row) => length * (scales[row] ?? 0)),

    /** Begins a query of at most QUERY_TOKENS_MAX tokens, none of which has a row of zeros. */
    startQuery(tokens: readonly number[]): void {
      met.fill(0)
      free = place.similarities
      width = tokens.length
      rowBytes = Math.ceil(width / 4) * BLOCK
      for (const [index, token] of tokens.entries()) {
        queryRows.set(values.subarray(token * dimensions, (token + 1) * dimensions), index * dimensions)
      }
    },

    /**
     * For every query token its largest cosine with one of at most TOKENS_MAX tokens, 0..1, times the length of the
     * query token's values (`lengths`). A view, good until the next call.
     */
    bestSimilarities(tokens: Int32Array): Float32Array {
      let places = 0
      for (const token of tokens) {
        if ((lengths[token] ?? 0) > 0) addresses[places++] = met[token] || meet(token)
      }
      kernel.columnMaxima(place.pointers, places, rowBytes, place.maxima)
      return new Float32Array(buffer, place.maxima, width)
    },

    /** The sum of the true vectors of at most TOKENS_MAX tokens. A view, good until the next call. */
    sumRows(tokens: Int32Array): Float32Array {
      let places = 0
      for (const token of tokens) {
        if ((lengths[token] ?? 0) === 0) continue
        addresses[2 * places] = token * dimensions
        factors[2 * places + 1] = scales[token] ?? 0
        places++
      }
      kernel.sumRows(place.pointers, places, dimensions, place.sum)
      return sum
    },

    lengths,
  }
}

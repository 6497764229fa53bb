// What one pass of an encoder tells of a passage beside a query: the cosine of their means, the best sentence, and how
// well each word of the query is met (MaxSim: Khattab and Zaharia, "ColBERT", SIGIR 2020).

/** Numbers of one passage, in the order in which `compare` writes them. */
export const SIMILARITIES = ['cosine', 'bestSentence', 'maxSim', 'bodyMaxSim', 'weakestWords'] as const

/**
 * Numbers of each part of a passage (a sentence, a list item, a row, a line), in the order in which `compareParts`
 * writes them.
 */
export const PART_SIMILARITIES = ['cosine', 'maxSim'] as const

/** How many numbers a passage with so many parts is answered with. */
export const similaritiesWidth = (partCount: number): number =>
  SIMILARITIES.length + partCount * PART_SIMILARITIES.length

/** The query as it is compared: one unit vector a word piece, and the unit vector of their mean. */
export interface EncodedQuery {
  /** `pieces` x `dimensions`, row by row. */
  tokens: Float32Array
  mean: Float32Array
  pieces: number
  /** How well the model says that a passage fits: -1..1 where it is a cosine. */
  similarityTo: (passage: EncodedPassage) => number
}

/** One passage's rows of an encoder's last hidden state. */
export interface EncodedPassage {
  hidden: Float32Array
  /** Where its first row begins in `hidden`, and how many there are; none where the model gives one vector alone. */
  offset: number
  tokens: number
  /** The passage as a whole, which the model was taught to compare; empty in late interaction. */
  vector: Float32Array
  /** 1 where a row takes no part in late interaction; null where all do. */
  isSkipped: Uint8Array | null
  /** Of every row, which sentence it belongs to, from 0; -1 for special tokens and the line above the passage. */
  sentences: Int32Array
  /** Of every row, which of the parts that were asked for it belongs to, from 0; -1 for none of them. */
  parts: Int32Array
}

/** Word pieces of a query that are compared one by one; the rest of a longer query counts in its mean alone. */
const COMPARED_PIECES_MAX = 48
/** A sentence of fewer pieces has no meaning of its own to compare. */
const SENTENCE_PIECES_MIN = 3
/** Share of the query's pieces, the worst met, whose mean is `weakestWords`. */
const WEAKEST_SHARE = 1 / 3

const dotAt = (left: Float32Array, from: number, right: Float32Array, at: number, length: number): number => {
  let [even, odd] = [0, 0]
  for (let index = 0; index < length; index += 2) {
    even += (left[from + index] ?? 0) * (right[at + index] ?? 0)
    odd += (left[from + index + 1] ?? 0) * (right[at + index + 1] ?? 0)
  }
  return even + odd
}

function scaleToUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dotAt(vector, 0, vector, 0, vector.length))
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length
  return vector
}

/**
 * The query's words from its hidden state of so many `rows`; its own pieces are those from `start` to `end`. `dimensions`
 * must be even.
 */
export function encodeQuery(
  { hidden, rows, start, end }: { hidden: Float32Array; rows: number; start: number; end: number },
  dimensions: number,
  similarityTo: EncodedQuery['similarityTo'],
): EncodedQuery {
  const mean = new Float32Array(dimensions)
  addRows(mean, hidden, 0, rows)
  const [first, last] = end > start ? [start, end] : [0, rows]
  const pieces = Math.min(COMPARED_PIECES_MAX, last - first)
  const tokens = hidden.slice(first * dimensions, (first + pieces) * dimensions)
  for (let piece = 0; piece < pieces; piece++)
    scaleToUnit(tokens.subarray(piece * dimensions, (piece + 1) * dimensions))
  return { tokens, mean: scaleToUnit(mean), pieces, similarityTo }
}

function addRows(sum: Float32Array, hidden: Float32Array, offset: number, rows: number): void {
  for (let row = 0; row < rows; row++) addRow(sum, hidden, offset + row * sum.length)
}

function addRow(sum: Float32Array, hidden: Float32Array, offset: number): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (hidden[offset + at] ?? 0)
}

/** The five numbers of SIMILARITIES, each -1..1; all the same where the model gives no vectors of tokens. */
export function compare(query: EncodedQuery, passage: EncodedPassage): Float32Array {
  const cosine = query.similarityTo(passage)
  if (passage.tokens === 0) return new Float32Array(SIMILARITIES.length).fill(cosine)
  const { whole, body } = bestOfEach(query, passage)
  return Float32Array.of(
    cosine,
    bestSentence(query, passage) ?? cosine,
    meanOf(whole),
    meanOf(body),
    meanOf(body.toSorted().subarray(0, Math.max(1, Math.floor(body.length * WEAKEST_SHARE)))),
  )
}

const meanOf = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** For every piece of the query the best similarity of any token, and of any token of the passage's own text. */
function bestOfEach(query: EncodedQuery, { hidden, offset, tokens, sentences }: EncodedPassage) {
  const dimensions = query.mean.length
  const whole = new Float32Array(query.pieces).fill(-1)
  const body = new Float32Array(query.pieces).fill(-1)
  for (let token = 0; token < tokens; token++) {
    const row = offset + token * dimensions
    const length = Math.sqrt(dotAt(hidden, row, hidden, row, dimensions))
    const isBody = (sentences[token] ?? -1) >= 0
    for (let piece = 0; piece < query.pieces; piece++) {
      const similarity = dotAt(query.tokens, piece * dimensions, hidden, row, dimensions) / length
      if (similarity > (whole[piece] ?? 0)) whole[piece] = similarity
      if (isBody && similarity > (body[piece] ?? 0)) body[piece] = similarity
    }
  }
  return { whole, body }
}

/** The best cosine of a sentence's mean; null when no sentence is long enough. */
function bestSentence(
  query: EncodedQuery,
  { hidden, offset, tokens, sentences }: EncodedPassage,
): number | null {
  const dimensions = query.mean.length
  let best: number | null = null
  for (let token = 0; token < tokens;) {
    const sentence = sentences[token] ?? -1
    const sum = new Float32Array(dimensions)
    let pieces = 0
    for (; token < tokens && sentences[token] === sentence; token++, pieces++)
      addRow(sum, hidden, offset + token * dimensions)
    if (sentence < 0 || pieces < SENTENCE_PIECES_MIN) continue
    best = Math.max(best ?? -1, dotAt(query.mean, 0, scaleToUnit(sum), 0, dimensions))
  }
  return best
}

/**
 * The numbers of PART_SIMILARITIES for each of `count` parts, each -1..1: the cosine of its mean, and how well its
 * tokens meet each word of the query. NaN for a part of which nothing was read, because the passage was too long.
 */
export function compareParts(query: EncodedQuery, passage: EncodedPassage, count: number): Float32Array {
  const dimensions = query.mean.length
  const means = Array.from({ length: count }, () => new Float32Array(dimensions))
  const best = Array.from({ length: count }, () => new Float32Array(query.pieces).fill(Number.NaN))
  for (let token = 0; token < passage.tokens; token++) {
    const part = passage.parts[token] ?? -1
    const [mean, met] = [means[part], best[part]]
    if (mean === undefined || met === undefined) continue
    const row = passage.offset + token * dimensions
    addRow(mean, passage.hidden, row)
    meetWords(query, passage.hidden, row, met)
  }
  const values = new Float32Array(count * PART_SIMILARITIES.length).fill(Number.NaN)
  for (const [part, met] of best.entries()) {
    if (Number.isNaN(met[0] ?? Number.NaN)) continue
    const cosine = dotAt(
      query.mean,
      0,
      scaleToUnit(means[part] ?? new Float32Array(dimensions)),
      0,
      dimensions,
    )
    values.set([cosine, meanOf(met)], part * PART_SIMILARITIES.length)
  }
  return values
}

/** Raises for every piece of the query its best similarity to that of the token whose row begins at `row`. */
function meetWords(query: EncodedQuery, hidden: Float32Array, row: number, best: Float32Array): void {
  const dimensions = query.mean.length
  const length = Math.sqrt(dotAt(hidden, row, hidden, row, dimensions))
  for (let piece = 0; piece < query.pieces; piece++) {
    const similarity = dotAt(query.tokens, piece * dimensions, hidden, row, dimensions) / length
    if (!(similarity <= (best[piece] ?? Number.NaN))) best[piece] = similarity
  }
}

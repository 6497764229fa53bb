// One transformer model on one thread: a query and texts in, similarities or logits out. Runs inside the embedding
// workers only, because a running session blocks its thread (onnxruntime-node computes synchronously).
import { join } from 'node:path'
import type { Device } from './catalog.ts'
import type { ModelLocation } from './model-location.ts'
import { loadLayers } from './network/layers.ts'
import { BATCHING, type Batching, runBatches, type Sequence, type UseBatch } from './network/batches.ts'
import { partMeans, rankingWidth } from './network/part-means.ts'
import { openSession, type SessionOutput } from './network/session.ts'
import { createTextVectors } from './network/text-vectors.ts'
import { PLAIN_READING, type ModelReading } from './reading.ts'
import type { RelatedText } from './text-pieces.ts'
import {
  compare,
  compareParts,
  SIMILARITIES,
  similaritiesWidth,
  type EncodedPassage,
  type EncodedQuery,
} from './token-similarity.ts'
import { loadTextEncoder, type PairTokens } from './tokens/text-encoder.ts'

export type { ModelLocation } from './model-location.ts'
export type { RelatedText } from './text-pieces.ts'

/** What the encoder made of a passage. */
export interface ReadPassage extends EncodedPassage {
  /** Parts that were asked for. */
  partCount: number
}

/** The file of a model that does not say itself which it is. */
const USUAL_WEIGHTS: Readonly<Record<Device, string>> = {
  cpu: 'onnx/model_quantized.onnx',
  cuda: 'onnx/model.onnx',
}

/** How a model is read whose folder was not asked. */
const readingOf = ({ spec }: ModelLocation): ModelReading =>
  spec.kind === 'cross-encoder' ? { ...PLAIN_READING, poolings: [], outputs: ['logits'] } : PLAIN_READING

/** Where each of several stretches begins that follow one another, and where the last one ends. */
function startsOf(lengths: readonly number[]): number[] {
  const starts = [0]
  for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length)
  return starts
}

/** Reads queries. The last one is remembered, since the passages of a search come one by one. */
function createQueryReader(
  session: Awaited<ReturnType<typeof openSession>>,
  encoder: Awaited<ReturnType<typeof loadTextEncoder>>,
  vectors: ReturnType<typeof createTextVectors>,
) {
  let known: { text: string; encoded: EncodedQuery } | null = null

  return async (text: string): Promise<EncodedQuery> => {
    if (known?.text === text) return known.encoded
    const tokens = encoder.encodeQuery(text)
    const rows = [{ ids: tokens.ids, secondStart: tokens.ids.length, unseenFrom: tokens.unseenFrom }]
    const output = await session.run({ rows, width: tokens.ids.length })
    known = { text, encoded: vectors.query(output, 0, tokens) }
    return known.encoded
  }
}

/**
 * For each passage, one after the other, the numbers of SIMILARITIES and then those of PART_SIMILARITIES for each of its
 * parts, NaN for a part that was not read.
 */
function comparePassages(encoded: EncodedQuery, passages: readonly ReadPassage[]): Float32Array<ArrayBuffer> {
  const starts = startsOf(passages.map(({ partCount }) => similaritiesWidth(partCount)))
  const values = new Float32Array(starts.at(-1) ?? 0)
  for (const [position, passage] of passages.entries()) {
    const similarities = compare(encoded, passage)
    if (!similarities.every(Number.isFinite))
      throw new Error('The model gave a similarity that is no number.')
    const start = starts[position] ?? 0
    values.set(similarities, start)
    values.set(compareParts(encoded, passage, passage.partCount), start + SIMILARITIES.length)
  }
  return values
}

/** What a batch's row says of each part of the passage that it is. */
function partsOf(
  { answering }: SessionOutput,
  row: number,
  rows: number,
  { parts }: PairTokens,
  count: number,
) {
  if (answering === null) return new Float32Array(count).fill(Number.NaN)
  const width = answering.length / rows
  return partMeans(answering.subarray(row * width, (row + 1) * width), parts, count)
}

export type Transformer = Awaited<ReturnType<typeof loadTransformer>>

/**
 * Loads a model from local files and tries it once, so that a damaged file is found now and not by a request.
 * @throws {Error} when a file is missing or damaged, or the model does not give what is said of it.
 */
export async function loadTransformer(
  location: ModelLocation,
  batching: Batching = BATCHING[location.device],
) {
  const { spec, directory, device, reading = readingOf(location) } = location
  const encoder = await loadTextEncoder(location, reading)
  const layers = await loadLayers(directory, reading.layers)
  const session = await openSession(
    join(directory, reading.weights ?? USUAL_WEIGHTS[device]),
    device,
    reading.outputs,
  )
  const vectors = createTextVectors(spec, reading, layers)

  const queryOf = createQueryReader(session, encoder, vectors)
  const eachBatch = (sequences: readonly Sequence[], use: UseBatch): Promise<void> =>
    runBatches(session, batching, sequences, use)

  /** What the network makes of every passage, in their order. */
  async function readPassages(passages: readonly RelatedText[]): Promise<ReadPassage[]> {
    const tokens = passages.map(encoder.encodePassage)
    const sequences = tokens.map(({ ids }, position) => ({ position, ids, secondStart: ids.length }))
    const read: ReadPassage[] = []
    await eachBatch(sequences, (output, batch) => {
      for (const [row, { position }] of batch.entries()) {
        const own = tokens[position]
        if (own === undefined) continue
        const partCount = passages[position]?.parts?.length ?? 0
        read[position] = { ...vectors.passage(output, row, own), partCount }
      }
    })
    return read
  }

  const compareRead = async (query: string, passages: readonly ReadPassage[]) =>
    comparePassages(await queryOf(query), passages)

  /** As `compareRead`, of passages that are read for it. */
  const relate = async (query: string, passages: readonly RelatedText[]) =>
    compareRead(query, await readPassages(passages))

  const pairOf = (query: string, { context, text, parts = [] }: RelatedText): PairTokens =>
    encoder.encodePair(query, { context, text, parts: session.tellsTokens ? parts : [] })

  /**
   * For each passage, one after the other, a logit, how well it answers the query, and then what the network says of each
   * of its parts; NaN where it was not read, and for a network that says nothing of tokens.
   */
  async function rank(query: string, passages: readonly RelatedText[]): Promise<Float32Array<ArrayBuffer>> {
    const counts = passages.map(({ parts = [] }) => parts.length)
    const starts = startsOf(counts.map(rankingWidth))
    const values = new Float32Array(starts.at(-1) ?? 0)
    const tokens = passages.map((passage) => pairOf(query, passage))
    const sequences = tokens.map(({ ids, secondStart }, position) => ({ position, ids, secondStart }))
    await eachBatch(sequences, (output, batch) => {
      for (const [row, { position, ids }] of batch.entries()) {
        const [start = 0, pair, count = 0] = [starts[position], tokens[position], counts[position]]
        if (pair === undefined) continue
        const logit = vectors.logit(output, row, ids.length)
        if (!Number.isFinite(logit)) throw new Error('The model gave a logit that is no number.')
        values[start] = logit
        values.set(partsOf(output, row, batch.length, pair, count), start + 1)
      }
    })
    return values
  }

  const tried = [{ context: '', text: 'A sentence to begin with.' }]
  if (spec.kind === 'cross-encoder') await rank('a question', tried)
  else await relate('a question', tried)
  return { relate, readPassages, compareRead, rank }
}

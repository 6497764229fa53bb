// One transformer model on one thread: a query and texts in, similarities or logits out. Runs inside the embedding
// workers only, because a running session blocks its thread (onnxruntime-node computes synchronously).
import { join } from 'node:path'
import type { Device } from './catalog.ts'
import type { ModelLocation } from './model-location.ts'
import { loadLayers } from './network/layers.ts'
import { openSession, type SessionOutput, type TokenSequence } from './network/session.ts'
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
import { loadTextEncoder } from './tokens/text-encoder.ts'

export type { ModelLocation } from './model-location.ts'
export type { RelatedText } from './text-pieces.ts'

/**
 * On a CPU a batch is worth it only while it holds no padding and stays in the cache; a GPU wants large batches and
 * does not mind some padding.
 */
const BATCHING: Readonly<Record<Device, Batching>> = {
  cpu: { tokens: 256, mayPad: false },
  cuda: { tokens: 16_384, mayPad: true },
}

interface Batching {
  /** Most tokens in a batch, padding included; a longer sequence goes alone. */
  tokens: number
  mayPad: boolean
}

/** What the encoder made of a passage. */
export interface ReadPassage extends EncodedPassage {
  /** Parts that were asked for. */
  partCount: number
}

interface Sequence extends TokenSequence {
  /** Where its result goes. */
  position: number
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

/** Sequences of (nearly) one length together, within the device's token budget. */
export function makeBatches(sequences: readonly Sequence[], { tokens, mayPad }: Batching): Sequence[][] {
  const batches: Sequence[][] = []
  // Ascending: the newest member is a batch's longest, so its length is the batch's width.
  for (const sequence of sequences.toSorted((a, b) => a.ids.length - b.ids.length)) {
    const last = batches.at(-1)
    const fits =
      last !== undefined &&
      (last.length + 1) * sequence.ids.length <= tokens &&
      (mayPad || last[0]?.ids.length === sequence.ids.length)
    if (fits) last.push(sequence)
    else batches.push([sequence])
  }
  return batches
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

  async function eachBatch(
    sequences: readonly Sequence[],
    use: (output: SessionOutput, batch: readonly Sequence[]) => void,
  ): Promise<void> {
    for (const rows of makeBatches(sequences, batching)) {
      const width = rows.at(-1)?.ids.length ?? 0
      use(await session.run({ rows, width }), rows)
    }
  }

  /** The last query, since the passages of a search come one by one. */
  let known: { text: string; encoded: EncodedQuery } | null = null

  async function queryOf(text: string): Promise<EncodedQuery> {
    if (known?.text === text) return known.encoded
    const tokens = encoder.encodeQuery(text)
    const rows = [{ ids: tokens.ids, secondStart: tokens.ids.length, unseenFrom: tokens.unseenFrom }]
    const output = await session.run({ rows, width: tokens.ids.length })
    known = { text, encoded: vectors.query(output, 0, tokens) }
    return known.encoded
  }

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

  /**
   * For each passage, one after the other, the numbers of SIMILARITIES and then those of PART_SIMILARITIES for each of its
   * parts, NaN for a part that was not read.
   */
  async function compareRead(
    query: string,
    passages: readonly ReadPassage[],
  ): Promise<Float32Array<ArrayBuffer>> {
    const encoded = await queryOf(query)
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

  /** As `compareRead`, of passages that are read for it. */
  const relate = async (query: string, passages: readonly RelatedText[]) =>
    compareRead(query, await readPassages(passages))

  /** One logit for each text: how well it answers the query. */
  async function rank(query: string, texts: readonly string[]): Promise<Float32Array<ArrayBuffer>> {
    const logits = new Float32Array(texts.length)
    const sequences = texts.map((text, position) => ({ position, ...encoder.encodePair(query, text) }))
    await eachBatch(sequences, (output, batch) => {
      for (const [row, { position, ids }] of batch.entries())
        logits[position] = vectors.logit(output, row, ids.length)
    })
    if (!logits.every(Number.isFinite)) throw new Error('The model gave a logit that is no number.')
    return logits
  }

  if (spec.kind === 'cross-encoder') await rank('a question', ['An answer.'])
  else await relate('a question', [{ context: '', text: 'A sentence to begin with.' }])
  return { relate, readPassages, compareRead, rank }
}

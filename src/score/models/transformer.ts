// One transformer model on one thread: a query and texts in, similarities or logits out. Runs inside the embedding
// workers only, because a running session blocks its thread (onnxruntime-node computes synchronously).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AutoModel,
  AutoModelForSequenceClassification,
  AutoTokenizer,
  env,
  Tensor,
} from '@xenova/transformers'
import type { CatalogModel, Device } from './catalog.ts'
import type { TextSpan } from '../passage.ts'
import { cutIntoPieces } from './text-pieces.ts'
import {
  compare,
  compareParts,
  encodeQuery,
  SIMILARITIES,
  similaritiesWidth,
  type EncodedPassage,
  type EncodedQuery,
} from './token-similarity.ts'
import { loadWordPiece } from './word-piece.ts'

/** A model as it lies on disk, with what the catalog says of it. Travels to the workers. */
export interface ModelLocation {
  id: string
  /** Absolute path of the folder that holds config.json, tokenizer.json and onnx/. */
  directory: string
  device: Device
  spec: Pick<CatalogModel, 'kind' | 'tokenizer' | 'dimensions' | 'maximumTokens'>
}

/**
 * Texts are cut here, which three passages in a hundred reach: at 144 tokens a third lost their ends, and with them
 * .045 of 830 questions their first place by MaxSim.
 */
const EMBEDDING_TOKENS = 256
/** Query and passage together; the query keeps at most half. */
const PAIR_TOKENS = 320

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

/** A passage to be compared with a query: the line above it, and its text. */
export interface RelatedText {
  context: string
  text: string
  /** Stretches of the text, in order and apart, that are compared with the query each by itself, too. */
  parts?: readonly TextSpan[]
}

/** What the encoder made of a passage. */
export interface ReadPassage extends EncodedPassage {
  /** Parts that were asked for. */
  partCount: number
}

interface Sequence {
  /** Where its result goes. */
  position: number
  ids: ArrayLike<number>
  /** First token of type 1; the length where there is none. */
  secondStart: number
}

/** Where each of several stretches begins that follow one another, and where the last one ends. */
function startsOf(lengths: readonly number[]): number[] {
  const starts = [0]
  for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length)
  return starts
}

/** A text that stands alone. */
const wholeSequence = (position: number, ids: ArrayLike<number>): Sequence => ({
  position,
  ids,
  secondStart: ids.length,
})

type Run = (inputs: Record<string, Tensor>) => Promise<Record<string, unknown>>

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

/** The three inputs of a BERT model, [batch, width]; the padding's mask is 0. */
function inputsOf(batch: readonly Sequence[], width: number): Record<string, Tensor> {
  const shape = [batch.length, width]
  const ids = new BigInt64Array(batch.length * width)
  const mask = new BigInt64Array(batch.length * width)
  const types = new BigInt64Array(batch.length * width)
  for (const [row, sequence] of batch.entries()) {
    for (let column = 0; column < sequence.ids.length; column++) {
      ids[row * width + column] = BigInt(sequence.ids[column] ?? 0)
      mask[row * width + column] = 1n
      if (column >= sequence.secondStart) types[row * width + column] = 1n
    }
  }
  return {
    input_ids: new Tensor('int64', ids, shape),
    attention_mask: new Tensor('int64', mask, shape),
    token_type_ids: new Tensor('int64', types, shape),
  }
}

function floatsOf(outputs: Record<string, unknown>, name: string, length: number): Float32Array {
  const tensor = outputs[name]
  if (
    !(tensor instanceof Tensor) ||
    !(tensor.data instanceof Float32Array) ||
    tensor.data.length !== length
  ) {
    throw new Error(`The model's output "${name}" does not have the shape the catalog names.`)
  }
  return tensor.data
}

interface Encoder {
  encode(text: string): ArrayLike<number>
  /** For cross-encoders. */
  encodePair(first: string, second: string): { ids: ArrayLike<number>; secondStart: number }
  encodeRelated(related: RelatedText): RelatedIds
}

interface RelatedIds {
  ids: ArrayLike<number>
  /** The sentence of every id, and its part; -1 outside of all. */
  sentences: Int32Array
  parts: Int32Array
}

const NO_IDS: RelatedIds = { ids: [], sentences: new Int32Array(0), parts: new Int32Array(0) }

/** Our own tokenizer where it knows the format, the library's where not. */
async function loadEncoder({ directory, spec }: ModelLocation): Promise<Encoder> {
  const embeddingTokens = Math.min(EMBEDDING_TOKENS, spec.maximumTokens)
  const pairTokens = Math.min(PAIR_TOKENS, spec.maximumTokens)
  if (spec.tokenizer === 'word-piece') {
    const wordPiece = loadWordPiece(JSON.parse(await readFile(join(directory, 'tokenizer.json'), 'utf8')))
    return {
      encode: (text) => wordPiece.encode(text, embeddingTokens),
      encodePair: (first, second) => wordPiece.encodePair(first, second, pairTokens),
      encodeRelated({ context, text, parts = [] }) {
        const pieces = cutIntoPieces(text, parts)
        const texts = pieces.map((piece) => piece.text)
        const { ids, partOf: pieceOf } = wordPiece.encodeParts(context, texts, embeddingTokens)
        return {
          ids,
          sentences: pieceOf.map((piece) => pieces[piece]?.sentence ?? -1),
          parts: pieceOf.map((piece) => pieces[piece]?.part ?? -1),
        }
      },
    }
  }
  const tokenizer = await AutoTokenizer.from_pretrained(directory, { local_files_only: true })
  const encode = (text: string): number[] =>
    tokenizer(text, { truncation: true, max_length: embeddingTokens, return_tensor: false }).input_ids
  return {
    encode,
    encodePair() {
      throw new Error('Pairs are encoded for WordPiece models only.')
    },
    // Where the library does not tell which token is whose, the whole text counts as one sentence, without parts.
    encodeRelated({ context, text }) {
      const ids = encode(`${context}\n${text}`)
      return { ids, sentences: new Int32Array(ids.length), parts: new Int32Array(ids.length).fill(-1) }
    },
  }
}

async function loadSession({ directory, device, spec }: ModelLocation): Promise<Run> {
  const loader = spec.kind === 'cross-encoder' ? AutoModelForSequenceClassification : AutoModel
  const model = await loader.from_pretrained(directory, {
    local_files_only: true,
    device,
    dtype: device === 'cpu' ? 'q8' : 'fp32',
    session_options: {
      // One thread a session and a session a worker: several threads in one session collapse beside other work.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // That fusion's CPU kernel is seven times as slow as the two operators it replaces.
      extra: { optimization: { disable_specified_optimizers: 'SkipLayerNormFusion' } },
    },
  })
  return (inputs) => model.forward(inputs)
}

export type Transformer = Awaited<ReturnType<typeof loadTransformer>>

/**
 * Loads a model from local files and tries it once, so that a damaged file is found now and not by a request.
 * @throws {Error} when a file is missing or damaged, or the model does not give what the catalog says.
 */
export async function loadTransformer(
  location: ModelLocation,
  batching: Batching = BATCHING[location.device],
) {
  env.allowRemoteModels = false
  env.useFSCache = false
  const { spec } = location
  const encoder = await loadEncoder(location)
  const run = await loadSession(location)

  async function eachBatch(
    sequences: readonly Sequence[],
    use: (outputs: Record<string, unknown>, batch: readonly Sequence[], width: number) => void,
  ): Promise<void> {
    for (const batch of makeBatches(sequences, batching)) {
      const width = batch.at(-1)?.ids.length ?? 0
      use(await run(inputsOf(batch, width)), batch, width)
    }
  }

  /** The last query, since the passages of a search come one by one. */
  let known: { text: string; encoded: EncodedQuery } | null = null

  async function queryOf(text: string): Promise<EncodedQuery> {
    if (known?.text === text) return known.encoded
    let encoded: EncodedQuery | null = null
    await eachBatch([wholeSequence(0, encoder.encode(text))], (outputs, _batch, width) => {
      const hidden = floatsOf(outputs, 'last_hidden_state', width * spec.dimensions)
      encoded = encodeQuery(hidden, width, spec.dimensions)
    })
    if (encoded === null) throw new Error('The query gave no tokens.')
    known = { text, encoded }
    return encoded
  }

  /** Every passage's last hidden state, in their order, with what is its own text. */
  async function readPassages(passages: readonly RelatedText[]): Promise<ReadPassage[]> {
    const { dimensions } = spec
    const related = passages.map(encoder.encodeRelated)
    const sequences = related.map(({ ids }, position) => wholeSequence(position, ids))
    const read: ReadPassage[] = []
    await eachBatch(sequences, (outputs, batch, width) => {
      const hidden = floatsOf(outputs, 'last_hidden_state', batch.length * width * dimensions)
      for (const [row, { position, ids }] of batch.entries()) {
        const { sentences, parts } = related[position] ?? NO_IDS
        const partCount = passages[position]?.parts?.length ?? 0
        const offset = row * width * dimensions
        read[position] = { hidden, offset, tokens: ids.length, sentences, parts, partCount }
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
    await eachBatch(sequences, (outputs, batch) => {
      const values = floatsOf(outputs, 'logits', batch.length)
      for (const [row, { position }] of batch.entries()) logits[position] = values[row] ?? Number.NaN
    })
    if (!logits.every(Number.isFinite)) throw new Error('The model gave a logit that is no number.')
    return logits
  }

  if (spec.kind === 'cross-encoder') await rank('a question', ['An answer.'])
  else await relate('a question', [{ context: '', text: 'A sentence to begin with.' }])
  return { relate, readPassages, compareRead, rank }
}

import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from '@xenova/transformers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeBertFolder } from '../../../scripts/bench/random-bert.ts'
import { openEmbedder, type Embedder } from '../../../src/score/models/embedder.ts'
import { loadTransformer, makeBatches, type ModelLocation } from '../../../src/score/models/transformer.ts'
import { QueueFullError, TaskFailedError } from '../../../src/concurrency/worker-pool.ts'
import { makeTokenizerJson, tokenizerConfigJson } from '../../support/tokenizer-json.ts'

const DIMENSIONS = 32
const TEXTS = [
  'How do I revoke an API key?',
  'Keys are revoked on the command line.',
  'x',
  'naïve Straße 中文 данные',
  'the key '.repeat(40),
]
const json = makeTokenizerJson()
const shape = {
  vocabularySize: Object.keys(json.model.vocab).length,
  hidden: DIMENSIONS,
  layers: 2,
  heads: 2,
  intermediate: 64,
  positions: 512,
  precision: 'int8',
} as const
const never = new AbortController().signal
const unhurried = { isUrgent: false, deadlineMs: Number.POSITIVE_INFINITY }

let folder: string
let embedder: Embedder

const location = (name: string, kind: ModelLocation['spec']['kind'] = 'embedding'): ModelLocation => ({
  id: name,
  directory: join(folder, name),
  device: 'cpu',
  spec: { kind, tokenizer: 'word-piece', dimensions: DIMENSIONS, maximumTokens: 256 },
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verbatim-embedder-'))
  const tokenizer = { json, config: tokenizerConfigJson }
  await writeBertFolder(join(folder, 'tiny'), { ...shape, output: 'last_hidden_state' }, tokenizer, 7)
  await writeBertFolder(join(folder, 'cut'), { ...shape, output: 'last_hidden_state' }, tokenizer, 7)
  await truncate(join(folder, 'cut', 'onnx', 'model_quantized.onnx'), 50_000)
  await writeBertFolder(join(folder, 'cross'), { ...shape, output: 'logits' }, tokenizer, 8)
  embedder = await openEmbedder({ workers: 2, queueLimit: 1_000, cacheBytes: 1_000_000 })
})

afterAll(async () => {
  await embedder.close()
  await rm(folder, { recursive: true })
})

const embedAll = async (texts: readonly string[]): Promise<Float32Array[]> => {
  const { values, failure } = await embedder.embed(location('tiny'), texts, unhurried, never)
  expect(failure).toBeNull()
  return values.map((vector) => vector ?? new Float32Array(0))
}
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a, (value, index) => value * (b[index] ?? 0)).reduce((sum, value) => sum + value, 0)

/** Texts no other test embeds, so that the cache cannot answer for them. */
const freshTexts = (count: number, mark: string): string[] =>
  Array.from({ length: count }, (_, index) => `${mark} ${index} ${'a page of the key '.repeat(24)}`)

describe('embedding', () => {
  it('gives unit vectors', async () => {
    const vectors = await embedAll(TEXTS)
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5)
  })

  it('gives the vectors the library gives through its own tokenizer and pooling', async () => {
    const extract = await pipeline('feature-extraction', join(folder, 'tiny'), {
      dtype: 'q8',
      local_files_only: true,
    })
    // The repeated text is longer than our cut at 128 tokens; the others agree up to the order of rounding.
    const texts = TEXTS.slice(0, 4)
    const own = await embedAll(texts)
    for (const [index, text] of texts.entries()) {
      const reference = await extract(text, { pooling: 'mean', normalize: true })
      expect(cosine(own[index] ?? [], Array.from(reference.data, Number))).toBeGreaterThan(0.9995)
    }
  })

  it('gives the golden vector of a known model and text', async () => {
    const [vector] = await embedAll(['the key'])
    const golden = [0.0136, -0.2255, -0.1544, -0.1837, -0.1299, -0.1009, -0.091, 0.359]
    for (const [index, value] of golden.entries()) expect(vector?.[index]).toBeCloseTo(value, 2)
  })

  it('gives one text the same vector alone and among others', async () => {
    const single = await openEmbedder({ workers: 1, queueLimit: 10, cacheBytes: 1_000_000 })
    const together = await embedAll(TEXTS)
    for (const [index, text] of TEXTS.entries()) {
      const { values } = await single.embed(location('tiny'), [text], unhurried, never)
      expect(values[0]).toEqual(together[index])
    }
    await single.close()
  })

  it('embeds equal texts once and keeps what it has embedded', async () => {
    const [text] = freshTexts(1, 'kept')
    const [first, second] = await embedAll([text ?? '', text ?? ''])
    expect(first).toBe(second)
    const late = { isUrgent: false, deadlineMs: 0 }
    const { values } = await embedder.embed(location('tiny'), [text ?? '', 'never seen'], late, never)
    expect(values).toEqual([first, null])
  })

  it('ranks pairs with a cross-encoder, each as if alone', async () => {
    const cross = location('cross', 'cross-encoder')
    const { values } = await embedder.rank(cross, 'the key', TEXTS, Number.POSITIVE_INFINITY, never)
    expect(values.every((value) => value !== null && Number.isFinite(value))).toBe(true)
    const [query, passage] = ['the key', TEXTS[1] ?? '']
    const alone = await embedder.rank(cross, query, [passage], Number.POSITIVE_INFINITY, never)
    expect(alone.values[0]).toBe(values[1])
  })
})

describe('the engine under pressure', () => {
  it('returns what is done when the deadline comes, and null for the rest', async () => {
    const texts = freshTexts(900, 'deadline')
    const { values, failure } = await embedder.embed(
      location('tiny'),
      texts,
      { isUrgent: false, deadlineMs: Date.now() + 60 },
      never,
    )
    expect(failure).toBeNull()
    expect(values).toHaveLength(texts.length)
    expect(values).toContain(null)
  })

  it('says when its queue is full', async () => {
    await expect(
      embedder.embed(location('tiny'), freshTexts(1_200, 'full'), unhurried, never),
    ).rejects.toThrow(QueueFullError)
  })

  it('stops when it is told to, with the reason it was given, and is free at once', async () => {
    const controller = new AbortController()
    const stopped = embedder.embed(location('tiny'), freshTexts(900, 'stopped'), unhurried, controller.signal)
    setTimeout(() => controller.abort(new Error('client went away')), 20)
    await expect(stopped).rejects.toThrow('client went away')
    await expect(embedAll(['the service goes on'])).resolves.toHaveLength(1)
  })

  it('embeds a query before the passages that were there first', async () => {
    const order: string[] = []
    const passages = embedder
      .embed(location('tiny'), freshTexts(300, 'crowd'), unhurried, never)
      .then(() => order.push('passages'))
    await embedder.embed(location('tiny'), ['an urgent query'], { ...unhurried, isUrgent: true }, never)
    order.push('query')
    await passages
    expect(order).toEqual(['query', 'passages'])
  })
})

describe('a damaged model', () => {
  it('is found when it is loaded, and harms no other', async () => {
    await expect(embedder.load(location('cut'), never)).rejects.toThrow(TaskFailedError)
    await expect(embedder.load(location('missing'), never)).rejects.toThrow(TaskFailedError)
    await expect(embedder.load(location('tiny'), never)).resolves.toBeUndefined()
  })

  it('is one that gives another shape than the catalog names', async () => {
    const wrong = { ...location('tiny'), id: 'wrong' }
    wrong.spec = { ...wrong.spec, dimensions: 48 }
    const other = await openEmbedder({ workers: 1, queueLimit: 10, cacheBytes: 1_000 })
    await expect(other.load(wrong, never)).rejects.toThrow(/shape/u)
    await other.close()
  })
})

describe('batches', () => {
  const sequenceOf = (length: number, position: number) => ({
    position,
    ids: Array.from({ length }, () => 1),
    secondStart: length,
  })

  it('hold every sequence once, no padding on a CPU, and never more than the budget', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 128 })), fc.boolean(), (lengths, mayPad) => {
        const batches = makeBatches(lengths.map(sequenceOf), { tokens: 256, mayPad })
        expect(
          batches
            .flat()
            .map(({ position }) => position)
            .toSorted((a, b) => a - b),
        ).toEqual([...lengths.keys()])
        for (const batch of batches) {
          const widths = new Set(batch.map(({ ids }) => ids.length))
          expect(batch.length * Math.max(...widths)).toBeLessThanOrEqual(256)
          expect(mayPad || widths.size === 1).toBe(true)
        }
      }),
    )
  })

  it('with padding give the same direction as without', async () => {
    const alone = await loadTransformer(location('tiny'))
    const padded = await loadTransformer(location('tiny'), { tokens: 100_000, mayPad: true })
    const [a, b] = [await alone.embed(TEXTS), await padded.embed(TEXTS)]
    for (let at = 0; at < a.length; at += DIMENSIONS) {
      expect(cosine(a.slice(at, at + DIMENSIONS), b.slice(at, at + DIMENSIONS))).toBeGreaterThan(0.995)
    }
  })
})

import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from '@xenova/transformers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeBertFolder } from '../../../scripts/bench/random-bert.ts'
import { openEmbedder, type Embedder } from '../../../src/score/models/embedder.ts'
import { SIMILARITIES } from '../../../src/score/models/token-similarity.ts'
import {
  loadTransformer,
  type ModelLocation,
  type RelatedText,
} from '../../../src/score/models/transformer.ts'
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
  const told = { ...shape, output: 'logits', tellsTokens: true } as const
  await writeBertFolder(join(folder, 'cross-told'), told, tokenizer, 8)
  embedder = await openEmbedder({ workers: 2, queueLimit: 1_000, cacheBytes: 1_000_000 })
})

afterAll(async () => {
  await embedder.close()
  await rm(folder, { recursive: true })
})

const unhurried = Number.POSITIVE_INFINITY
const QUERY = 'the key'
const related = (texts: readonly string[]) => texts.map((text) => ({ context: '', text }))
const relateAll = async (texts: readonly string[], query = QUERY): Promise<Float32Array[]> => {
  const { values, failure } = await embedder.relate(location('tiny'), query, related(texts), unhurried, never)
  expect(failure).toBeNull()
  return values.map((similarities) => similarities ?? new Float32Array(0))
}
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a, (value, index) => value * (b[index] ?? 0)).reduce((sum, value) => sum + value, 0)

/** Texts no other test reads, so that the cache cannot answer for them. */
const freshTexts = (count: number, mark: string) =>
  related(Array.from({ length: count }, (_, index) => `${mark} ${index} ${'a page of the key '.repeat(24)}`))

describe('what a model says of a passage beside a query', () => {
  it('is the cosine the library gives through its own tokenizer and pooling', async () => {
    const extract = await pipeline('feature-extraction', join(folder, 'tiny'), {
      dtype: 'q8',
      local_files_only: true,
    })
    // The repeated text is longer than our cut; the others agree up to the order of rounding.
    const texts = TEXTS.slice(0, 4)
    const own = await relateAll(texts)
    const vectorOf = async (text: string): Promise<number[]> =>
      Array.from((await extract(text, { pooling: 'mean', normalize: true })).data, Number)
    const query = await vectorOf(QUERY)
    for (const [index, text] of texts.entries())
      expect(own[index]?.[0]).toBeCloseTo(cosine(query, await vectorOf(text)), 2)
  })

  it('is complete agreement when the passage is the query', async () => {
    const [same] = await relateAll([QUERY])
    for (const value of same ?? []) expect(value).toBeCloseTo(1, 5)
  })

  it('counts the line above a passage in its cosine and MaxSim, and not in its sentences', async () => {
    const ask = (context: string) =>
      embedder.relate(location('tiny'), QUERY, [{ context, text: 'данные 中文 x' }], unhurried, never)
    const [alone, under] = await Promise.all([ask(''), ask('the key > keys')])
    const [maxSim, bodyMaxSim] = [SIMILARITIES.indexOf('maxSim'), SIMILARITIES.indexOf('bodyMaxSim')]
    const [without, within] = [alone.values[0] ?? [], under.values[0] ?? []]
    expect(within[maxSim]).toBeGreaterThan(without[maxSim] ?? 1)
    expect(within[maxSim]).toBeGreaterThan(within[bodyMaxSim] ?? 1)
  })

  it('is the same alone and among others', async () => {
    const single = await openEmbedder({ workers: 1, queueLimit: 10, cacheBytes: 1_000_000 })
    const together = await relateAll(TEXTS)
    for (const [index, text] of TEXTS.entries()) {
      const { values } = await single.relate(location('tiny'), QUERY, related([text]), unhurried, never)
      expect(values[0]).toEqual(together[index])
    }
    await single.close()
  })

  it('is remembered', async () => {
    const [passage] = freshTexts(1, 'kept')
    const text = passage?.text ?? ''
    const [first] = await relateAll([text])
    const late = await embedder.relate(location('tiny'), QUERY, related([text, 'never seen']), 0, never)
    expect(late.values).toEqual([first, null])
  })

  it('is told of pairs by a cross-encoder, each as if alone', async () => {
    const cross = location('cross', 'cross-encoder')
    const { values } = await embedder.rank(cross, QUERY, related(TEXTS), unhurried, never)
    expect(values.every((value) => Number.isFinite(value?.[0]))).toBe(true)
    const passage = TEXTS[1] ?? ''
    const alone = await embedder.rank(cross, QUERY, related([passage]), unhurried, never)
    expect(alone.values[0]).toEqual(values[1])
  })

  it('is told part by part by a cross-encoder that has a head for it, with the same logits', async () => {
    const text = 'The key is revoked. It is a page.'
    const parts = [
      { start: 0, end: 19 },
      { start: 20, end: 33 },
    ]
    const rank = async (name: string, passage: RelatedText): Promise<number[]> => {
      const model = location(name, 'cross-encoder')
      const { values } = await embedder.rank(model, QUERY, [passage], unhurried, never)
      return [...(values[0] ?? [])]
    }
    const [logit, ...none] = await rank('cross', { context: 'Keys', text, parts })
    const [sameLogit, ...told] = await rank('cross-told', { context: 'Keys', text, parts })
    expect(sameLogit).toBe(logit)
    expect(none).toEqual([Number.NaN, Number.NaN])
    expect(told.every(Number.isFinite)).toBe(true)
    expect(await rank('cross-told', { context: 'Keys', text })).toEqual([logit])
    const beyond = { context: 'the key '.repeat(400), text, parts }
    expect((await rank('cross-told', beyond)).slice(1)).toEqual([Number.NaN, Number.NaN])
  })
})

describe('the transformers under pressure', () => {
  it('return what is done when the deadline comes, and null for the rest', async () => {
    const passages = freshTexts(900, 'deadline')
    const soon = Date.now() + 60
    const { values, failure } = await embedder.relate(location('tiny'), QUERY, passages, soon, never)
    expect(failure).toBeNull()
    expect(values).toHaveLength(passages.length)
    expect(values).toContain(null)
  })

  it('say when their queue is full', async () => {
    await expect(
      embedder.relate(location('tiny'), QUERY, freshTexts(1_200, 'full'), unhurried, never),
    ).rejects.toThrow(QueueFullError)
  })

  it('stop when they are told to, with the reason they were given, and are free at once', async () => {
    const controller = new AbortController()
    const passages = freshTexts(900, 'stopped')
    const stopped = embedder.relate(location('tiny'), QUERY, passages, unhurried, controller.signal)
    setTimeout(() => controller.abort(new Error('client went away')), 20)
    await expect(stopped).rejects.toThrow('client went away')
    await expect(relateAll(['the service goes on'])).resolves.toHaveLength(1)
  })
})

describe('a damaged model', () => {
  it('is found when it is loaded, and harms no other', async () => {
    await expect(embedder.load(location('cut'), never)).rejects.toThrow(TaskFailedError)
    await expect(embedder.load(location('missing'), never)).rejects.toThrow(TaskFailedError)
    await expect(embedder.load(location('tiny'), never)).resolves.toBeGreaterThan(0)
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
  it('with padding give the same similarities as without', async () => {
    const alone = await loadTransformer(location('tiny'))
    const padded = await loadTransformer(location('tiny'), { tokens: 100_000, mayPad: true })
    const passages = related(TEXTS)
    const [a, b] = [await alone.relate(QUERY, passages), await padded.relate(QUERY, passages)]
    for (const [at, value] of a.entries()) expect(b[at]).toBeCloseTo(value, 1)
  })
})

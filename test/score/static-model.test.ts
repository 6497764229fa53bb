// The table read from the model file must be the model that transformers.js runs.
import { readFileSync } from 'node:fs'
import { env, pipeline } from '@xenova/transformers'
import { expect, it } from 'vitest'
import { readOnnxTensors } from '../../src/score/onnx-tensors.ts'
import { createStaticQuery, readStaticTable } from '../../src/score/static-model.ts'
import { loadWordPiece } from '../../src/score/word-piece.ts'

const file = readFileSync('models/bundled/onnx/model_quantized.onnx')
const table = readStaticTable(file)
const wordPiece = loadWordPiece(JSON.parse(readFileSync('models/bundled/tokenizer.json', 'utf8')))

const QUERY = 'how do vaccines work'
const TEXTS = [
  'A vaccine trains the immune system.',
  'Ein Impfstoff, gestern zugelassen',
  '東京の天気',
  'Ünïcödé 🙂 x',
  '',
]

it('gives the cosine that the feature-extraction pipeline gives', async () => {
  env.allowRemoteModels = false
  env.localModelPath = 'models/'
  const embed = await pipeline('feature-extraction', 'bundled', { dtype: 'q8' })
  const vectors: number[][] = (
    await embed([QUERY, ...TEXTS.slice(0, -1)], { pooling: 'mean', normalize: true })
  ).tolist()
  const [queryVector = [], ...textVectors] = vectors
  const query = createStaticQuery(table, wordPiece.tokens(QUERY, 128))
  for (const [index, vector] of textVectors.entries()) {
    const expected = vector.reduce((sum, value, at) => sum + value * (queryVector[at] ?? 0), 0)
    expect(query.cosine(wordPiece.tokens(TEXTS[index]!, 512))).toBeCloseTo(expected, 4)
  }
})

it('gives the text itself 1 and the empty text 0', () => {
  const tokens = wordPiece.tokens(QUERY, 128)
  const query = createStaticQuery(table, tokens)
  expect(query.cosine(tokens)).toBeCloseTo(1, 4)
  expect(query.maxSim(tokens)).toBeCloseTo(1, 4)
  expect(query.cosine(new Int32Array(0))).toBe(0)
  expect(query.maxSim(new Int32Array(0))).toBe(0)
})

it('refuses a file that is cut short or holds no table', () => {
  expect(() => readStaticTable(file.subarray(0, 1_000_000))).toThrow(RangeError)
  expect(() => readStaticTable(new Uint8Array(0))).toThrow(RangeError)
  expect(() => readOnnxTensors(Uint8Array.of(0x3f, 0x01))).toThrow(RangeError)
})

it('stays within the size that the repository may ship', () => {
  const sizeBytes = file.length + readFileSync('models/bundled/tokenizer.json').length
  expect(sizeBytes).toBeLessThanOrEqual(9_000_000)
})

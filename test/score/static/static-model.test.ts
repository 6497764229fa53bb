// The table read from the model file must be the model that transformers.js runs.
import { readFileSync } from 'node:fs'
import { env, pipeline } from '@xenova/transformers'
import { expect, it } from 'vitest'
import { readOnnxTensors } from '../../../src/score/static/read-onnx-tensors.ts'
import { readStaticModel } from '../../../src/score/static/static-model.ts'
import { loadWordPiece } from '../../../src/score/models/word-piece.ts'

const file = readFileSync('models/bundled/onnx/model_quantized.onnx')
const model = readStaticModel(file)
const wordPiece = loadWordPiece(JSON.parse(readFileSync('models/bundled/tokenizer.json', 'utf8')))

const read = (text: string) => model.read(wordPiece.tokens(text, 512))
const compare = (query: string, texts: readonly string[], headings: readonly string[] = []) =>
  model.compare(
    read(query),
    texts.map(read),
    texts.map((_text, index) => read(headings[index] ?? '')),
  )

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
  const { cosine } = compare(QUERY, TEXTS)
  for (const [index, vector] of textVectors.entries()) {
    const expected = vector.reduce((sum, value, at) => sum + value * (queryVector[at] ?? 0), 0)
    expect(cosine[index]).toBeCloseTo(expected, 4)
  }
})

it('gives the text itself 1 and the empty text 0', () => {
  const { cosine, maxSim } = compare(QUERY, [QUERY, ''])
  expect(cosine[0]).toBeCloseTo(1, 4)
  expect(maxSim[0]).toBeCloseTo(1, 4)
  expect([cosine[1], maxSim[1]]).toEqual([0, 0])
})

it('gives a text the same values whatever was compared before', () => {
  const first = compare(QUERY, TEXTS)
  compare('東京 weather', [...TEXTS, QUERY])
  expect(compare(QUERY, TEXTS)).toEqual(first)
})

it('gives an empty query nothing', () => {
  expect(compare('', TEXTS).cosine.every((value) => value === 0)).toBe(true)
  expect(compare('', TEXTS).maxSim.every((value) => value === 0)).toBe(true)
})

it('refuses a file that is cut short or holds no table', () => {
  expect(() => readStaticModel(file.subarray(0, 1_000_000))).toThrow(RangeError)
  expect(() => readStaticModel(new Uint8Array(0))).toThrow(RangeError)
  expect(() => readOnnxTensors(Uint8Array.of(0x3f, 0x01))).toThrow(RangeError)
})

it('stays within the size that the repository may ship', () => {
  const sizeBytes = file.length + readFileSync('models/bundled/tokenizer.json').length
  expect(sizeBytes).toBeLessThanOrEqual(9_000_000)
})

it('compares headings and text as one: each word of the query with the nearest word of either', () => {
  const { maxSim, fullMaxSim, headingCosine } = compare(
    'vaccine dose',
    ['The dose is small.', 'Rain.'],
    ['Vaccine'],
  )
  expect(fullMaxSim[0]).toBeGreaterThan(maxSim[0]!)
  expect(fullMaxSim[0]).toBeCloseTo(1, 1)
  expect(fullMaxSim[1]).toBe(maxSim[1])
  expect(headingCosine[0]).toBeGreaterThan(0.5)
  expect(headingCosine[1]).toBe(0)
})

// Tiny models of random weights, one for each architecture, in the files that sentence-transformers writes, against what
// that library says of the same texts (test/fixtures/score/named-models/make.py).
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readModelFolder } from '../../../src/score/models/folder/read-folder.ts'
import type { ModelReading } from '../../../src/score/models/reading.ts'
import { SIMILARITIES } from '../../../src/score/models/token-similarity.ts'
import { loadTransformer, type Transformer } from '../../../src/score/models/transformer.ts'

interface Reference {
  /** Of each passage, one after the other for each query. */
  similarities?: number[]
  passages?: number[][]
  logits?: number[]
}

const FOLDER = join(import.meta.dirname, '..', '..', 'fixtures', 'score', 'named-models')
const { queries, passages, models } = JSON.parse(readFileSync(join(FOLDER, 'reference.json'), 'utf8')) as {
  queries: string[]
  passages: string[]
  models: Record<string, Reference>
}
const TOLERANCE = 1e-4
const texts = passages.map((text) => ({ context: '', text }))

async function load(name: string, more: Partial<ModelReading> = {}): Promise<Transformer> {
  const directory = join(FOLDER, name)
  const { spec, reading } = await readModelFolder(directory, 'cpu')
  if (reading === undefined) throw new Error(`${name} does not say how it is read.`)
  return loadTransformer({ id: name, directory, device: 'cpu', spec, reading: { ...reading, ...more } })
}

const farthest = (one: ArrayLike<number>, other: readonly number[]): number => {
  expect(one).toHaveLength(other.length)
  return other.reduce((most, value, at) => Math.max(most, Math.abs(value - (one[at] ?? Number.NaN))), 0)
}

/** Every query beside every passage. */
async function similaritiesOf(model: Transformer): Promise<number[]> {
  const all: number[] = []
  for (const query of queries) {
    const values = await model.relate(query, texts)
    for (const at of passages.keys()) all.push(values[at * SIMILARITIES.length] ?? Number.NaN)
  }
  return all
}

/** In the weights of the reference, where there are lighter ones, too. */
const IN_FULL: Partial<ModelReading> = { weights: 'onnx/model.onnx' }

describe('a model of any name gives what sentence-transformers gives', () => {
  for (const [name, reference] of Object.entries(models)) {
    const { similarities, logits } = reference
    if (similarities !== undefined)
      test(`${name}: similarities of queries and passages`, async () => {
        expect(farthest(await similaritiesOf(await load(name, IN_FULL)), similarities)).toBeLessThan(
          TOLERANCE,
        )
      })
    if (reference.passages !== undefined)
      test(`${name}: the passages’ vectors`, async () => {
        const read = await (await load(name, IN_FULL)).readPassages(texts)
        for (const [at, vector] of (reference.passages ?? []).entries())
          expect([passages[at], farthest(read[at]?.vector ?? [], vector) < TOLERANCE]).toEqual([
            passages[at],
            true,
          ])
      })
    if (logits !== undefined)
      test(`${name}: the logits of pairs`, async () => {
        const model = await load(name, IN_FULL)
        const own: number[] = []
        for (const query of queries) own.push(...(await model.rank(query, texts)))
        expect(farthest(own, logits)).toBeLessThan(TOLERANCE)
      })
  }
})

describe('lighter weights of a model', () => {
  const reference = models['bert']?.similarities ?? []

  test.each([
    ['8 bits', 'onnx/model_quantized.onnx', 0.05],
    ['half precision', 'onnx/model_fp16.onnx', 0.005],
  ])('in %s say nearly the same', async (_precision, weights, tolerance) => {
    const own = await similaritiesOf(await load('bert', { weights }))
    expect(farthest(own, reference)).toBeLessThan(tolerance)
  })

  test('are chosen by device: 8 bits on a processor, half precision on a GPU', async () => {
    const chosen = async (device: 'cpu' | 'cuda') =>
      (await readModelFolder(join(FOLDER, 'bert'), device)).reading?.weights
    expect([await chosen('cpu'), await chosen('cuda')]).toEqual([
      'onnx/model_quantized.onnx',
      'onnx/model_fp16.onnx',
    ])
  })
})

describe('weights that lie beside the graph', () => {
  const GRAPH = 'model_quantized.onnx'
  const DATA = `${GRAPH}_data`
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verbatim-weights-beside-'))
    await cp(join(FOLDER, '..', '..', '..', '..', 'models', 'all-MiniLM-L6-v2'), folder, { recursive: true })
  })
  afterEach(() => rm(folder, { recursive: true }))

  const loadFolder = async () => {
    const { spec, reading } = await readModelFolder(folder, 'cpu')
    return loadTransformer({
      id: 'beside',
      directory: folder,
      device: 'cpu',
      spec,
      ...(reading && { reading }),
    })
  }

  test('are read from a named folder, too, and go on serving when the file is replaced or removed', async () => {
    const model = await loadFolder()
    const before = await similaritiesOf(model)
    await writeFile(join(folder, 'other'), new Uint8Array(1_000))
    await rename(join(folder, 'other'), join(folder, 'onnx', DATA))
    expect(await similaritiesOf(model)).toEqual(before)
    await rm(join(folder, 'onnx', DATA))
    expect(await similaritiesOf(model)).toEqual(before)
  })

  test.each([
    ['are missing', () => rm(join(folder, 'onnx', DATA))],
    ['are cut off', () => truncate(join(folder, 'onnx', DATA), 10_000_000)],
  ])('and %s are said to be so, with what mends it', async (_, damage) => {
    await damage()
    await expect(loadFolder()).rejects.toThrow(
      `the weights beside its ${GRAPH} are missing or cut off: bring the files again that begin with ${GRAPH}`,
    )
  })
})

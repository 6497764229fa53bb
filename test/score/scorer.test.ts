import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeBertFolder } from '../../scripts/bench/random-bert.ts'
import { openScorer, type Scorer, type ScorerOptions, type ScoreRequest } from '../../src/score/scorer.ts'
import { QueueFullError } from '../../src/concurrency/worker-pool.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { makeTokenizerJson, tokenizerConfigJson } from '../support/tokenizer-json.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const QUERY = 'How do I revoke an API key?'
const PASSAGES = [
  { text: 'The service listens on port 8080 unless PORT says otherwise.', heading: 'Configuration' },
  {
    text: 'To revoke an API key, run keys revoke with the key or its id. It is refused at once.',
    heading: 'API keys',
  },
  { text: 'Bananas are rich in potassium and grow in bunches.', heading: '' },
  { text: 'A new API key is printed once, when it is created.', heading: 'API keys' },
]
const never = new AbortController().signal
const opened: Scorer[] = []

let folder: string
const logLines: string[] = []
/** With the bundled model alone, and with every model of the catalog: shared by the tests that change nothing. */
let bare: Scorer
let complete: Scorer

/** A catalog of tiny models in the shape of the real one: `small`, `large`, `cross`. */
const entry = (kind: 'embedding' | 'cross-encoder') => ({
  hub: 'owner/name',
  revision: null,
  licence: 'Apache-2.0',
  kind,
  tokenizer: 'word-piece',
  dimensions: 32,
  maximumTokens: 128,
  pooling: 'mean',
  files: [
    { path: 'config.json', sizeBytes: null, sha256: null },
    { path: 'tokenizer.json', sizeBytes: null, sha256: null },
    { path: 'onnx/model_quantized.onnx', sizeBytes: null, sha256: null },
  ],
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verbatim-scorer-'))
  const json = makeTokenizerJson()
  const tokenizer = { json, config: tokenizerConfigJson }
  const vocabularySize = Object.keys(json.model.vocab).length
  const shape = {
    vocabularySize,
    hidden: 32,
    layers: 2,
    heads: 2,
    intermediate: 64,
    positions: 512,
    precision: 'int8',
  } as const
  await writeBertFolder(
    join(folder, 'whole', 'small'),
    { ...shape, output: 'last_hidden_state' },
    tokenizer,
    1,
  )
  await writeBertFolder(
    join(folder, 'whole', 'large'),
    { ...shape, output: 'last_hidden_state' },
    tokenizer,
    2,
  )
  await writeBertFolder(join(folder, 'whole', 'cross'), { ...shape, output: 'logits' }, tokenizer, 3)
  await mkdir(join(folder, 'none'))
  await cp(join(folder, 'whole'), join(folder, 'damaged'), { recursive: true })
  await truncate(join(folder, 'damaged', 'large', 'onnx', 'model_quantized.onnx'), 40_000)
  await writeFile(join(folder, 'damaged', 'cross', 'tokenizer.json'), '{}')
  const bundled = { ...entry('embedding'), hub: null, kind: 'static', dimensions: 256 }
  const catalog = {
    models: { bundled, small: entry('embedding'), large: entry('embedding'), cross: entry('cross-encoder') },
    tiers: {
      precise: [['small'], ['bundled']],
      balanced: [['large'], ['small'], ['bundled']],
      exhaustive: [['large', 'cross'], ['large'], ['small'], ['bundled']],
      multilingual: [['bundled']],
    },
  }
  await writeFile(join(folder, 'catalog.json'), JSON.stringify(catalog))
  const shipped = JSON.parse(await readFile(join(ROOT, 'models', 'calibration.json'), 'utf8'))
  const map = (weights: Record<string, number>) => ({
    source: 'default',
    intercept: -1,
    weights,
    expectedCalibrationError: null,
    reliability: [],
  })
  const maps = {
    bundled: shipped.maps.bundled,
    small: map({ cosine: 2, firstStage: 1 }),
    large: map({ cosine: 2, firstStage: 1 }),
    cross: map({ cosine: 1, firstStage: 1, crossEncoder: 0.5 }),
  }
  await writeFile(join(folder, 'calibration.json'), JSON.stringify({ maps }))
  ;[bare, complete] = await Promise.all([open('none'), open('whole')])
  opened.length = 0
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((scorer) => scorer.close()))
})
afterAll(async () => {
  await Promise.all([bare.close(), complete.close()])
  await rm(folder, { recursive: true })
})

async function open(
  models: 'whole' | 'none' | 'damaged',
  options: Partial<ScorerOptions> = {},
): Promise<Scorer> {
  const scorer = await openScorer({
    catalogPath: join(folder, 'catalog.json'),
    bundledDirectory: join(ROOT, 'models', 'bundled'),
    modelDirectory: join(folder, models),
    device: 'cpu',
    threads: 2,
    log: createLogger('info', { write: (line) => logLines.push(line) }),
    ...options,
  })
  opened.push(scorer)
  return scorer
}

const request = (options: Partial<ScoreRequest> = {}): ScoreRequest => ({
  tier: 'balanced',
  language: 'en',
  candidates: 16,
  deadlineMs: Date.now() + 60_000,
  ...options,
})

const indexOfBest = (values: Float64Array): number => values.indexOf(Math.max(...values))

describe('a machine with the bundled model alone', () => {
  it('scores every passage by the first stage, the answer above the rest, without a warning', async () => {
    const { relevance, ...answer } = await bare.score(QUERY, PASSAGES, request(), never)
    expect(answer).toMatchObject({
      stage: 'first',
      model: 'bundled',
      requestedTier: 'balanced',
      warning: null,
    })
    expect(relevance).toHaveLength(PASSAGES.length)
    expect(relevance.every((value) => value >= 0 && value <= 1)).toBe(true)
    expect(indexOfBest(relevance)).toBe(1)
    expect(relevance[2]).toBeLessThan(0.1)
  })

  it('says of each tier what serves it and which command brings its own model', async () => {
    expect(bare.describe()).toContainEqual({
      tier: 'precise',
      model: 'bundled',
      isWanted: false,
      remedy: 'npm run models -- prefetch precise',
    })
    expect(logLines.some((line) => line.includes('prefetch precise'))).toBe(true)
  })

  it('answers a request without passages', async () => {
    const { relevance } = await bare.score(QUERY, [], request(), never)
    expect(relevance).toHaveLength(0)
  })
})

describe('a machine with the models of the tiers', () => {
  it('lets each tier be scored by its own model', async () => {
    const modelFor = async (tier: ScoreRequest['tier']) => {
      const { model, stage, warning } = await complete.score(QUERY, PASSAGES, request({ tier }), never)
      return { model, stage, warning }
    }
    expect(await modelFor('precise')).toEqual({ model: 'small', stage: 'model', warning: null })
    expect(await modelFor('balanced')).toEqual({ model: 'large', stage: 'model', warning: null })
    expect(await modelFor('exhaustive')).toEqual({ model: 'large + cross', stage: 'model', warning: null })
    expect(complete.describe().filter(({ isWanted }) => isWanted)).toHaveLength(4)
  })

  it('leaves other languages to the model that knows them', async () => {
    const { model } = await complete.score(
      'Wie widerrufe ich einen Schlüssel?',
      PASSAGES,
      request({ language: 'de' }),
      never,
    )
    expect(model).toBe('bundled')
  })

  it('keeps what the model did not read below what it read', async () => {
    const { relevance } = await complete.score(
      QUERY,
      PASSAGES,
      request({ tier: 'precise', candidates: 2 }),
      never,
    )
    const first = await bare.score(QUERY, PASSAGES, request({ tier: 'precise' }), never)
    const order = Array.from(first.relevance.keys()).toSorted(
      (a, b) => (first.relevance[b] ?? 0) - (first.relevance[a] ?? 0),
    )
    const lowestRead = Math.min(...order.slice(0, 2).map((index) => relevance[index] ?? 0))
    for (const index of order.slice(2)) expect(relevance[index]).toBeLessThanOrEqual(lowestRead + 1e-12)
  })

  it('gives first-stage scores and a warning when there is no time for the model', async () => {
    const unseen = PASSAGES.map(({ text, heading }) => ({ text: `${text} Indeed.`, heading }))
    const answer = await complete.score(QUERY, unseen, request({ deadlineMs: Date.now() - 1 }), never)
    expect(answer.stage).toBe('first')
    expect(answer.model).toBe('bundled')
    expect(answer.warning).toMatch(/time was used up/u)
    expect(indexOfBest(answer.relevance)).toBe(1)
  })

  it('refuses when its queue is full, so that the caller can be told to come back', async () => {
    const scorer = await open('whole', { queueLimit: 10, threads: 1 })
    const many = Array.from({ length: 300 }, (_, index) => ({
      text: `passage ${index} about keys`,
      heading: '',
    }))
    await expect(scorer.score(QUERY, many, request({ candidates: 300 }), never)).rejects.toThrow(
      QueueFullError,
    )
  })

  it('stops when the caller goes away', async () => {
    const controller = new AbortController()
    const stopped = complete.score(QUERY, PASSAGES, request(), controller.signal)
    controller.abort(new Error('client went away'))
    await expect(stopped).rejects.toThrow('client went away')
  })
})

describe('a damaged model', () => {
  it('gives its tier to the next one that is there, says so, and never fails the start', async () => {
    const scorer = await open('damaged')
    const { model } = await scorer.score(QUERY, PASSAGES, request({ tier: 'exhaustive' }), never)
    expect(model).toBe('small')
    expect(scorer.describe().find(({ tier }) => tier === 'balanced')).toMatchObject({
      model: 'small',
      isWanted: false,
      remedy: 'npm run models -- prefetch balanced',
    })
    const warned = logLines.filter((line) => line.includes('cannot be used'))
    expect(warned).toHaveLength(2)
    expect(warned.join('')).toContain('npm run models -- verify')
  })
})

import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeBertFolder } from '../../scripts/bench/random-bert.ts'
import {
  openScorer,
  type ScoredPassage,
  type Scorer,
  type ScorerOptions,
  type ScoreRequest,
} from '../../src/score/scorer.ts'
import { QueueFullError } from '../../src/concurrency/worker-pool.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { makeTokenizerJson, tokenizerConfigJson } from '../support/tokenizer-json.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const QUERY = 'How do I revoke an API key?'
const passage = (text: string, heading: string): ScoredPassage => ({
  text,
  title: '',
  headings: heading === '' ? [] : [heading],
  contentWeight: 0.9,
  place: 0.3,
  page: 0,
})
const PASSAGES = [
  passage('The service listens on port 8080 unless PORT says otherwise.', 'Configuration'),
  passage('To revoke an API key, run keys revoke with the key or its id. It is refused at once.', 'API keys'),
  passage('Bananas are rich in potassium and grow in bunches.', ''),
  passage('A new API key is printed once, when it is created.', 'API keys'),
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
  await cp(join(ROOT, 'models', 'relevance'), join(folder, 'relevance'), { recursive: true })
  await cp(join(ROOT, 'models', 'highlights'), join(folder, 'highlights'), { recursive: true })
  const map = (weights: Record<string, number>) => ({
    source: 'default',
    intercept: -1,
    weights,
    expectedCalibrationError: null,
    reliability: [],
  })
  const maps = {
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
  reranked: 8,
  deadlineMs: Date.now() + 60_000,
  ...options,
})

const indexOfBest = (values: Float64Array): number => values.indexOf(Math.max(...values))

describe('a machine with the bundled model alone', () => {
  it('scores every passage by the first stage, the answer above the rest, without a warning', async () => {
    const { relevance, ...answer } = await bare.score(QUERY, PASSAGES, request(), never)
    expect(answer).toMatchObject({
      scoredBy: PASSAGES.map(() => 'first'),
      model: 'bundled',
      requestedTier: 'balanced',
      warning: null,
    })
    expect(relevance).toHaveLength(PASSAGES.length)
    expect(relevance.every((value) => value >= 0 && value <= 1)).toBe(true)
    expect(indexOfBest(relevance)).toBe(1)
    expect(relevance[2]).toBeLessThan(0.2)
  })

  it('says of each tier what serves it and which command brings its own model', async () => {
    expect(bare.describe()).toContainEqual({
      tier: 'precise',
      model: 'bundled',
      isWanted: false,
      isOffer: true,
      remedy: 'npm run models -- prefetch precise',
    })
    expect(logLines.some((line) => line.includes('prefetch precise'))).toBe(true)
  })

  it('takes a model that somebody named for missing, and one that nobody asked for as an offer', async () => {
    const scorer = await open('none', { embeddingModel: 'small' })
    const offers = scorer.describe().map(({ tier, isOffer }) => [tier, isOffer])
    expect(offers).toEqual(['precise', 'balanced', 'exhaustive', 'multilingual'].map((tier) => [tier, false]))
    expect(bare.describe().filter(({ isOffer }) => isOffer)).toHaveLength(3)
  })

  it('scores the few passages of a search while it reads the thousands of one that came before', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) =>
      passage(`Key ${at} of the ring opens door ${at}.`, ''),
    )
    const order: string[] = []
    await Promise.all([
      bare.score(QUERY, many, request(), never).then(() => order.push('thousands')),
      bare.score(QUERY, PASSAGES, request(), never).then(() => order.push('few')),
    ])
    expect(order).toEqual(['few', 'thousands'])
  })

  it('answers a request without passages', async () => {
    const { relevance } = await bare.score(QUERY, [], request(), never)
    expect(relevance).toHaveLength(0)
  })
})

describe('a machine with the models of the tiers', () => {
  it('lets each tier be scored by its own model', async () => {
    const modelFor = async (tier: ScoreRequest['tier']) => {
      const { model, scoredBy, warning } = await complete.score(QUERY, PASSAGES, request({ tier }), never)
      return { model, scoredBy: scoredBy[1], warning }
    }
    expect(await modelFor('precise')).toEqual({ model: 'small', scoredBy: 'model', warning: null })
    expect(await modelFor('balanced')).toEqual({ model: 'large', scoredBy: 'model', warning: null })
    expect(await modelFor('exhaustive')).toEqual({
      model: 'large + cross',
      scoredBy: 'reranker',
      warning: null,
    })
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

  it('says of every passage which stage judged it', async () => {
    const asked = request({ tier: 'exhaustive', candidates: 2, reranked: 1 })
    const { scoredBy } = await complete.score(QUERY, PASSAGES, asked, never)
    expect(scoredBy.toSorted()).toEqual(['first', 'first', 'model', 'reranker'])
  })

  it('serves a model without a fit of its own with the map of its kind, and never with nothing', async () => {
    const { relevance, version } = await complete.score(QUERY, PASSAGES, request(), never)
    expect(relevance.every((value) => value > 0 && value < 1)).toBe(true)
    expect(version).not.toBe('none')
  })

  it('answers with a warning when there is no time left', async () => {
    const answer = await complete.score(QUERY, PASSAGES, request({ deadlineMs: Date.now() - 1 }), never)
    expect(new Set(answer.scoredBy)).toEqual(new Set(['first']))
    expect(answer.warning).toMatch(/time was used up/u)
    expect(answer.relevance).toHaveLength(PASSAGES.length)
  })

  it('gives up a flood of passages when the time is over, and the next caller is scored', async () => {
    const flood = Array.from({ length: 45_000 }, (_, index) => passage(`To revoke key ${index}, ask.`, ''))
    const late = await complete.score(QUERY, flood, request({ deadlineMs: Date.now() + 50 }), never)
    expect(late.warning).toMatch(/time was used up before the passages were scored/u)
    expect(late.relevance).toHaveLength(flood.length)
    const next = await complete.score(QUERY, PASSAGES, request(), never)
    expect(next.version).not.toBe('none')
  })

  it('refuses when its queue is full, so that the caller can be told to come back', async () => {
    const scorer = await open('whole', { queueLimit: 10, threads: 1 })
    const many = Array.from({ length: 300 }, (_, index) => passage(`passage ${index} about keys`, ''))
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

describe('models that are named by their folders', () => {
  const NAMED = join(ROOT, 'test', 'fixtures', 'score', 'named-models')

  it('read passages, and without a map leave the scores to the stage before, which the log says', async () => {
    logLines.length = 0
    const scorer = await open('none', {
      embeddingModel: join(NAMED, 'qwen'),
      rerankerModel: join(NAMED, 'cross-with-head'),
    })
    const { relevance, ...answer } = await scorer.score(QUERY, PASSAGES, request(), never)
    const first = await bare.score(QUERY, PASSAGES, request(), never)
    expect(answer).toMatchObject({ model: 'qwen + cross-with-head', warning: null })
    expect(answer.scoredBy).toContain('reranker')
    expect(Array.from(relevance)).toEqual(Array.from(first.relevance))
    expect(logLines.some((line) => line.includes('models -- calibrate'))).toBe(true)
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
      isOffer: false,
      remedy: 'npm run models -- prefetch balanced',
    })
    const warned = logLines.filter((line) => line.includes('cannot be used'))
    // The re-ranker is damaged too, but without the model it goes with nobody wants it.
    expect(warned).toHaveLength(1)
    expect(warned.join('')).toContain('npm run models -- verify')
  })
})

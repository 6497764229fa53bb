import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeBertFolder } from '../../../scripts/bench/random-bert.ts'
import { MODELS_EXIT, type ModelsSettings } from '../../../src/commands/models/models-settings.ts'
import { createModelsCommand } from '../../../src/commands/models/models.ts'
import { loadCalibration } from '../../../src/score/relevance/calibration.ts'
import { makeTokenizerJson, tokenizerConfigJson } from '../../support/tokenizer-json.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
let folder: string
let settings: ModelsSettings

/** Questions whose answers share their words with the question, in two sets; the last one of each has no answer. */
function questionsOf(set: string) {
  const subjects = ['volcanoes', 'bicycles', 'harvest mice', 'lighthouses', 'glaciers', 'violins']
  return subjects.map((subject, number) => {
    const isAnswered = number < subjects.length - 1
    const passages = subjects.map(
      (other) => `This passage of the ${set} tells why ${other} matter and how ${other} work.`,
    )
    if (!isAnswered) passages.pop()
    return { set, query: `How do ${subject} work?`, passages, relevant: isAnswered ? [number] : [] }
  })
}

/** Questions and answers that have no word in common: a model of random weights tells them apart by chance alone. */
const PARAPHRASES = [
  [
    'What should I feed a kitten?',
    'Young cats thrive on wet food made from meat, several small meals each day.',
  ],
  [
    'Why does my car not start?',
    'A flat battery is the usual reason when an engine stays silent in the morning.',
  ],
  [
    'How can I fall asleep faster?',
    'Going to bed at fixed hours in a dark, cool room helps against insomnia.',
  ],
  [
    'Is it safe to drink from the tap?',
    'Municipal water is tested daily, so filling your glass at the sink harms nobody.',
  ],
  ['When do shops close on Sundays?', 'Most stores are shut at the weekend after six in the evening.'],
  [
    'How do I get rid of a stain of wine?',
    'Sprinkle salt over red spots on the cloth, then wash it in cold suds.',
  ],
  [
    'Who pays for a broken window?',
    'The tenant bears the cost of glass that was smashed through negligence.',
  ],
  [
    'What is a cheap way to travel across Europe?',
    'Night coaches and early rail tickets cost little between capitals of the continent.',
  ],
] as const

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verbatim-calibrate-'))
  const files = ['config.json', 'tokenizer.json', 'onnx/model_quantized.onnx']
  const entry = (kind: string) => ({
    hub: kind === 'static' ? null : 'owner/name',
    revision: null,
    licence: 'Apache-2.0',
    kind,
    tokenizer: 'word-piece',
    dimensions: 32,
    maximumTokens: 128,
    pooling: 'mean',
    files: files.map((path) => ({ path, sizeBytes: null, sha256: null })),
  })
  const catalog = {
    models: { bundled: entry('static'), small: entry('embedding'), cross: entry('cross-encoder') },
    tiers: {
      precise: [['small'], ['bundled']],
      balanced: [['small'], ['bundled']],
      exhaustive: [['small', 'cross'], ['bundled']],
      multilingual: [['bundled']],
    },
  }
  await writeFile(join(folder, 'catalog.json'), JSON.stringify(catalog))
  await cp(join(ROOT, 'models', 'relevance'), join(folder, 'relevance'), { recursive: true })
  await cp(join(ROOT, 'models', 'highlights'), join(folder, 'highlights'), { recursive: true })
  await writeFile(join(folder, 'calibration.json'), await readFile(join(ROOT, 'models', 'calibration.json')))
  const lines = [...questionsOf('handbook'), ...questionsOf('encyclopedia')].map((question) =>
    JSON.stringify(question),
  )
  await writeFile(join(folder, 'questions.jsonl.gz'), gzipSync(lines.join('\n')))
  const json = makeTokenizerJson()
  const vocabularySize = Object.keys(json.model.vocab).length
  const shape = {
    vocabularySize,
    hidden: 32,
    layers: 1,
    heads: 2,
    intermediate: 64,
    positions: 512,
    precision: 'int8',
  } as const
  const tokenizer = { json, config: tokenizerConfigJson }
  await writeBertFolder(
    join(folder, 'models', 'small'),
    { ...shape, output: 'last_hidden_state' },
    tokenizer,
    1,
  )
  await writeBertFolder(join(folder, 'models', 'cross'), { ...shape, output: 'logits' }, tokenizer, 2)
  await mkdir(join(folder, 'none'))
  settings = {
    catalogPath: join(folder, 'catalog.json'),
    modelDirectory: join(folder, 'models'),
    bundledDirectory: join(ROOT, 'models', 'bundled'),
    device: 'cpu',
    docsDirectory: join(import.meta.dirname, '..', '..', '..', 'docs'),
    embeddingModel: null,
    rerankerModel: null,
    hub: { endpoint: 'http://127.0.0.1:9', offline: true },
  }
})
afterAll(() => rm(folder, { recursive: true }))

async function calibrate(data: string, changes: Partial<ModelsSettings> = {}) {
  const lines: string[] = []
  const codes: number[] = []
  const command = createModelsCommand(() => ({ ...settings, ...changes }), {
    line: (text) => void lines.push(text),
    fault: (text) => void lines.push(text),
    isTerminal: false,
    exit: (code) => void codes.push(code),
  })
  await command.parseAsync(['calibrate', '--data', join(folder, data)], { from: 'user' })
  return { text: lines.join('\n'), code: codes.at(-1) }
}

describe('models calibrate', () => {
  it('fits a map for every installed model, with its reliability, that never falls with what the model says', async () => {
    const { code, text } = await calibrate('questions.jsonl.gz')
    expect(text).toMatch(/small: expected calibration error 0\.\d+[\s\S]*cross: expected calibration error/u)
    expect(code).toBe(MODELS_EXIT.done)
    const written: unknown = JSON.parse(await readFile(join(folder, 'models', 'calibration.json'), 'utf8'))
    const calibration = loadCalibration(written)
    expect(calibration.models).toEqual(['small', 'cross'])
    const map = calibration.mapOf('cross')
    expect(map.source).toBe('fitted')
    expect(map.reliability).toHaveLength(10)
    for (const weight of Object.values(map.weights)) expect(weight).toBeGreaterThanOrEqual(0)
  })

  it('writes no map for a model that is worse than the one that ships, and ends with 6', async () => {
    const lines = PARAPHRASES.map(([query], at) =>
      JSON.stringify({
        set: at % 2 === 0 ? 'even' : 'odd',
        query,
        passages: PARAPHRASES.map(([, text]) => text),
        relevant: [at],
      }),
    )
    await writeFile(join(folder, 'paraphrases.jsonl'), lines.join('\n'))
    const { code, text } = await calibrate('paraphrases.jsonl', {
      catalogPath: join(ROOT, 'models', 'catalog.json'),
      modelDirectory: join(folder, 'none'),
      embeddingModel: join(ROOT, 'test', 'fixtures', 'score', 'named-models', 'gemma'),
    })
    expect([code, text]).toEqual([MODELS_EXIT.worse, expect.stringContaining('its map is not written')])
    await expect(readFile(join(folder, 'none', 'calibration.json'))).rejects.toThrow('ENOENT')
  })

  it('ends with 5 when no model is installed, and says how to get one', async () => {
    const { code, text } = await calibrate('questions.jsonl.gz', { modelDirectory: join(folder, 'none') })
    expect(code).toBe(MODELS_EXIT.missing)
    expect(text).toContain('prefetch')
  })

  it('ends with 1 and the reason when the questions cannot be read', async () => {
    await writeFile(join(folder, 'broken.jsonl'), '{"set": "a"}')
    expect(await calibrate('broken.jsonl')).toMatchObject({ code: MODELS_EXIT.unexpected })
    expect((await calibrate('absent.jsonl')).text).toContain('ENOENT')
  })
})

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MODELS_EXIT, type ModelsSettings } from '../../../src/commands/models/models-settings.ts'
import { createModelsCommand } from '../../../src/commands/models/models.ts'
import { patternedBytes, sha256Of, startHub } from '../../support/hub-server.ts'

const WEIGHTS = patternedBytes(200_000)

let hub: Awaited<ReturnType<typeof startHub>>
let folder: string
let settings: ModelsSettings

beforeEach(async () => {
  hub = await startHub({ 'owner/small/onnx/model_quantized.onnx': WEIGHTS })
  folder = await mkdtemp(join(tmpdir(), 'verbatim-models-command-'))
  const shape = {
    licence: 'Apache-2.0',
    tokenizer: 'word-piece',
    dimensions: 8,
    maximumTokens: 128,
    pooling: 'mean',
  }
  const catalog = {
    models: {
      bundled: { ...shape, hub: null, revision: null, kind: 'static', files: [file('config.json', null)] },
      small: {
        ...shape,
        hub: 'owner/small',
        revision: 'a'.repeat(40),
        kind: 'embedding',
        files: [file('onnx/model_quantized.onnx', WEIGHTS)],
      },
    },
    tiers: {
      precise: [['small'], ['bundled']],
      balanced: [['small'], ['bundled']],
      exhaustive: [['small'], ['bundled']],
      multilingual: [['bundled']],
    },
  }
  await writeFile(join(folder, 'catalog.json'), JSON.stringify(catalog))
  await mkdir(join(folder, 'bundled'))
  await writeFile(join(folder, 'bundled', 'config.json'), '{}')
  settings = {
    catalogPath: join(folder, 'catalog.json'),
    modelDirectory: join(folder, 'models'),
    bundledDirectory: join(folder, 'bundled'),
    device: 'cpu',
    docsDirectory: join(import.meta.dirname, '..', '..', '..', 'docs'),
    embeddingModel: null,
    rerankerModel: null,
    hub: { endpoint: hub.url, offline: false, firstBackoffMs: 1 },
  }
})

afterEach(async () => {
  await hub.close()
  await rm(folder, { recursive: true })
})

function file(path: string, content: Buffer | null) {
  return { path, sizeBytes: content?.length ?? null, sha256: content ? sha256Of(content) : null }
}

/** Runs the command line and returns what it printed and the code it ended with. */
async function models(...words: string[]) {
  const { lines, faults, code } = await run(...words)
  return { text: [...lines, ...faults].join('\n'), code }
}

async function run(...words: string[]) {
  const lines: string[] = []
  const faults: string[] = []
  let code: number | null = null
  const command = createModelsCommand(() => settings, {
    line: (text) => lines.push(text),
    fault: (text) => faults.push(text),
    isTerminal: false,
    exit: (value) => {
      code = value
    },
  })
  await command.parseAsync(words, { from: 'user' })
  return { lines, faults, code }
}

describe('models prefetch', () => {
  it('fetches a tier, tells its progress in plain lines without a terminal, and has nothing to do the second time', async () => {
    const first = await models('prefetch', 'precise')
    expect(first.code).toBe(MODELS_EXIT.done)
    expect(first.text).toMatch(/100 % of 0\.2 MB[\s\S]*small: downloaded/u)
    expect((await models('prefetch')).text).toBe('small: already there')
  })

  it('ends with 2 for a tier that does not exist', async () => {
    const { code, text } = await models('prefetch', 'fastest')
    expect(code).toBe(MODELS_EXIT.usage)
    expect(text).toContain('fastest')
  })

  it('ends with 3 when the hub cannot be reached, and with 0 and one line when that was allowed', async () => {
    settings.hub.endpoint = 'http://127.0.0.1:9'
    expect((await models('prefetch')).code).toBe(MODELS_EXIT.unavailable)
    const allowed = await models('prefetch', '--if-reachable')
    expect(allowed.code).toBe(MODELS_EXIT.done)
    expect(allowed.text.split('\n')).toHaveLength(1)
  })

  it('tells a name that nobody knows apart from what a script reads', async () => {
    for (const name of ['prefetch', 'verify'])
      expect(await run(name, 'nope')).toEqual({
        code: MODELS_EXIT.usage,
        lines: [],
        faults: [expect.stringMatching(/no tier or model "nope"/u)],
      })
  })

  it('ends with 3 in offline mode', async () => {
    settings.hub.offline = true
    expect((await models('prefetch')).code).toBe(MODELS_EXIT.unavailable)
    expect(hub.seen).toEqual([])
  })

  it.skipIf(!existsSync('/proc/self'))(
    'ends with a sentence where nobody can make MODEL_DIR, and only when a model is to lie there',
    async () => {
      settings.modelDirectory = '/proc/verbatim/models'
      expect(await models('prefetch', 'bundled')).toEqual({
        text: 'bundled: already there',
        code: MODELS_EXIT.done,
      })
      expect(await models('prefetch', 'small')).toEqual({
        text: 'The folder /proc/verbatim/models cannot be made. Name one in MODEL_DIR where this user may write.',
        code: MODELS_EXIT.unexpected,
      })
    },
  )

  it('ends with 4 when the hub gives another file than the catalog names', async () => {
    hub.files['owner/small/onnx/model_quantized.onnx'] = patternedBytes(WEIGHTS.length, 5)
    expect((await models('prefetch')).code).toBe(MODELS_EXIT.damaged)
  })

  it('ends with 5 for a model that ships and is not whole, and says how to bring it back', async () => {
    expect((await models('prefetch', 'bundled')).code).toBe(MODELS_EXIT.done)
    await rm(join(settings.bundledDirectory, 'config.json'))
    expect(await models('prefetch', 'bundled')).toEqual({
      text: expect.stringMatching(/bundled ships with Verbatim.*git checkout -- models/u) as string,
      code: MODELS_EXIT.missing,
    })
  })

  it('ends with 5 when the hub does not have the model', async () => {
    delete hub.files['owner/small/onnx/model_quantized.onnx']
    expect((await models('prefetch')).code).toBe(MODELS_EXIT.missing)
  })
})

describe('a model of any name on the hub', () => {
  const NAMED = join(import.meta.dirname, '..', '..', 'fixtures', 'score', 'named-models', 'gemma')
  const LEFT_OUT = ['README.md', 'model.safetensors', 'onnx/model_bnb4.onnx', 'pytorch_model.bin']

  beforeEach(async () => {
    for (const path of await readdir(NAMED, { recursive: true }))
      if (extname(path) !== '') hub.files[`owner/gemma/${path}`] = await readFile(join(NAMED, path))
    for (const path of LEFT_OUT) hub.files[`owner/gemma/${path}`] = patternedBytes(60_000)
  })

  it('is fetched with what is needed to run it, and nothing else, and serves when it is named', async () => {
    const { code, text } = await models('prefetch', 'owner/gemma')
    expect([code, text]).toEqual([MODELS_EXIT.done, expect.stringContaining('owner/gemma: downloaded')])
    const directory = join(settings.modelDirectory, 'owner', 'gemma')
    const found = (await readdir(directory, { recursive: true })).filter((path) => extname(path) !== '')
    expect(found.toSorted()).toEqual(
      (await readdir(NAMED, { recursive: true })).filter((path) => extname(path) !== '').toSorted(),
    )
    settings.embeddingModel = 'owner/gemma'
    expect((await models('list')).text).toMatch(/^precise: owner\/gemma$/mu)
  })

  it('is fetched with the weights that lie beside its graph, which are held to their digests, too', async () => {
    hub.files['owner/gemma/onnx/model.onnx_data'] = WEIGHTS
    hub.files['owner/gemma/onnx/model_fp16.onnx_data'] = patternedBytes(60_000)
    await models('prefetch', 'owner/gemma')
    const onnx = join(settings.modelDirectory, 'owner', 'gemma', 'onnx')
    expect((await readdir(onnx)).toSorted()).toEqual(['model.onnx', 'model.onnx_data'])
    expect((await models('verify')).text).toContain('owner/gemma/onnx/model.onnx_data: good')
    await writeFile(join(onnx, 'model.onnx_data'), WEIGHTS.subarray(1))
    expect((await models('verify', 'owner/gemma')).code).toBe(MODELS_EXIT.damaged)
    await models('prefetch', 'owner/gemma')
    expect((await models('verify', 'owner/gemma')).code).toBe(MODELS_EXIT.done)
  })

  it('is held to its digests from then on', async () => {
    await models('prefetch', 'owner/gemma')
    expect((await models('verify')).text).toContain('owner/gemma/onnx/model.onnx: good')
    const weights = join(settings.modelDirectory, 'owner', 'gemma', 'onnx', 'model.onnx')
    const { length } = await readFile(weights)
    await writeFile(weights, patternedBytes(length))
    expect((await models('verify', 'owner/gemma')).code).toBe(MODELS_EXIT.damaged)
  })

  it('is fetched without being named again, where a variable names it', async () => {
    settings.embeddingModel = 'owner/gemma'
    expect((await models('prefetch')).text).toContain('owner/gemma: downloaded')
  })

  it('is refused with a sentence when the hub has none of that name, or nothing of it that can be run', async () => {
    expect((await models('prefetch', 'owner/absent')).code).toBe(MODELS_EXIT.missing)
    delete hub.files['owner/gemma/onnx/model.onnx']
    expect(await models('prefetch', 'owner/gemma')).toEqual({
      text: expect.stringContaining('owner/gemma has no ONNX file') as string,
      code: MODELS_EXIT.missing,
    })
    expect((await models('verify', 'owner/gemma')).code).toBe(MODELS_EXIT.missing)
  })
})

describe('models verify', () => {
  it('passes when nothing is installed, and fails with 5 for a model that was named', async () => {
    expect((await models('verify')).code).toBe(MODELS_EXIT.done)
    expect((await models('verify', 'small')).code).toBe(MODELS_EXIT.missing)
  })

  it('tells good files from damaged ones, and ends with 4 for these', async () => {
    await models('prefetch')
    expect(await models('verify', 'small')).toEqual({
      text: 'small/onnx/model_quantized.onnx: good',
      code: MODELS_EXIT.done,
    })
    await writeFile(
      join(settings.modelDirectory, 'small', 'onnx', 'model_quantized.onnx'),
      patternedBytes(WEIGHTS.length, 3),
    )
    expect((await models('verify')).code).toBe(MODELS_EXIT.damaged)
  })
})

describe('a model that has weights for another device alone', () => {
  const CONFIG = Buffer.from('{}')
  beforeEach(async () => {
    const catalog = JSON.parse(await readFile(settings.catalogPath, 'utf8')) as {
      models: Record<string, object>
    }
    const weights = { ...file('onnx/model.onnx', WEIGHTS), device: 'cuda' }
    catalog.models['large'] = {
      ...catalog.models['small'],
      hub: 'owner/large',
      files: [file('config.json', CONFIG), weights],
    }
    await writeFile(settings.catalogPath, JSON.stringify(catalog))
  })

  it('is not there, whatever else of it lies here, and its size is that of its weights', async () => {
    await mkdir(join(settings.modelDirectory, 'large'), { recursive: true })
    await writeFile(join(settings.modelDirectory, 'large', 'config.json'), CONFIG)
    expect((await models('list')).text).toContain(
      'missing    large (owner/large, 0.2 MB, for EMBEDDING_DEVICE=cuda alone, Apache-2.0)',
    )
  })

  it('is not fetched in part, and who names it is told why', async () => {
    const { text, code } = await models('prefetch', 'large')
    expect(text).toBe('large: not fetched, for it does not run with EMBEDDING_DEVICE=cpu')
    expect(code).toBe(MODELS_EXIT.missing)
    expect(existsSync(join(settings.modelDirectory, 'large'))).toBe(false)
  })
})

describe('models list', () => {
  it('says which model serves each tier, and what would serve it better', async () => {
    const before = await models('list')
    expect(before.text).toMatch(/missing\s+small/u)
    expect(before.text).toContain('precise: bundled; better with: npm run models -- prefetch precise')
    await models('prefetch')
    const after = await models('list')
    expect(after.text).toMatch(/installed\s+small/u)
    expect(after.text).toMatch(/precise: small$/mu)
    expect(after.code).toBe(MODELS_EXIT.done)
  })
})

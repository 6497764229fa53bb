import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  BUNDLED,
  filesFor,
  isInstalled,
  modelOf,
  readCatalog,
  resolveTiers,
  tierFor,
  TIERS,
  type Catalog,
} from '../../../src/score/models/catalog.ts'
import { verifyModel } from '../../../src/score/models/download/verify-model.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
let catalog: Catalog

beforeAll(async () => {
  catalog = await readCatalog(join(ROOT, 'models', 'catalog.json'))
})

describe('the catalog', () => {
  it('serves every tier with the bundled model when nothing else is there, and says what is missing', () => {
    const tiers = resolveTiers(catalog, new Set())
    for (const tier of TIERS) {
      expect(tiers[tier].models).toEqual([BUNDLED])
      expect(tiers[tier].missing).toEqual(catalog.tiers[tier][0])
    }
  })

  it('falls to the next model that is there', () => {
    const tiers = resolveTiers(catalog, new Set(['all-MiniLM-L6-v2']))
    expect(tiers.balanced).toMatchObject({
      models: ['all-MiniLM-L6-v2'],
      missing: ['verbatim-minilm', 'verbatim-reranker'],
    })
    expect(tiers.multilingual).toMatchObject({
      models: ['all-MiniLM-L6-v2'],
      missing: ['paraphrase-multilingual-MiniLM-L12-v2'],
    })
  })

  it('gives every tier its own models when all are there', () => {
    const tiers = resolveTiers(catalog, new Set(Object.keys(catalog.models)))
    for (const tier of TIERS) expect(tiers[tier].models).toEqual(catalog.tiers[tier][0])
  })

  it('keeps English models for English, and asks the many-language one for everything else', () => {
    expect(tierFor('precise', 'en', 'How do I revoke a key?')).toBe('precise')
    expect(tierFor('exhaustive', 'EN-gb', '3.14?')).toBe('exhaustive')
    expect(tierFor('balanced', 'de', 'Wie widerrufe ich einen Schlüssel?')).toBe('multilingual')
    expect(tierFor('balanced', 'en', 'как отозвать ключ API')).toBe('multilingual')
    expect(tierFor('balanced', 'enm', 'x')).toBe('multilingual')
  })

  it('names for each device one set of weights, and a digest wherever it names a size', () => {
    for (const model of Object.values(catalog.models)) {
      const ownDevices = new Set(model.files.flatMap(({ device }) => device ?? []))
      for (const device of ownDevices.size === 0 ? (['cpu'] as const) : ownDevices) {
        const files = filesFor(model, device)
        expect(files.filter(({ path }) => path.endsWith('.onnx'))).toHaveLength(1)
        for (const { sizeBytes, sha256 } of files) expect(sizeBytes === null).toBe(sha256 === null)
      }
    }
  })

  it('finds the bundled model in the repository', async () => {
    expect(await isInstalled(modelOf(catalog, BUNDLED), join(ROOT, 'models', 'bundled'), 'cpu')).toBe(true)
    expect(await isInstalled(modelOf(catalog, BUNDLED), join(ROOT, 'docs'), 'cpu')).toBe(false)
  })

  it('knows every model that ships by the digests of all its files, weights beside the graph among them', async () => {
    for (const [id, model] of Object.entries(catalog.models)) {
      if (model.hub !== null) continue
      const directory = join(ROOT, 'models', id)
      const places = { modelDirectory: join(ROOT, 'docs'), directory, device: 'cpu' as const }
      const states = await verifyModel(id, model, places, AbortSignal.timeout(10_000))
      expect([id, states.filter(({ state }) => state !== 'good')]).toEqual([id, []])
      const weights = (await readdir(join(directory, 'onnx'))).map((name) => `onnx/${name}`)
      expect(states.map(({ path }) => path)).toEqual(expect.arrayContaining(weights))
    }
  })

  it('is no more than 26 MB for each model that ships', () => {
    for (const { hub, files } of Object.values(catalog.models))
      if (hub === null)
        expect(files.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)).toBeLessThan(26_000_000)
  })
})

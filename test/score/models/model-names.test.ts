import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { OperatorError } from '../../../src/errors.ts'
import { readCatalog, TIERS, type Catalog } from '../../../src/score/models/catalog.ts'
import { findNamedModels, withNamedModels } from '../../../src/score/models/named-models.ts'
import { createLogger } from '../../../src/telemetry/log.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const FOLDER = join(ROOT, 'test', 'fixtures', 'score', 'named-models')
let catalog: Catalog

beforeAll(async () => {
  catalog = await readCatalog(join(ROOT, 'models', 'catalog.json'))
})

describe('EMBEDDING_MODEL and RERANKER_MODEL', () => {
  it('put a model of the catalog, of the hub or in a folder before the catalog’s own choices', () => {
    for (const [name, id] of [
      ['all-MiniLM-L6-v2', 'all-MiniLM-L6-v2'],
      ['intfloat/multilingual-e5-small', 'intfloat/multilingual-e5-small'],
      ['/srv/models/own', 'own'],
    ] as const) {
      const { tiers } = withNamedModels(catalog, { embedding: name, reranker: null })
      for (const tier of TIERS) expect(tiers[tier]).toEqual([[id], ...catalog.tiers[tier]])
    }
    expect(withNamedModels(catalog, { embedding: null, reranker: null }).tiers).toEqual(catalog.tiers)
  })

  it('let a re-ranker follow every embedding model, and never the first stage alone', () => {
    const { tiers } = withNamedModels(catalog, { embedding: null, reranker: 'mixedbread-ai/rerank' })
    expect(tiers.balanced[0]).toEqual(['verbatim-minilm', 'mixedbread-ai/rerank'])
    expect(tiers.balanced).not.toContainEqual(['bundled', 'mixedbread-ai/rerank'])
    expect(tiers.balanced.at(-1)).toEqual(['bundled'])
  })

  it('say what there is when they name no model', () => {
    for (const embedding of [
      'ms-marco-MiniLM-L-6-v2',
      'bundled',
      'no-such-model',
      '../secret',
      'a/b/c',
      'a/..',
    ])
      expect(() => withNamedModels(catalog, { embedding, reranker: null })).toThrow(
        /EMBEDDING_MODEL is ".*all-MiniLM-L6-v2/u,
      )
    expect(() => withNamedModels(catalog, { embedding: null, reranker: 'all-MiniLM-L6-v2' })).toThrow(
      /RERANKER_MODEL is ".*ms-marco/u,
    )
  })
})

describe('a named model', () => {
  it('of the catalog that has no weights for this device is refused, and the sentence names the device it is for', async () => {
    const names = { embedding: 'all-MiniLM-L6-v2-fp32', reranker: null }
    const place = { modelDirectory: FOLDER, log: createLogger('silent') }
    await expect(findNamedModels(catalog, names, { ...place, device: 'cpu' })).rejects.toThrow(
      new OperatorError(
        'EMBEDDING_MODEL is "all-MiniLM-L6-v2-fp32", which runs with EMBEDDING_DEVICE=cuda alone.',
      ),
    )
    expect(await findNamedModels(catalog, names, { ...place, device: 'cuda' })).toEqual([])
  })

  const find = async (embedding: string | null, reranker: string | null) => {
    const lines: string[] = []
    const log = createLogger('warn', { write: (line) => void lines.push(line) })
    const options = { modelDirectory: FOLDER, device: 'cpu', log } as const
    return { found: await findNamedModels(catalog, { embedding, reranker }, options), log: lines.join('') }
  }

  it('is found in its folder, with what the folder says of it', async () => {
    const { found, log } = await find(join(FOLDER, 'gemma'), join(FOLDER, 'cross-one-output'))
    expect(found.map(({ id, spec }) => [id, spec.kind, spec.tokenizer])).toEqual([
      ['gemma', 'embedding', 'bpe'],
      ['cross-one-output', 'cross-encoder', 'word-piece'],
    ])
    expect(found[0]?.reading).toMatchObject({
      dimensions: 12,
      prompts: { query: expect.stringMatching(/^task/u) as string },
    })
    expect(log).toBe('')
  })

  it('that was not fetched is told with the command that fetches it', async () => {
    const { found, log } = await find('owner/absent', null)
    expect(found).toEqual([])
    expect(log).toContain('npm run models -- prefetch owner/absent')
  })

  it('of the wrong kind is told, and not taken', async () => {
    const { found, log } = await find(join(FOLDER, 'cross-one-output'), join(FOLDER, 'bert'))
    expect(found).toEqual([])
    expect(log).toContain('EMBEDDING_MODEL does not take')
    expect(log).toContain('RERANKER_MODEL does not take')
  })
})

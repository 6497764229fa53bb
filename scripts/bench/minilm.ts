// MiniLM for the measurements: the installed one, or a model of exactly its shape with random weights, whose speed is
// the same.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isInstalled, modelOf, readCatalog } from '../../src/score/models/catalog.ts'
import { type BertShape, writeBertFolder } from './random-bert.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MINILM = {
  vocabularySize: 30_522,
  hidden: 384,
  heads: 12,
  intermediate: 1_536,
  positions: 512,
  output: 'last_hidden_state',
} as const satisfies Partial<BertShape>

/** The bundled tokenizer cut to MiniLM's number of tokens. */
async function readTokenizer() {
  const directory = join(ROOT, 'models', 'bundled')
  const json = JSON.parse(await readFile(join(directory, 'tokenizer.json'), 'utf8'))
  const kept = Object.entries<number>(json.model.vocab).filter(([, id]) => id < MINILM.vocabularySize)
  json.model.vocab = Object.fromEntries(kept)
  return { json, config: JSON.parse(await readFile(join(directory, 'tokenizer_config.json'), 'utf8')) }
}

/** The folder of the installed model, or of one made in `scratch` with random weights. */
export async function provideMiniLm(id: string, layers: number, modelDirectory: string, scratch: string) {
  const spec = modelOf(await readCatalog(join(ROOT, 'models', 'catalog.json')), id)
  const installed = join(modelDirectory, id)
  if (await isInstalled(spec, installed, 'cpu')) return { spec, directory: installed, isReal: true }
  const tokenizer = await readTokenizer()
  for (const precision of ['int8', 'fp32'] as const) {
    await writeBertFolder(scratch, { ...MINILM, layers, precision }, tokenizer, 1)
  }
  return { spec, directory: scratch, isReal: false }
}

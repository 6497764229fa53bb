// The models that several evaluations ask, loaded once each from where the service finds them.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { modelOf, readCatalog } from '../../src/score/models/catalog.ts'
import { loadTransformer, type Transformer } from '../../src/score/models/transformer.ts'
import { loadWordPiece } from '../../src/score/models/word-piece.ts'
import { createFirstStage, type FirstStage } from '../../src/score/relevance/first-stage.ts'
import { loadRelevanceModel, type RelevanceModel } from '../../src/score/relevance/relevance-model.ts'
import { openScorer, type Scorer } from '../../src/score/scorer.ts'
import { readStaticModel } from '../../src/score/static/static-model.ts'

const MODELS = join(import.meta.dirname, '..', '..', 'models')
const BUNDLED = join(MODELS, 'bundled')
const MINI_LM = 'all-MiniLM-L6-v2'

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** Where the service's scorer finds its models, with those that are installed in `directory`. */
export const scorerFolders = (directory: string) => ({
  catalogPath: join(MODELS, 'catalog.json'),
  bundledDirectory: BUNDLED,
  // Absolute: what reads models on threads takes a relative folder for a name on the hub.
  modelDirectory: resolve(directory),
  log: pino({ level: 'silent' }),
})

/** The service's scorer with the models that are installed in `directory`; the caller closes it. */
export const openSharedScorer = (directory: string): Promise<Scorer> =>
  openScorer({ ...scorerFolders(directory), device: 'cpu', threads: null })

/** The bundled first stage and the fit that makes its scores probabilities. */
export function loadFirstStage(): { firstStage: FirstStage; firstFit: RelevanceModel } {
  const firstStage = createFirstStage({
    model: readStaticModel(readFileSync(join(BUNDLED, 'onnx', 'model_quantized.onnx'))),
    wordPiece: loadWordPiece(readJson(join(BUNDLED, 'tokenizer.json'))),
  })
  const firstFit = loadRelevanceModel(readJson(join(MODELS, 'relevance', 'first-stage.json')))
  return { firstStage, firstFit }
}

/** all-MiniLM-L6-v2 as it is published, beside which the service is measured. */
export async function loadMiniLm(): Promise<Transformer> {
  const spec = modelOf(await readCatalog(join(MODELS, 'catalog.json')), MINI_LM)
  return await loadTransformer({ id: MINI_LM, directory: join(MODELS, MINI_LM), device: 'cpu', spec })
}

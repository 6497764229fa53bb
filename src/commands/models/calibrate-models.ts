// `verbatim models calibrate`: fits, for every model that is installed, the map from what it says to a probability.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readHighlightMap, readJudges, writeCalibration } from '../../score/relevance/relevance-files.ts'
import { fitCalibration, type LabelledPool } from '../../score/calibrate/fit.ts'
import type { CalibrationMap, FeatureName } from '../../score/relevance/calibration.ts'
import {
  isInstalled,
  ModelMissingError,
  readCatalog,
  type Catalog,
  type Device,
} from '../../score/models/catalog.ts'
import { openEmbedder } from '../../score/models/embedder.ts'
import { openRelevance } from '../../score/relevance/open-relevance.ts'
import {
  isEnglish,
  labelPool,
  readLabelledQuestions,
  type LabelledQuestion,
  type LabellingModels,
} from '../../score/calibrate/labelled-questions.ts'
import type { ModelLocation } from '../../score/models/transformer.ts'
import { createLogger } from '../../telemetry/log.ts'

export interface CalibrationPlaces {
  catalogPath: string
  modelDirectory: string
  bundledDirectory: string
  device: Device
}

/** Questions whose passages wait for the engine at a time: enough to keep every core busy. */
const QUESTIONS_AT_ONCE = 4
const QUEUE_LIMIT = 100_000
const CACHE_BYTES = 256 * 1024 * 1024

async function findModels(
  catalog: Catalog,
  { modelDirectory, device }: CalibrationPlaces,
): Promise<ModelLocation[]> {
  const found: ModelLocation[] = []
  for (const [id, spec] of Object.entries(catalog.models)) {
    const directory = join(modelDirectory, id)
    if (spec.kind !== 'static' && (await isInstalled(spec, directory, device)))
      found.push({ id, directory, device, spec })
  }
  return found
}

async function labelAll(
  models: LabellingModels,
  questions: readonly LabelledQuestion[],
  signal: AbortSignal,
): Promise<LabelledPool[]> {
  const pools: LabelledPool[] = []
  for (let start = 0; start < questions.length; start += QUESTIONS_AT_ONCE) {
    const some = questions.slice(start, start + QUESTIONS_AT_ONCE)
    pools.push(...(await Promise.all(some.map((question) => labelPool(models, question, signal)))))
  }
  return pools
}

/** The embedding models each with its own questions, and the cross-encoder together with the best English one. */
function planRuns(catalog: Catalog, found: readonly ModelLocation[]) {
  const embeddings = found.filter(({ spec }) => spec.kind === 'embedding')
  const forOthers = new Set(catalog.tiers.multilingual.flat())
  const runs = embeddings.map((embedding) => ({
    id: embedding.id,
    embedding,
    crossEncoder: null as ModelLocation | null,
    features: ['cosine', 'firstStage'] as FeatureName[],
    isFor: (english: boolean) => english !== forOthers.has(embedding.id),
  }))
  for (const crossEncoder of found.filter(({ spec }) => spec.kind === 'cross-encoder')) {
    const wanted = catalog.tiers.exhaustive.find(([, second]) => second === crossEncoder.id)?.[0]
    const embedding =
      embeddings.find(({ id }) => id === wanted) ?? embeddings.find(({ id }) => !forOthers.has(id))
    if (!embedding) continue
    const features: FeatureName[] = ['cosine', 'firstStage', 'crossEncoder']
    runs.push({ id: crossEncoder.id, embedding, crossEncoder, features, isFor: (english) => english })
  }
  return runs
}

/**
 * Fits a map for every installed model to the questions in `dataPath` and writes them to MODEL_DIR. English models are
 * fitted on English questions, the many-language one on the others; at least two sets of them are needed.
 * @throws {ModelMissingError} when no model is installed; RangeError with too few sets; what reading the data throws.
 */
export async function calibrateModels(
  places: CalibrationPlaces,
  dataPath: string,
  line: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const catalog = await readCatalog(places.catalogPath)
  const found = await findModels(catalog, places)
  if (found.length === 0)
    throw new ModelMissingError('No model is installed; see: npm run models -- prefetch')
  const questions = await readLabelledQuestions(dataPath)
  const english = new Set(questions.filter((question) => isEnglish(question)))
  const judges = await readJudges(places, createLogger('warn'))
  const relevance = await openRelevance({
    bundledDirectory: places.bundledDirectory,
    judges,
    highlights: await readHighlightMap(places),
  })
  const embedder = await openEmbedder({
    workers: availableParallelism(),
    queueLimit: QUEUE_LIMIT,
    cacheBytes: CACHE_BYTES,
  })
  try {
    const maps: Record<string, CalibrationMap> = {}
    for (const { id, embedding, crossEncoder, features, isFor } of planRuns(catalog, found)) {
      const own = questions.filter((question) => isFor(english.has(question)))
      if (own.length === 0) continue
      line(`${id}: reading the passages of ${own.length} questions`)
      const pools = await labelAll({ relevance, embedder, embedding, crossEncoder }, own, signal)
      const { map } = fitCalibration(pools, features)
      maps[id] = map
      line(`${id}: expected calibration error ${(map.expectedCalibrationError ?? Number.NaN).toFixed(3)}`)
    }
    line(`written to ${await writeCalibration(places.modelDirectory, maps)}`)
  } finally {
    await Promise.all([relevance.close(), embedder.close()])
  }
}

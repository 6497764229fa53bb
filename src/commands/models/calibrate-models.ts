// `verbatim models calibrate`: fits, for every model that is fetched or named, the map from what it says to a probability.
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { prefetchLine } from '../../invocation.ts'
import { readHighlightMap, readJudges, writeCalibration } from '../../score/relevance/relevance-files.ts'
import { fitCalibration } from '../../score/calibrate/fit.ts'
import { firstRight, type LabelledPool } from '../../score/calibrate/labelled-pool.ts'
import { logitOf, type CalibrationMap, type FeatureName } from '../../score/relevance/calibration.ts'
import {
  isInstalled,
  ModelMissingError,
  readCatalog,
  type Catalog,
  type Device,
} from '../../score/models/catalog.ts'
import { openEmbedder } from '../../score/models/embedder.ts'
import { findNamedModels } from '../../score/models/named-models.ts'
import { SIMILARITIES } from '../../score/models/token-similarity.ts'
import { openRelevance } from '../../score/relevance/open-relevance.ts'
import {
  isEnglish,
  labelPool,
  PASSAGES_READ,
  readLabelledQuestions,
  type LabelledQuestion,
  type LabelledQuestionPool,
  type LabellingModels,
} from '../../score/calibrate/labelled-questions.ts'
import { readOwnQuestions } from '../../score/calibrate/own-questions.ts'
import type { ModelLocation } from '../../score/models/transformer.ts'
import { makeNamedFolder } from '../../folders.ts'
import { createLogger } from '../../telemetry/log.ts'

export interface CalibrationPlaces {
  catalogPath: string
  modelDirectory: string
  bundledDirectory: string
  /** Where the documentation lies, whose questions are asked when no others are given. */
  docsDirectory: string
  device: Device
  embeddingModel: string | null
  rerankerModel: string | null
}

/** Questions whose passages wait for the engine at a time: enough to keep every core busy. */
const QUESTIONS_AT_ONCE = 4
const QUEUE_LIMIT = 100_000
const CACHE_BYTES = 256 * 1024 * 1024
/** Lines of progress for each model. */
const PROGRESS_LINES = 10

const FEATURES: readonly FeatureName[] = [...SIMILARITIES, 'firstStage']

type Line = (text: string) => void
type Fit = ReturnType<typeof fitCalibration>

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} seconds` : `${Math.round(seconds / 60)} minutes`

/** The models of the catalog that were fetched, and those that are named. */
async function findModels(catalog: Catalog, places: CalibrationPlaces): Promise<ModelLocation[]> {
  const { modelDirectory, device, embeddingModel, rerankerModel } = places
  const names = { embedding: embeddingModel, reranker: rerankerModel }
  const named = await findNamedModels(catalog, names, { modelDirectory, device, log: createLogger('warn') })
  const found = [...new Map(named.map((model) => [model.id, model])).values()]
  for (const [id, spec] of Object.entries(catalog.models)) {
    const directory = join(modelDirectory, id)
    if (spec.kind !== 'static' && (await isInstalled(spec, directory, device)))
      found.push({ id, directory, device, spec })
  }
  return found
}

/** The model that ships and serves without any of the others. */
async function findServing(
  catalog: Catalog,
  { catalogPath }: CalibrationPlaces,
): Promise<ModelLocation | null> {
  for (const [id = ''] of catalog.tiers.balanced) {
    const spec = catalog.models[id]
    const directory = join(dirname(catalogPath), id)
    if (spec?.hub === null && spec.kind === 'embedding' && (await isInstalled(spec, directory, 'cpu')))
      return { id, directory, device: 'cpu', spec }
  }
  return null
}

async function labelAll(
  models: LabellingModels,
  questions: readonly LabelledQuestion[],
  told: Line,
  signal: AbortSignal,
): Promise<LabelledQuestionPool[]> {
  const pools: LabelledQuestionPool[] = []
  const begun = performance.now()
  const every = Math.ceil(questions.length / PROGRESS_LINES / QUESTIONS_AT_ONCE) * QUESTIONS_AT_ONCE
  for (let start = 0; start < questions.length; start += QUESTIONS_AT_ONCE) {
    const some = questions.slice(start, start + QUESTIONS_AT_ONCE)
    pools.push(...(await Promise.all(some.map((question) => labelPool(models, question, signal)))))
    if (pools.length % every === 0 && pools.length < questions.length) {
      const secondsEach = (performance.now() - begun) / 1_000 / pools.length
      const left = duration((questions.length - pools.length) * secondsEach)
      told(`${pools.length} of ${questions.length} questions, ${left} left`)
    }
  }
  return pools
}

interface Run {
  id: string
  embedding: ModelLocation
  crossEncoder: ModelLocation | null
  features: readonly FeatureName[]
  isFor: (isQuestionEnglish: boolean) => boolean
}

/** The embedding models each with its own questions, and each cross-encoder with the embedding model it follows. */
function planRuns(catalog: Catalog, found: readonly ModelLocation[], serving: ModelLocation | null): Run[] {
  const embeddings = found.filter(({ spec }) => spec.kind !== 'cross-encoder')
  const forOthers = new Set(
    catalog.tiers.multilingual.flat().filter((id) => catalog.models[id]?.hub !== null),
  )
  const isAny = (id: string): boolean => !(id in catalog.models)
  const runs = embeddings.map((embedding): Run => ({
    id: embedding.id,
    embedding,
    crossEncoder: null,
    features: FEATURES,
    isFor: (english) => isAny(embedding.id) || english !== forOthers.has(embedding.id),
  }))
  for (const crossEncoder of found.filter(({ spec }) => spec.kind === 'cross-encoder')) {
    const wanted = catalog.tiers.exhaustive.find(([, second]) => second === crossEncoder.id)?.[0]
    const embedding =
      embeddings.find(({ id }) => id === wanted || isAny(id)) ??
      serving ??
      embeddings.find(({ id }) => !forOthers.has(id))
    if (embedding === undefined) continue
    const features: FeatureName[] = [...FEATURES, 'crossEncoder']
    runs.push({ id: crossEncoder.id, embedding, crossEncoder, features, isFor: (english) => english })
  }
  return runs
}

/** What reading takes: one model's pace, or both models'. */
async function secondsFor(
  { embedding, crossEncoder }: Run,
  questions: readonly LabelledQuestion[],
  { embedder, serving }: Pick<LabellingModels, 'embedder' | 'serving'>,
  signal: AbortSignal,
): Promise<number> {
  let paceMs = 0
  for (const model of [embedding, crossEncoder, serving])
    if (model !== null) paceMs += await embedder.load(model, signal)
  const passages = questions.reduce(
    (sum, { passages: { length } }) => sum + Math.min(length, PASSAGES_READ),
    0,
  )
  return (passages * paceMs) / 1_000
}

/** How often the best passage is right, each set judged by what was fitted without it. */
function firstRightOfFit(pools: readonly LabelledPool[], { map, heldOut }: Fit): number {
  return firstRight(pools, ({ set, passages }) =>
    passages.map((passage) => logitOf(heldOut.get(set) ?? map, passage)),
  )
}

/** The map of one model; null when it orders passages worse than what serves without it. */
function fitRun(
  { id, features }: Run,
  pools: readonly LabelledQuestionPool[],
  line: Line,
): CalibrationMap | null {
  const fit = fitCalibration(pools, features)
  // What serves now is fitted in the same way as well, or the comparison would be of fits and not of models.
  const rivals = pools.map(({ set, relevant, serving }) => ({ set, relevant, passages: serving.passages }))
  const now = Math.max(
    firstRight(pools, ({ serving }) => serving.relevance),
    firstRightOfFit(rivals, fitCalibration(rivals, FEATURES)),
  )
  const own = firstRightOfFit(pools, fit)
  line(
    `${id}: the first passage is right for ${percent(own)} of the questions with an answer, ${percent(now)} without it ` +
      '(sets left out of the fit)',
  )
  line(`${id}: expected calibration error ${(fit.map.expectedCalibrationError ?? Number.NaN).toFixed(3)}`)
  if (own >= now) return fit.map
  line(`${id}: worse than what serves without it, so its map is not written; better not name this model`)
  return null
}

/**
 * Fits a map for every model that was fetched or is named, and writes those that are no worse than what ships to MODEL_DIR:
 * on the questions in `dataPath`, or on the project's own where it is null. English models are fitted on English questions,
 * the catalog's many-language one on the others; at least two sets of them are needed.
 * @returns whether every model that was fitted is worth serving.
 * @throws {ModelMissingError} when there is no model to fit; RangeError with too few sets; what reading the data throws.
 */
export async function calibrateModels(
  places: CalibrationPlaces,
  dataPath: string | null,
  line: Line,
  signal: AbortSignal,
): Promise<boolean> {
  const catalog = await readCatalog(places.catalogPath)
  const found = await findModels(catalog, places)
  if (found.length === 0)
    throw new ModelMissingError(`No model is installed or named; see: ${prefetchLine([])}`)
  const questions =
    dataPath === null ? await readOwnQuestions(places.docsDirectory) : await readLabelledQuestions(dataPath)
  if (dataPath === null) line(`Asking the ${questions.length} questions of our documentation (Apache-2.0).`)
  const judges = await readJudges(places, createLogger('warn'))
  const highlights = await readHighlightMap(places)
  const relevance = await openRelevance({ bundledDirectory: places.bundledDirectory, judges, highlights })
  const workers = availableParallelism()
  const embedder = await openEmbedder({ workers, queueLimit: QUEUE_LIMIT, cacheBytes: CACHE_BYTES })
  try {
    const serving = await findServing(catalog, places)
    const english = new Set(questions.filter((question) => isEnglish(question)))
    const maps: Record<string, CalibrationMap> = {}
    let isAllWorthServing = true
    for (const run of planRuns(catalog, found, serving)) {
      const own = questions.filter((question) => run.isFor(english.has(question)))
      if (own.length === 0) continue
      const seconds = await secondsFor(run, own, { embedder, serving }, signal)
      line(`${run.id}: reading the passages of ${own.length} questions, about ${duration(seconds)}`)
      const models = {
        relevance,
        embedder,
        serving,
        embedding: run.embedding,
        crossEncoder: run.crossEncoder,
      }
      const map = fitRun(run, await labelAll(models, own, (text) => line(`${run.id}: ${text}`), signal), line)
      if (map === null) isAllWorthServing = false
      else maps[run.id] = map
    }
    if (Object.keys(maps).length > 0) {
      makeNamedFolder(places.modelDirectory, 'Name one in MODEL_DIR')
      line(`written to ${await writeCalibration(places.modelDirectory, maps)}`)
    }
    return isAllWorthServing
  } finally {
    await Promise.all([relevance.close(), embedder.close()])
  }
}

// Gives every passage of a request the probability that it answers the query: holds the thread of relevance and the models
// of the tiers, and lets those that serve a request's tier score it.
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { commandLine } from '../invocation.ts'
import type { Logger } from '../telemetry/log.ts'
import { readCatalog, tierFor, type Device } from './models/catalog.ts'
import { openModelRegistry, type TierDescription } from './models/model-registry.ts'
import type { ScoredPassage } from './passage.ts'
import { openRelevance } from './relevance/open-relevance.ts'
import { readHighlightMap, readJudges } from './relevance/relevance-files.ts'
import type { ScoreAnswer, ScoreRequest } from './score-answer.ts'
import { scoreInStages } from './score-in-stages.ts'
import { whatIsAsked } from './what-is-asked.ts'

export type { ScoredPassage } from './passage.ts'
export type { ScoreAnswer, ScoredBy, ScoreRequest } from './score-answer.ts'

export interface ScorerOptions {
  catalogPath: string
  /** Folder of the static model that ships with the repository. */
  bundledDirectory: string
  /** MODEL_DIR. */
  modelDirectory: string
  /** Models that serve every tier, by name in the catalog or on the hub, or by folder; null for the catalog's choice. */
  embeddingModel?: string | null
  rerankerModel?: string | null
  device: Device
  /** Threads of the transformers; null for one a core, or one in all on a GPU. */
  threads: number | null
  /** Texts that may wait for the transformers; more are refused. */
  queueLimit?: number
  /** Memory for what models said of passages before. */
  cacheBytes?: number
  log: Logger
}

/** About 2.5 s of work for MiniLM of six layers on two cores. */
const DEFAULT_QUEUE_LIMIT = 1_024
const DEFAULT_CACHE_BYTES = 16 * 1024 * 1024
/** Characters of a passage that are read; passages are cut at 700, so this only stops what is none. */
const PASSAGE_CHARACTERS = 4_000
const QUERY_CHARACTERS = 2_000

export type Scorer = Awaited<ReturnType<typeof openScorer>>

const bounded = (passages: readonly ScoredPassage[]): ScoredPassage[] =>
  passages.map((passage) => ({ ...passage, text: passage.text.slice(0, PASSAGE_CHARACTERS) }))

/** Waits for two parts that open side by side; when one of them fails, the other is closed again. */
async function bothOrNone<A extends Closable, B extends Closable>(
  a: Promise<A>,
  b: Promise<B>,
): Promise<[A, B]> {
  try {
    return await Promise.all([a, b])
  } catch (error) {
    const outcomes = await Promise.allSettled([a, b])
    await Promise.all(
      outcomes.map(async (outcome) => outcome.status === 'fulfilled' && outcome.value.close()),
    )
    throw error
  }
}

interface Closable {
  close(): Promise<void>
}

/** Says which models nothing tells a probability from, so that what was scored before them stands. */
function tellUnfitted(
  ids: readonly string[],
  { learned, calibration }: Awaited<ReturnType<typeof readJudges>>,
  log: Logger,
): void {
  const fitted = new Set([
    ...Object.keys(learned).flatMap((stage) => stage.split('+').slice(-1)),
    ...Object.keys(calibration.maps),
  ])
  for (const model of ids)
    if (!fitted.has(model))
      log.warn(
        { model, remedy: commandLine('models calibrate') },
        'a model has no fitted map yet: what it reads keeps the score of the stage before',
      )
}

/**
 * Starts the thread of relevance, and those of the transformers. Takes a second or two; `close` ends the threads within
 * five.
 * @throws {WorkerLostError} when the thread of relevance does not start: without it nothing can be scored.
 */
export async function openScorer(options: ScorerOptions) {
  const { log, device, modelDirectory, bundledDirectory } = options
  const catalog = await readCatalog(options.catalogPath)
  const names = { embedding: options.embeddingModel ?? null, reranker: options.rerankerModel ?? null }
  const judges = await readJudges(options, log)
  const highlights = await readHighlightMap(options)
  const shippedDirectory = dirname(options.catalogPath)
  const workers = options.threads ?? (device === 'cuda' ? 1 : availableParallelism())
  const { queueLimit = DEFAULT_QUEUE_LIMIT, cacheBytes = DEFAULT_CACHE_BYTES } = options
  const embedder = { workers, queueLimit, cacheBytes }
  const [relevance, models] = await bothOrNone(
    openRelevance({ bundledDirectory, judges, highlights }),
    openModelRegistry(catalog, { shippedDirectory, modelDirectory, device, names, embedder, log }),
  )

  tellUnfitted(models.servingModels(), judges, log)

  return {
    /**
     * Scores every passage.
     * @throws {QueueFullError} when a queue is full (the answer is 429); the signal's reason when it is aborted.
     */
    async score(
      query: string,
      passages: readonly ScoredPassage[],
      request: ScoreRequest,
      signal: AbortSignal,
    ): Promise<ScoreAnswer> {
      const tier = models.modelsOf(tierFor(request.tier, request.language, query))
      const scoring = {
        query: whatIsAsked(query.slice(0, QUERY_CHARACTERS)),
        passages: bounded(passages),
        request,
        signal,
      }
      return scoreInStages(relevance, tier, scoring, (failure) =>
        log.error({ model: tier?.label, err: failure }, 'the model could not read every passage'),
      )
    },

    /** Which model serves each tier, and the command that brings a better one. */
    describe: (): readonly TierDescription[] => models.describe(),

    /** Whether the thread of relevance is there, without which nothing can be scored. */
    isUp: () => relevance.isUp(),

    /** How many texts wait for the model, and what its cache holds; null without a model. */
    describeLoad: () => models.embedder?.describeLoad() ?? null,

    async close(): Promise<void> {
      await Promise.all([relevance.close(), models.close()])
    },
  }
}

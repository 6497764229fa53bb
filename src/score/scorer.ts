// Gives every passage of a request the probability that it answers the query. Ties the stages together: the first
// stage reads all passages, the model of the tier the best of them, and the deadline decides how far it gets.
import { availableParallelism } from 'node:os'
import type { Logger } from '../telemetry/log.ts'
import { readCalibration } from './relevance/calibration-files.ts'
import { sigmoid, type Calibration } from './relevance/calibration.ts'
import { BUNDLED, readCatalog, tierFor, type Device, type Tier } from './models/catalog.ts'
import type { Embedder } from './models/embedder.ts'
import { openFirstStagePool, type FirstStagePool } from './relevance/first-stage-pool.ts'
import { runModelStage, type ModelStageOutput } from './relevance/model-stage.ts'
import { openModelRegistry, type TierDescription } from './models/model-registry.ts'
import type { ModelLocation } from './models/transformer.ts'

export interface ScorerOptions {
  catalogPath: string
  /** Folder of the model that ships with the repository. */
  bundledDirectory: string
  /** MODEL_DIR. */
  modelDirectory: string
  device: Device
  /** Threads of the embedding engine; null for one a core, or one in all on a GPU. */
  threads: number | null
  /** Texts that may wait for the embedding engine; more are refused. */
  queueLimit?: number
  /** Memory for vectors of passages seen before. */
  cacheBytes?: number
  log: Logger
}

export interface ScoreRequest {
  tier: Exclude<Tier, 'multilingual'>
  /** BCP 47. */
  language: string
  /** How many of the first stage's best the model reads. */
  candidates: number
  /** Epoch milliseconds; what is not read by then keeps the first stage's score. */
  deadlineMs: number
}

export interface ScoreAnswer {
  /** 0..1, calibrated, aligned with the passages. */
  relevance: Float64Array
  /** Whether a transformer read any of them. */
  stage: 'model' | 'first'
  /** What scored: `bundled`, or the id of the model, or two joined by ` + `. */
  model: string
  requestedTier: string
  /** A sentence for the caller when the answer is worse than the tier promises; else null. */
  warning: string | null
  /** Milliseconds in each stage. */
  timings: { firstMs: number; modelMs: number }
}

/** About 2.5 s of work for MiniLM of six layers on two cores. */
const DEFAULT_QUEUE_LIMIT = 1_024
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024
/** Characters of a passage that are read; passages are cut at 600, so this only stops what is none. */
const PASSAGE_CHARACTERS = 4_000
const QUERY_CHARACTERS = 2_000

const TOO_LATE =
  'The time was used up before the model had read every passage; some scores are rougher than usual.'
const MODEL_FAILED = 'The model could not read every passage; some scores are rougher than usual.'

export type Scorer = Awaited<ReturnType<typeof openScorer>>

/** The second stage as one request sees it. */
interface ModelRun {
  embedder: Embedder
  embedding: ModelLocation
  crossEncoder: ModelLocation | null
  calibration: Calibration
}

const bounded = (passages: readonly { text: string; heading: string }[]) =>
  passages.map(({ text, heading }) => ({ text: text.slice(0, PASSAGE_CHARACTERS), heading }))

/** Runs both stages; the query is embedded while the first stage works. */
async function runStages(
  firstStage: FirstStagePool,
  run: ModelRun | null,
  query: string,
  passages: readonly { text: string; heading: string }[],
  request: ScoreRequest,
  signal: AbortSignal,
) {
  const startedAt = performance.now()
  const { deadlineMs, candidates } = request
  const [first] = firstStage.submit([{ query, passages }], { isUrgent: false }, signal)
  const embedQuery = run?.embedder.embed(run.embedding, [query], { isUrgent: true, deadlineMs }, signal)
  const [logits, embedded] = await Promise.all([first, embedQuery])
  if (!logits) throw new Error('The first stage gave no answer.')
  const firstMs = performance.now() - startedAt
  const queryVector = embedded?.values[0]
  if (!run || !queryVector) {
    const failure = embedded?.failure ?? null
    return { relevance: logits.map(sigmoid), output: null, failure, timings: { firstMs, modelMs: 0 } }
  }
  const { embedder, ...models } = run
  const input = { ...models, query, passages, firstStage: logits, candidates, deadlineMs }
  const output = await runModelStage(embedder, queryVector, input, signal)
  const modelMs = performance.now() - startedAt - firstMs
  return { relevance: output.relevance, output, failure: output.failure, timings: { firstMs, modelMs } }
}

function warningFor(output: ModelStageOutput | null, failure: unknown): string | null {
  if (failure !== null) return MODEL_FAILED
  const isComplete = output !== null && output.read === output.wanted && output.isReranked
  return isComplete ? null : TOO_LATE
}

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

/**
 * Starts the first stage, and the embedding engine when a model of the catalog is installed. Takes a second or two;
 * `close` ends the threads within five.
 * @throws {WorkerLostError} when the first stage does not start: without it nothing can be scored.
 */
export async function openScorer(options: ScorerOptions) {
  const { log, device, modelDirectory, bundledDirectory } = options
  const catalog = await readCatalog(options.catalogPath)
  const { json, calibration } = await readCalibration(options, log)
  const workers = options.threads ?? (device === 'cuda' ? 1 : availableParallelism())
  const { queueLimit = DEFAULT_QUEUE_LIMIT, cacheBytes = DEFAULT_CACHE_BYTES } = options
  const embedder = { workers, queueLimit, cacheBytes }
  const [firstStage, models] = await bothOrNone(
    openFirstStagePool({ bundledDirectory, calibration: json }),
    openModelRegistry(catalog, { modelDirectory, device, embedder, log }),
  )

  return {
    /**
     * Scores every passage.
     * @throws {QueueFullError} when a queue is full (the answer is 429); the signal's reason when it is aborted.
     */
    async score(
      query: string,
      passages: readonly { text: string; heading: string }[],
      request: ScoreRequest,
      signal: AbortSignal,
    ): Promise<ScoreAnswer> {
      const { label, embedding, crossEncoder } = models.modelsOf(
        tierFor(request.tier, request.language, query),
      )
      const run =
        models.embedder && embedding
          ? { embedder: models.embedder, embedding, crossEncoder, calibration }
          : null
      const text = query.slice(0, QUERY_CHARACTERS)
      const result = await runStages(firstStage, run, text, bounded(passages), request, signal)
      const { relevance, output, failure, timings } = result
      if (failure !== null)
        log.error({ model: label, err: failure }, 'the model could not read every passage')
      const isModel = output !== null && output.read > 0
      return {
        relevance,
        stage: isModel ? 'model' : 'first',
        model: isModel ? label : BUNDLED,
        requestedTier: request.tier,
        warning: run === null ? null : warningFor(output, failure),
        timings,
      }
    },

    /** Which model serves each tier, and the command that brings a better one. */
    describe: (): readonly TierDescription[] => models.describe(),

    /** Whether the first stage's thread is there, without which nothing can be scored. */
    isUp: () => firstStage.isUp(),

    /** How many texts wait for the model, and what its cache of vectors holds; null without a model. */
    describeLoad: () => models.embedder?.describeLoad() ?? null,

    async close(): Promise<void> {
      await Promise.all([firstStage.close(), models.close()])
    },
  }
}

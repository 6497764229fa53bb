// Gives every passage of a request the probability that it answers the query. Ties the stages together: the first
// stage reads all passages, the models of the tier the best of them, and the deadline decides how far it gets.
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { TimeLimitError, withDeadline } from '../concurrency/deadline.ts'
import type { Logger } from '../telemetry/log.ts'
import { BUNDLED, readCatalog, tierFor, type Device, type Tier, withEmbedding } from './models/catalog.ts'
import { openModelRegistry, type TierDescription, type TierModels } from './models/model-registry.ts'
import type { ScoredPassage } from './passage.ts'
import { stageOf } from './relevance/judges.ts'
import {
  chooseToRead,
  descending,
  embedPassages,
  rankPassages,
  type ModelReading,
} from './relevance/model-stage.ts'
import { openRelevance, type Relevance } from './relevance/open-relevance.ts'
import { readHighlightMap, readJudges } from './relevance/relevance-files.ts'
import type { ErrorPromise } from './relevance/relevance-model.ts'
import type { RelevanceResult } from './relevance/relevance-worker.ts'

export type { ScoredPassage } from './passage.ts'

export interface ScorerOptions {
  catalogPath: string
  /** Folder of the static model that ships with the repository. */
  bundledDirectory: string
  /** MODEL_DIR. */
  modelDirectory: string
  /** The embedding model that serves every tier, by its name in the catalog; null for the catalog's choice. */
  embeddingModel?: string | null
  device: Device
  /** Threads of the transformers; null for one a core, or one in all on a GPU. */
  threads: number | null
  /** Texts that may wait for the transformers; more are refused. */
  queueLimit?: number
  /** Memory for what models said of passages before. */
  cacheBytes?: number
  log: Logger
}

export interface ScoreRequest {
  tier: Exclude<Tier, 'multilingual'>
  /** BCP 47. */
  language: string
  /** How many of the first stage's best the embedding model reads, and how many of its best the re-ranker. */
  candidates: number
  reranked: number
  /** How many of the best passages are told part by part; their parts must be given. None when left out. */
  highlighted?: number
  /** Epoch milliseconds; what is not read by then keeps the score of the stage before. */
  deadlineMs: number
}

/** Which stages scored a passage. */
export type ScoredBy = 'first' | 'model' | 'reranker'

export interface ScoreAnswer {
  /** 0..1, calibrated, aligned with the passages. */
  relevance: Float64Array
  scoredBy: readonly ScoredBy[]
  /** How likely each part of a passage answers, summing to its relevance, by the passage's place; of the best that were asked for. */
  partRelevance: ReadonlyMap<number, Float64Array>
  /** What scored: `bundled`, or the id of the model, or two joined by ` + `. */
  model: string
  /** Names the fit that made the probabilities. */
  version: string
  /** From which score on no more than a share of the passages is wrong; empty where nothing is known of it. */
  promises: readonly ErrorPromise[]
  requestedTier: string
  /** A sentence for the caller when the answer is worse than the tier promises; else null. */
  warning: string | null
  /** Milliseconds in each stage. */
  timings: { firstMs: number; modelMs: number }
}

/** About 2.5 s of work for MiniLM of six layers on two cores. */
const DEFAULT_QUEUE_LIMIT = 1_024
const DEFAULT_CACHE_BYTES = 16 * 1024 * 1024
/** Characters of a passage that are read; passages are cut at 700, so this only stops what is none. */
const PASSAGE_CHARACTERS = 4_000
const QUERY_CHARACTERS = 2_000

const TOO_LATE =
  'The time was used up before the model had read every passage; some scores are rougher than usual.'
const MODEL_FAILED = 'The model could not read every passage; some scores are rougher than usual.'
const NOT_SCORED = 'The time was used up before the passages were scored.'

export type Scorer = Awaited<ReturnType<typeof openScorer>>

/** One request on its way through the stages. */
interface Scoring {
  query: string
  passages: readonly ScoredPassage[]
  request: ScoreRequest
  signal: AbortSignal
}

const bounded = (passages: readonly ScoredPassage[]): ScoredPassage[] =>
  passages.map((passage) => ({ ...passage, text: passage.text.slice(0, PASSAGE_CHARACTERS) }))

const factsOf = ({ relevance, version, promises }: RelevanceResult) => ({ relevance, version, promises })

/** Lets the models read what the first stage thinks best; the deadline ends it with what is known by then. */
async function runModels(
  relevance: Relevance,
  { embedder, embedding, crossEncoder }: TierModels,
  { query, passages, request, signal }: Scoring,
  first: RelevanceResult,
): Promise<{ result: RelevanceResult; readings: ModelReading[]; scoredBy: ScoredBy[] }> {
  const { deadlineMs, candidates, reranked } = request
  const pages = Int32Array.from(passages, ({ page }) => page)
  const scoredBy = passages.map((): ScoredBy => 'first')
  const rows = chooseToRead(first.relevance, passages, candidates)
  const input = { query, passages, deadlineMs }
  const read = await embedPassages(embedder, embedding, { ...input, table: first.table, rows }, signal)
  if (read.read === 0) return { result: first, readings: [read], scoredBy }
  for (const row of rows) scoredBy[row] = 'model'
  const second = await relevance.judge(stageOf(embedding.id, null), first.table, pages, signal)
  if (crossEncoder === null || reranked === 0) return { result: second, readings: [read], scoredBy }
  const best = chooseToRead(second.relevance, passages, reranked)
  const ranked = await rankPassages(
    embedder,
    crossEncoder,
    { ...input, table: second.table, rows: best },
    signal,
  )
  if (ranked.read === 0) return { result: second, readings: [read, ranked], scoredBy }
  for (const row of best) scoredBy[row] = 'reranker'
  const third = await relevance.judge(stageOf(embedding.id, crossEncoder.id), second.table, pages, signal)
  return { result: third, readings: [read, ranked], scoredBy }
}

const NO_PARTS: ReadonlyMap<number, Float64Array> = new Map()

/** Tells the best passages part by part, as many as were asked for. */
async function highlightBest(
  relevance: Relevance,
  { query, passages, request, signal }: Scoring,
  judged: RelevanceResult,
  readings: readonly ModelReading[],
): Promise<ReadonlyMap<number, Float64Array>> {
  const { highlighted = 0 } = request
  if (highlighted === 0) return NO_PARTS
  const rows = descending(judged.relevance).slice(0, highlighted)
  const similarities = new Map(readings.flatMap(({ partSimilarities }) => [...partSimilarities]))
  const asked = rows.flatMap((row) => {
    const passage = passages[row]
    if (passage === undefined) return []
    return [{ passage, relevance: judged.relevance[row] ?? 0, similarities: similarities.get(row) ?? null }]
  })
  const parts = await relevance.highlight(query, asked, signal)
  return new Map(rows.map((row, at) => [row, parts[at] ?? new Float64Array(0)]))
}

function warningFor(readings: readonly ModelReading[]): string | null {
  if (readings.some(({ failure }) => failure !== null)) return MODEL_FAILED
  return readings.every(({ read, wanted }) => read === wanted) ? null : TOO_LATE
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

/** The first stage, or null when the deadline came before its turn. */
async function readFirst(
  relevance: Relevance,
  { query, passages, request, signal }: Scoring,
): Promise<RelevanceResult | null> {
  const limit = { what: 'the first stage', limitMs: request.deadlineMs - Date.now(), signal }
  try {
    return await withDeadline(limit, (ended) => relevance.read(query, passages, ended))
  } catch (error) {
    if (error instanceof TimeLimitError) return null
    throw error
  }
}

/**
 * Starts the thread of relevance, and those of the transformers. Takes a second or two; `close` ends the threads within
 * five.
 * @throws {WorkerLostError} when the thread of relevance does not start: without it nothing can be scored.
 */
export async function openScorer(options: ScorerOptions) {
  const { log, device, modelDirectory, bundledDirectory } = options
  const catalog = withEmbedding(await readCatalog(options.catalogPath), options.embeddingModel ?? null)
  const judges = await readJudges(options, log)
  const highlights = await readHighlightMap(options)
  const shippedDirectory = dirname(options.catalogPath)
  const workers = options.threads ?? (device === 'cuda' ? 1 : availableParallelism())
  const { queueLimit = DEFAULT_QUEUE_LIMIT, cacheBytes = DEFAULT_CACHE_BYTES } = options
  const embedder = { workers, queueLimit, cacheBytes }
  const [relevance, models] = await bothOrNone(
    openRelevance({ bundledDirectory, judges, highlights }),
    openModelRegistry(catalog, { shippedDirectory, modelDirectory, device, embedder, log }),
  )

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
      const startedAt = performance.now()
      const scoring = {
        query: query.slice(0, QUERY_CHARACTERS),
        passages: bounded(passages),
        request,
        signal,
      }
      const first = await readFirst(relevance, scoring)
      const firstMs = performance.now() - startedAt
      const common = { requestedTier: request.tier, timings: { firstMs, modelMs: 0 } }
      const alone = { ...common, model: BUNDLED, scoredBy: passages.map((): ScoredBy => 'first') }
      if (first === null)
        return {
          ...alone,
          relevance: new Float64Array(passages.length),
          version: 'none',
          promises: [],
          partRelevance: NO_PARTS,
          warning: NOT_SCORED,
        }
      const tier = models.modelsOf(tierFor(request.tier, request.language, query))
      if (tier === null || passages.length === 0) {
        const partRelevance = await highlightBest(relevance, scoring, first, [])
        return { ...alone, ...factsOf(first), partRelevance, warning: null }
      }
      const { result, readings, scoredBy } = await runModels(relevance, tier, scoring, first)
      for (const { failure } of readings)
        if (failure !== null)
          log.error({ model: tier.label, err: failure }, 'the model could not read every passage')
      return {
        ...common,
        ...factsOf(result),
        scoredBy,
        partRelevance: await highlightBest(relevance, scoring, result, readings),
        model: tier.label,
        warning: warningFor(readings),
        timings: { firstMs, modelMs: performance.now() - startedAt - firstMs },
      }
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

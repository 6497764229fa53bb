// The transformers as the serving thread sees them: worker threads, a cache of what was said before, and answers that
// keep to a deadline. Nothing here computes; the serving thread stays free.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { openDeadline, TimeLimitError } from '../../concurrency/deadline.ts'
import { startWorker } from '../../concurrency/worker-thread.ts'
import type { EmbedderTask } from './embedder-worker.ts'
import { rankingWidth } from './network/part-means.ts'
import { processorQuota } from './network/processor-time.ts'
import { declineTelemetry } from './network/telemetry.ts'
import { similaritiesWidth } from './token-similarity.ts'
import type { ModelLocation, RelatedText } from './transformer.ts'
import { openWorkerPool, type WorkerPool } from '../../concurrency/worker-pool.ts'

export interface EmbedderOptions {
  /** Worker threads, each with a session of every model in use: the number of cores, or 1 for a GPU. */
  workers: number
  /** Texts that may wait for a worker (batches of texts on a GPU); more are refused. */
  queueLimit: number
  /** Memory for what was said of passages before. */
  cacheBytes: number
}

export interface PartialResult<Value> {
  /** Aligned with the texts; null where the deadline came first or the worker failed. */
  values: (Value | null)[]
  /** Why some are missing, other than the deadline. */
  failure: unknown
}

/** Texts a worker is given at a time: one, so that a query waits for no more than two. A GPU wants more. */
const TEXTS_PER_TASK = { cpu: 1, cuda: 64 } as const
/** The second hides the way between the threads. */
const TASKS_PER_WORKER = 2
/** Of a thread's heap; the models themselves lie outside it. */
const WORKER_MEMORY_MB = 1_024
/** What an entry of the cache takes beside its vector. */
const ENTRY_OVERHEAD_BYTES = 200

export type Embedder = Awaited<ReturnType<typeof openEmbedder>>

type Pool = WorkerPool<EmbedderTask, Float32Array<ArrayBuffer>>

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/** The first reason that is not the deadline's. @throws the signal's own reason when it was aborted. */
function failureOf(outcomes: readonly PromiseSettledResult<unknown>[], signal: AbortSignal): unknown {
  signal.throwIfAborted()
  const reasons = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }): unknown => reason)
  return reasons.find((reason) => !(reason instanceof TimeLimitError)) ?? null
}

/** What models said of a query and a passage, least recently used first to go. */
function createSimilarityCache(cacheBytes: number) {
  const known = new LRUCache<string, Float32Array>({
    maxSize: cacheBytes,
    sizeCalculation: (values) => values.byteLength + ENTRY_OVERHEAD_BYTES,
  })
  const counts = { hits: 0, misses: 0 }
  return {
    keyOf: (model: ModelLocation, ...texts: readonly string[]): string =>
      `${model.id}:${model.device}:${createHash('sha256').update(texts.join('\0')).digest('base64url')}`,
    get(key: string): Float32Array | null {
      const values = known.get(key) ?? null
      counts[values === null ? 'misses' : 'hits'] += 1
      return values
    },
    load: () => ({ ...counts, entries: known.size, bytes: known.calculatedSize }),
    set: (key: string, values: Float32Array): void => void known.set(key, values),
  }
}

interface Work {
  model: ModelLocation
  /** Numbers the text at a position is answered with. */
  widthOf(position: number): number
  /** The task for some of the texts, by their positions. */
  taskFor(positions: readonly number[]): EmbedderTask
}

/** Numbers that a passage with so many parts is answered with. */
const WIDTHS = { relate: similaritiesWidth, rank: rankingWidth } as const

const workOf = (
  kind: keyof typeof WIDTHS,
  model: ModelLocation,
  query: string,
  passages: readonly RelatedText[],
): Work => ({
  model,
  widthOf: (position) => WIDTHS[kind](passages[position]?.parts?.length ?? 0),
  taskFor: (positions) => ({
    kind,
    model,
    query,
    passages: positions.map((position) => passages[position] ?? { context: '', text: '' }),
  }),
})

/** Hands the texts at `positions` to the workers and gives each one's numbers to `keep`; returns why some are missing. */
async function handOut(
  pool: Pool,
  { model, widthOf, taskFor }: Work,
  positions: readonly number[],
  keep: (position: number, values: Float32Array) => void,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<unknown> {
  if (positions.length === 0 || deadlineMs <= Date.now()) return null
  const chunks = chunksOf(positions, TEXTS_PER_TASK[model.device])
  const deadline = openDeadline({ what: 'the models', limitMs: deadlineMs - Date.now(), signal })
  try {
    const results = pool.submit(chunks.map(taskFor), { isUrgent: false }, deadline.signal)
    const outcomes = await Promise.allSettled(
      results.map(async (result, chunk) => {
        const flat = await result
        let start = 0
        for (const position of chunks[chunk] ?? [])
          keep(position, flat.slice(start, (start += widthOf(position))))
      }),
    )
    return failureOf(outcomes, signal)
  } finally {
    deadline.release()
  }
}

/**
 * Starts the worker threads. Models are loaded by `load` or when first used.
 * @throws {WorkerLostError} when the threads do not start.
 */
export async function openEmbedder({ workers, queueLimit, cacheBytes }: EmbedderOptions) {
  declineTelemetry()
  const pool: Pool = await openWorkerPool({
    start: () => startWorker(import.meta.url, 'embedder-worker', { memoryMb: WORKER_MEMORY_MB }),
    workers,
    tasksPerWorker: TASKS_PER_WORKER,
    queueLimit,
  })
  const cache = createSimilarityCache(cacheBytes)

  return {
    /** Threads, each of which reads one text at a time. */
    workers,

    /**
     * Loads a model on every worker, and tells how many milliseconds a passage then takes with all of them at work.
     * @throws {TaskFailedError} when its files are damaged or do not hold what the catalog says.
     */
    async load(model: ModelLocation, signal: AbortSignal): Promise<number> {
      const paces = await Promise.all(pool.broadcast({ kind: 'load', model }, signal))
      const allowedShare = Math.min(1, processorQuota() / workers)
      return 1 / paces.reduce((sum, [pace = Number.POSITIVE_INFINITY]) => sum + allowedShare / pace, 0)
    },

    /**
     * The numbers of SIMILARITIES for each passage beside the query, then those of PART_SIMILARITIES for each of its parts;
     * passages seen beside it before are not read again. What is not done at `deadlineMs` (epoch milliseconds) stays null.
     * @throws {QueueFullError} when the texts find no room; the signal's reason when it is aborted.
     */
    async relate(
      model: ModelLocation,
      query: string,
      passages: readonly RelatedText[],
      deadlineMs: number,
      signal: AbortSignal,
    ): Promise<PartialResult<Float32Array>> {
      const keys = passages.map(({ context, text, parts = [] }) =>
        cache.keyOf(model, query, context, text, JSON.stringify(parts)),
      )
      const values = keys.map((key) => cache.get(key))
      const missing = [...values.keys()].filter((position) => values[position] === null)
      const work = workOf('relate', model, query, passages)
      const keep = (position: number, similarities: Float32Array): void => {
        values[position] = similarities
        cache.set(keys[position] ?? '', similarities)
      }
      return { values, failure: await handOut(pool, work, missing, keep, deadlineMs, signal) }
    },

    /**
     * A cross-encoder's logit for each passage with the query, then what it says of each of its parts, NaN for one of which
     * it says nothing. What is not done at `deadlineMs` stays null.
     * @throws {QueueFullError} when the texts find no room; the signal's reason when it is aborted.
     */
    async rank(
      model: ModelLocation,
      query: string,
      passages: readonly RelatedText[],
      deadlineMs: number,
      signal: AbortSignal,
    ): Promise<PartialResult<Float32Array>> {
      const values: (Float32Array | null)[] = passages.map(() => null)
      const work = workOf('rank', model, query, passages)
      const keep = (position: number, said: Float32Array): void => void (values[position] = said)
      const all = [...passages.keys()]
      return { values, failure: await handOut(pool, work, all, keep, deadlineMs, signal) }
    },

    /** How many texts wait, and what the cache of similarities holds. */
    describeLoad: () => ({ waiting: pool.waiting(), vectors: cache.load() }),

    /** Ends the workers within five seconds. */
    close: pool.close,
  }
}

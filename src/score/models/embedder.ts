// The embedding engine as the serving thread sees it: worker threads around the transformers, a cache of vectors,
// and answers that keep to a deadline. Nothing here computes; the serving thread stays free.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { startWorker } from '../../concurrency/start-worker.ts'
import type { EmbedderTask } from './embedder-worker.ts'
import type { ModelLocation } from './transformer.ts'
import { openWorkerPool, type WorkerPool } from '../../concurrency/worker-pool.ts'

export interface EmbedderOptions {
  /** Worker threads, each with a session of every model in use: the number of cores, or 1 for a GPU. */
  workers: number
  /** Texts that may wait for a worker (batches of texts on a GPU); more are refused. */
  queueLimit: number
  /** Memory for vectors of texts seen before. */
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

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/** Aborts with `signal` or at `deadlineMs` (epoch), whichever is first. */
function limitedBy(signal: AbortSignal, deadlineMs: number): AbortSignal {
  if (deadlineMs === Number.POSITIVE_INFINITY) return signal
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.ceil(deadlineMs - Date.now())))])
}

const isDeadline = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError'

/** The first reason that is not the deadline's. @throws the signal's own reason when it was aborted. */
function failureOf(outcomes: readonly PromiseSettledResult<unknown>[], signal: AbortSignal): unknown {
  signal.throwIfAborted()
  const reasons = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }): unknown => reason)
  return reasons.find((reason) => !isDeadline(reason)) ?? null
}

type Pool = WorkerPool<EmbedderTask, Float32Array<ArrayBuffer>>

/** Vectors by model and text, least recently used first to go. */
function createVectorCache(cacheBytes: number) {
  const vectors = new LRUCache<string, Float32Array>({
    maxSize: cacheBytes,
    sizeCalculation: (vector) => vector.byteLength + ENTRY_OVERHEAD_BYTES,
  })
  const counts = { hits: 0, misses: 0 }
  return {
    keyOf: (model: ModelLocation, text: string): string =>
      `${model.id}:${model.device}:${createHash('sha256').update(text).digest('base64url')}`,
    get(key: string): Float32Array | undefined {
      const vector = vectors.get(key)
      counts[vector === undefined ? 'misses' : 'hits'] += 1
      return vector
    },
    load: () => ({ ...counts, entries: vectors.size, bytes: vectors.calculatedSize }),
    set: (key: string, vector: Float32Array): void => void vectors.set(key, vector),
  }
}

/** Embeds texts, all of them different, and hands each vector to `keep`. Resolves to why some are missing. */
async function embedNew(
  pool: Pool,
  model: ModelLocation,
  texts: readonly string[],
  keep: (position: number, vector: Float32Array) => void,
  options: { isUrgent: boolean; deadlineMs: number },
  signal: AbortSignal,
): Promise<unknown> {
  if (texts.length === 0 || options.deadlineMs <= Date.now()) return null
  const { dimensions } = model.spec
  const size = TEXTS_PER_TASK[model.device]
  const tasks = chunksOf(texts, size).map((chunk): EmbedderTask => ({ kind: 'embed', model, texts: chunk }))
  const results = pool.submit(tasks, options, limitedBy(signal, options.deadlineMs))
  const outcomes = await Promise.allSettled(
    results.map(async (result, chunk) => {
      const flat = await result
      for (let index = 0; index * dimensions < flat.length; index++) {
        keep(chunk * size + index, flat.slice(index * dimensions, (index + 1) * dimensions))
      }
    }),
  )
  return failureOf(outcomes, signal)
}

/** The logits of a cross-encoder, the first texts first. */
async function rank(
  pool: Pool,
  model: ModelLocation,
  query: string,
  texts: readonly string[],
  deadlineMs: number,
  signal: AbortSignal,
): Promise<PartialResult<number>> {
  const values: (number | null)[] = texts.map(() => null)
  if (texts.length === 0 || deadlineMs <= Date.now()) return { values, failure: null }
  const size = TEXTS_PER_TASK[model.device]
  const tasks = chunksOf(texts, size).map((chunk): EmbedderTask => ({
    kind: 'rank',
    model,
    query,
    texts: chunk,
  }))
  const results = pool.submit(tasks, { isUrgent: false }, limitedBy(signal, deadlineMs))
  const outcomes = await Promise.allSettled(
    results.map(async (result, chunk) => {
      for (const [index, logit] of (await result).entries()) values[chunk * size + index] = logit
    }),
  )
  return { values, failure: failureOf(outcomes, signal) }
}

/**
 * Starts the worker threads. Models are loaded by `load` or when first used.
 * @throws {WorkerLostError} when the threads do not start.
 */
export async function openEmbedder({ workers, queueLimit, cacheBytes }: EmbedderOptions) {
  const pool: Pool = await openWorkerPool({
    start: () => startWorker(import.meta.url, 'embedder-worker', { memoryMb: WORKER_MEMORY_MB }),
    workers,
    tasksPerWorker: TASKS_PER_WORKER,
    queueLimit,
  })
  const cache = createVectorCache(cacheBytes)

  return {
    /**
     * Loads a model on every worker.
     * @throws {TaskFailedError} when its files are damaged or do not hold what the catalog says.
     */
    async load(model: ModelLocation, signal: AbortSignal): Promise<void> {
      await Promise.all(pool.broadcast({ kind: 'load', model }, signal))
    },

    /**
     * Unit vectors of the texts. Equal texts are embedded once, texts seen before not at all. What is not done at
     * `deadlineMs` (epoch milliseconds) stays null.
     * @throws {QueueFullError} when the texts find no room; the signal's reason when it is aborted.
     */
    async embed(
      model: ModelLocation,
      texts: readonly string[],
      options: { isUrgent: boolean; deadlineMs: number },
      signal: AbortSignal,
    ): Promise<PartialResult<Float32Array>> {
      const keys = texts.map((text) => cache.keyOf(model, text))
      const found = new Map<string, Float32Array>()
      const missing = new Map<string, string>()
      for (const [index, key] of keys.entries()) {
        const vector = cache.get(key)
        if (vector) found.set(key, vector)
        else missing.set(key, texts[index] ?? '')
      }
      const missingKeys = Array.from(missing.keys())
      const keep = (position: number, vector: Float32Array): void => {
        const key = missingKeys[position] ?? ''
        cache.set(key, vector)
        found.set(key, vector)
      }
      const failure = await embedNew(pool, model, Array.from(missing.values()), keep, options, signal)
      return { values: keys.map((key) => found.get(key) ?? null), failure }
    },

    /**
     * A cross-encoder's logit for each text with the query. What is not done at `deadlineMs` stays null.
     * @throws {QueueFullError} when the texts find no room; the signal's reason when it is aborted.
     */
    rank: (
      model: ModelLocation,
      query: string,
      texts: readonly string[],
      deadlineMs: number,
      signal: AbortSignal,
    ) => rank(pool, model, query, texts, deadlineMs, signal),

    /** How many texts wait, and what the cache of vectors holds. */
    describeLoad: () => ({ waiting: pool.waiting(), vectors: cache.load() }),

    /** Ends the workers within five seconds. */
    close: pool.close,
  }
}

// Starts the thread of relevance and speaks with it.
import { startWorker } from '../../concurrency/worker-thread.ts'
import { openWorkerPool } from '../../concurrency/worker-pool.ts'
import type { ScoredPassage } from '../passage.ts'
import type { FeatureTable } from './feature-table.ts'
import type { PassageToHighlight } from './part-features.ts'
import type {
  RelevanceReply,
  RelevanceResult,
  RelevanceTask,
  RelevanceWorkerOptions,
} from './relevance-worker.ts'

/** Requests that may wait for the thread, which takes some milliseconds for each. */
const QUEUE_LIMIT = 128
/** The thread goes from one to the other between their slices, so that a small one need not wait for the end of a large one. */
const TASKS_AT_ONCE = 2
/** Of which one at a time may have so many passages, which take a sixth of a second. */
const LARGE_PASSAGES = 2_000
/** Of the thread's heap: the static model, and what is remembered of passages. */
const WORKER_MEMORY_MB = 512
/** A quarter of what V8 takes unasked; a first stage over 200 passages makes a few megabytes of words. */
const WORKER_YOUNG_MEMORY_MB = 12

const passagesOf = (task: RelevanceTask): number =>
  task.kind === 'judge' ? task.table.rows : task.passages.length

export type Relevance = Awaited<ReturnType<typeof openRelevance>>

/**
 * One thread that turns a query and all passages of a request into probabilities.
 * @throws {WorkerLostError} when it does not start, because the bundled model or a fit cannot be read.
 */
export async function openRelevance(workerData: RelevanceWorkerOptions) {
  const pool = await openWorkerPool<RelevanceTask, RelevanceReply>({
    start: () =>
      startWorker(import.meta.url, 'relevance-worker', {
        memoryMb: WORKER_MEMORY_MB,
        youngMemoryMb: WORKER_YOUNG_MEMORY_MB,
        workerData,
      }),
    workers: 1,
    tasksPerWorker: TASKS_AT_ONCE,
    queueLimit: QUEUE_LIMIT,
  })
  const ask = async (
    task: RelevanceTask,
    isUrgent: boolean,
    signal: AbortSignal,
  ): Promise<RelevanceReply> => {
    const isLarge = passagesOf(task) >= LARGE_PASSAGES
    const [result] = pool.submit([task], { isUrgent, isLarge }, signal)
    if (result === undefined) throw new Error('The thread of relevance took no task.')
    return result
  }
  const judged = async (...asked: Parameters<typeof ask>): Promise<RelevanceResult> => {
    const reply = await ask(...asked)
    if (reply.kind !== 'judged') throw new Error(`The thread of relevance answered ${reply.kind}.`)
    return reply.result
  }
  return {
    /**
     * The first stage over all passages. `areTexts`: they come to be re-ranked and are of no page.
     * @throws {QueueFullError} when too many wait.
     */
    read: (
      query: string,
      passages: readonly ScoredPassage[],
      areTexts: boolean,
      signal: AbortSignal,
    ): Promise<RelevanceResult> => judged({ kind: 'read', query, passages, areTexts }, false, signal),

    /** The probabilities of a later stage; whoever has waited for the models does not wait behind new requests. */
    judge: (
      stage: string,
      table: FeatureTable,
      pages: Int32Array,
      signal: AbortSignal,
    ): Promise<RelevanceResult> => judged({ kind: 'judge', stage, table, pages }, true, signal),

    /** How likely each part of each passage answers, 0..1; the parts of a passage sum to its relevance. */
    async highlight(
      query: string,
      passages: readonly PassageToHighlight[],
      signal: AbortSignal,
    ): Promise<Float64Array[]> {
      const reply = await ask({ kind: 'highlight', query, passages }, true, signal)
      if (reply.kind !== 'highlighted') throw new Error(`The thread of relevance answered ${reply.kind}.`)
      let start = 0
      return passages.map(({ passage }) =>
        reply.probabilities.subarray(start, (start += passage.parts?.length ?? 0)),
      )
    },

    /** Whether the thread is there. */
    isUp: pool.isUp,

    close: pool.close,
  }
}

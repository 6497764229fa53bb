// Starts the thread of the first stage.
import { startWorker } from '../../concurrency/start-worker.ts'
import type { FirstStageResult, FirstStageTask, FirstStageWorkerOptions } from './first-stage-worker.ts'
import { openWorkerPool, type WorkerPool } from '../../concurrency/worker-pool.ts'

const WORKER_MEMORY_MB = 512

export type FirstStagePool = WorkerPool<FirstStageTask, FirstStageResult>

/** Requests that may wait for the first stage, which takes some milliseconds for each. */
const QUEUE_LIMIT = 64

/**
 * One thread that turns a query and all passages of a request into log odds of relevance.
 * @throws {WorkerLostError} when it does not start, because the bundled model or the calibration cannot be read.
 */
export function openFirstStagePool(workerData: FirstStageWorkerOptions): Promise<FirstStagePool> {
  return openWorkerPool({
    start: () =>
      startWorker(import.meta.url, 'first-stage-worker', { memoryMb: WORKER_MEMORY_MB, workerData }),
    workers: 1,
    tasksPerWorker: 1,
    queueLimit: QUEUE_LIMIT,
  })
}

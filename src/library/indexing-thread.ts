// The other end of indexing-worker.ts, where long pages come into the index: their words take a processor for seconds.
import { openWorkerPool } from '../concurrency/worker-pool.ts'
import { startWorker } from '../concurrency/worker-thread.ts'
import type { IndexPlace } from './indexing-worker.ts'
import type { PageRow } from './put-page.ts'

const WORKER_MEMORY_MB = 512
/** Crawls put one page each at a time, and people a form of documents. */
const WAITING_MAX = 200
/** The thread is ended when no page has come for so long. */
const REST_MS = 10_000

export type IndexingThread = ReturnType<typeof createIndexingThread>

/** The thread starts with the first page. */
export function createIndexingThread(place: IndexPlace) {
  let pool: ReturnType<typeof open> | null = null
  const open = () =>
    openWorkerPool<PageRow, null>({
      start: () =>
        startWorker(import.meta.url, 'indexing-worker', { memoryMb: WORKER_MEMORY_MB, workerData: place }),
      workers: 1,
      tasksPerWorker: 1,
      queueLimit: WAITING_MAX,
      restMs: REST_MS,
    })
  return {
    /** As `putPage`. @throws {QueueFullError} when too many wait. */
    async put(row: PageRow): Promise<void> {
      pool ??= open()
      await Promise.all((await pool).submit([row], { isUrgent: false }, new AbortController().signal))
    },
    close: async (): Promise<void> => (await pool)?.close(),
  }
}

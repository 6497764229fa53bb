// Reports beside the thread that serves requests: SQLite works on whatever thread asks it, and a year of many keys takes
// it a second. PostgreSQL works elsewhere by itself.
import { TimeLimitError } from '../../concurrency/deadline.ts'
import { startWorker } from '../../concurrency/worker-thread.ts'
import { openWorkerPool, QueueFullError, type WorkerPool } from '../../concurrency/worker-pool.ts'
import { overloaded } from '../../errors.ts'
import type { Store } from '../store/store.ts'
import type { ReportResult, ReportTask } from './report-worker.ts'
import { unitsOf } from '../usage/usage-reports.ts'
import { createPostgresReports, type StoreReports } from './store-reports.ts'

/** Reports that may wait; more are refused. */
const WAITING_MAX = 32
/** A report is given up after this long, its wait for others included. */
const REPORT_MS = 45_000
/** The thread ends when nobody asked for a report for this long. */
const REST_MS = 60_000
const THREAD_MEMORY_MB = 256

type ReportPool = WorkerPool<ReportTask, ReportResult>

const openPool = (path: string): Promise<ReportPool> =>
  openWorkerPool<ReportTask, ReportResult>({
    start: () =>
      startWorker(import.meta.url, 'report-worker', { memoryMb: THREAD_MEMORY_MB, workerData: { path } }),
    isKillable: true,
    workers: 1,
    tasksPerWorker: 1,
    queueLimit: WAITING_MAX,
    restMs: REST_MS,
  })

/** Where reports on a store are made. The thread starts with the first of them. */
export function createReports(store: Store): StoreReports & { close(): Promise<void> } {
  if (store.path === null) return { ...createPostgresReports(store.database), close: async () => undefined }
  const { path } = store
  let opening: Promise<ReportPool> | null = null

  async function ask(task: ReportTask): Promise<ReportResult> {
    opening ??= openPool(path)
    const pool = await opening
    try {
      const lane = { isUrgent: false, deadlineMs: Date.now() + REPORT_MS }
      const [result] = await Promise.all(pool.submit([task], lane, new AbortController().signal))
      if (result !== undefined) return result
    } catch (error) {
      throw error instanceof QueueFullError || error instanceof TimeLimitError ? overloaded() : error
    }
    throw new Error('the report thread gave no answer')
  }

  return {
    async periods(query) {
      unitsOf(query)
      const result = await ask({ kind: 'periods', query })
      return 'periods' in result ? result.periods : failed(result)
    },
    async keyPeriods(query) {
      unitsOf(query)
      const result = await ask({ kind: 'keyPeriods', query })
      return 'keyPeriods' in result ? result.keyPeriods : failed(result)
    },
    async keyTotals(query) {
      unitsOf(query)
      const result = await ask({ kind: 'keyTotals', query })
      return 'keyTotals' in result ? result.keyTotals : failed(result)
    },
    async requestsSince(since, ownerId) {
      const result = await ask({
        kind: 'requestsSince',
        since,
        ...(ownerId === undefined ? {} : { ownerId }),
      })
      return 'requestsSince' in result ? result.requestsSince : failed(result)
    },
    async activity(query) {
      const result = await ask({ kind: 'activity', query })
      return 'activity' in result ? result.activity : failed(result)
    },
    async requests(query) {
      const result = await ask({ kind: 'requests', query })
      return 'requests' in result ? result.requests : failed(result)
    },
    async requestMoment(count) {
      const result = await ask({ kind: 'requestMoment', count })
      return 'requestMoment' in result ? result.requestMoment : failed(result)
    },
    async close() {
      await (await opening)?.close()
    },
  }
}

function failed(result: ReportResult): never {
  throw new Error(`the report thread answered ${Object.keys(result).join()}`)
}

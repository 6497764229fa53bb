// How much each key is used, by the hour and by the day: counted in memory, written once a second in one transaction, so
// that counting can neither slow nor fail a search.
import type { Logger } from '../../telemetry/log.ts'
import { createOutage } from '../../telemetry/outage.ts'
import type { Store } from '../store/store.ts'
import { createPendingUsage, type CountedRequest, writeUsage } from './pending-usage.ts'
import { writeUsageCsv } from './usage-csv.ts'
import type { UsageQuery, UsageReports } from './usage-reports.ts'
import { pruneHours, USAGE_TABLES } from './usage-tables.ts'

const FLUSH_MS = 1_000
const { unitMs: HOUR_MS } = USAGE_TABLES.hour

interface UsageOptions {
  store: Store
  /** What has been written, read beside the thread that serves requests. */
  reports: UsageReports
  log: Logger
  /** Default one second. */
  flushIntervalMs?: number
}

export type Usage = ReturnType<typeof openUsage>

export function openUsage({ store, reports, log, flushIntervalMs = FLUSH_MS }: UsageOptions) {
  const pending = createPendingUsage()
  let writing: Promise<void> = Promise.resolve()
  let prunedHour = 0
  let forgetting: Promise<void> = Promise.resolve()
  const outage = createOutage({
    begins: (error) =>
      log.warn({ err: error }, 'usage cannot be written; it is kept in memory as far as that goes'),
    ends: () => log.info({ dropped: pending.dropped() }, 'usage is written again'),
  })

  /** Once an hour, beside what is written then. */
  const forgetOld = (): void => {
    const hour = Math.floor(Date.now() / HOUR_MS)
    if (hour === prunedHour) return
    prunedHour = hour
    forgetting = pruneHours(store.database, new Date()).catch((error: unknown) =>
      log.warn({ err: error }, 'usage of long ago could not be forgotten; the next hour tries again'),
    )
  }

  const write = async (): Promise<void> => {
    const batch = pending.take()
    if (batch.size === 0) return
    try {
      await store.loosely((transaction) => writeUsage(transaction, batch))
      outage.works()
      forgetOld()
    } catch (error) {
      outage.fails(error)
      pending.giveBack(batch)
    }
  }
  const flush = (): Promise<void> => (writing = writing.then(write))
  const timer = setInterval(() => void flush(), flushIntervalMs)
  timer.unref()

  return {
    periods: (query: UsageQuery) => reports.periods(query),
    keyTotals: (query: UsageQuery) => reports.keyTotals(query),
    requestsSince: (since: Date, ownerId?: string) => reports.requestsSince(since, ownerId),
    /** CSV text in pieces. @throws RangeError for more than 1 000 units. */
    csv: (query: UsageQuery): AsyncGenerator<string, void, undefined> =>
      writeUsageCsv(store.database, reports, query),

    /** Counts one request. Never throws, never waits; it shows in reports within a second or so. */
    count: (keyId: string, request: CountedRequest): void => pending.count(keyId, request),

    /** Requests that will never be in a report, because the store was away for too long. */
    droppedRequests: (): number => pending.dropped(),

    /** Whether the last counts could be written: nothing is written as often. */
    isWritten: (): boolean => !outage.isOut(),

    /** Writes what is counted so far; when the store is away it stays in memory. */
    flush,

    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
      await forgetting
    },
  }
}

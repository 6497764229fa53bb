// The thread on which SQLite makes reports, with a handle of its own that can only read.
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { serveTasks } from '../../concurrency/serve-tasks.ts'
import { yieldToServing } from '../../concurrency/worker-thread.ts'
import type { SpanCount } from '../activity/activity-counts.ts'
import type { ActivityReports } from '../activity/activity-reports.ts'
import type { RequestPage, RequestQuery } from '../activity/request-log.ts'
import type { AccountTables } from '../store/schema.ts'
import type { KeyPeriod, KeyTotal, UsagePeriod, UsageQuery } from '../usage/usage-reports.ts'
import { createStoreReports } from './store-reports.ts'

export type ReportTask =
  | { kind: 'periods'; query: UsageQuery }
  | { kind: 'keyPeriods'; query: UsageQuery }
  | { kind: 'keyTotals'; query: UsageQuery }
  | { kind: 'requestsSince'; since: Date; ownerId?: string }
  | { kind: 'activity'; query: Parameters<ActivityReports['activity']>[0] }
  | { kind: 'requests'; query: RequestQuery }
  | { kind: 'requestMoment'; count: number }

export type ReportResult =
  | { periods: UsagePeriod[] }
  | { keyPeriods: KeyPeriod[] }
  | { keyTotals: KeyTotal[] }
  | { requestsSince: ReadonlyMap<string, number> }
  | { activity: SpanCount[] }
  | { requests: RequestPage }
  | { requestMoment: number | null }

/** Readers wait only while another process recovers the file after a crash. */
const BUSY_MS = 1_000

yieldToServing()
const { path } = z.object({ path: z.string() }).parse(workerData)
const file = new SqliteDatabase(path, { readonly: true, timeout: BUSY_MS })
const reports = createStoreReports(
  new Kysely<AccountTables>({ dialect: new SqliteDialect({ database: file }) }),
)

async function makeReport(task: ReportTask): Promise<ReportResult> {
  if (task.kind === 'periods') return { periods: await reports.periods(task.query) }
  if (task.kind === 'keyPeriods') return { keyPeriods: await reports.keyPeriods(task.query) }
  if (task.kind === 'keyTotals') return { keyTotals: await reports.keyTotals(task.query) }
  if (task.kind === 'activity') return { activity: await reports.activity(task.query) }
  if (task.kind === 'requests') return { requests: await reports.requests(task.query) }
  if (task.kind === 'requestMoment') return { requestMoment: await reports.requestMoment(task.count) }
  return { requestsSince: await reports.requestsSince(task.since, task.ownerId) }
}

serveTasks(makeReport)

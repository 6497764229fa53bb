// The thread on which SQLite makes usage reports, with a handle of its own that can only read.
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { serveTasks } from '../../concurrency/serve-tasks.ts'
import { yieldToServing } from '../../concurrency/start-worker.ts'
import type { AccountTables } from '../store/schema.ts'
import { createUsageReports, type KeyPeriod, type UsagePeriod, type UsageQuery } from './usage-reports.ts'

export type ReportTask =
  | { kind: 'periods'; query: UsageQuery }
  | { kind: 'keyPeriods'; query: UsageQuery }
  | { kind: 'requestsSince'; since: Date; ownerId?: string }

export type ReportResult =
  | { periods: UsagePeriod[] }
  | { keyPeriods: KeyPeriod[] }
  | { requestsSince: ReadonlyMap<string, number> }

/** Readers wait only while another process recovers the file after a crash. */
const BUSY_MS = 1_000

yieldToServing()
const { path } = z.object({ path: z.string() }).parse(workerData)
const file = new SqliteDatabase(path, { readonly: true, timeout: BUSY_MS })
const reports = createUsageReports(
  new Kysely<AccountTables>({ dialect: new SqliteDialect({ database: file }) }),
)

async function makeReport(task: ReportTask): Promise<ReportResult> {
  if (task.kind === 'periods') return { periods: await reports.periods(task.query) }
  if (task.kind === 'keyPeriods') return { keyPeriods: await reports.keyPeriods(task.query) }
  return { requestsSince: await reports.requestsSince(task.since, task.ownerId) }
}

serveTasks(makeReport)

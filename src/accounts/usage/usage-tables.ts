// Where usage lies: by the hour for the last ninety days, by the day for ever, of each key and of all together. All are
// written together, so a report never has to wait until one has been made of the other.
import { sql, type RawBuilder } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { chunks, deleteInChunks } from '../store/delete-in-chunks.ts'
import type { StoreDatabase, StoreTransaction, UsageTotals } from '../store/schema.ts'

export type UsageUnit = 'hour' | 'day'

export interface UnitTables {
  unitMs: number
  /** One row for each key and unit. */
  totals: string
  /** One row for each key, unit and latency bucket. */
  latencies: string
  /** The column of both that holds the start of the unit (UTC). */
  startsAt: string
}

export const USAGE_TABLES: Readonly<Record<UsageUnit, UnitTables>> = {
  hour: { unitMs: 3_600_000, totals: 'usage_hours', latencies: 'usage_latencies', startsAt: 'hour_at' },
  day: { unitMs: 86_400_000, totals: 'usage_days', latencies: 'usage_day_latencies', startsAt: 'day_at' },
}

/** Days of all keys together, whose key is ''. */
export const TOTAL_DAYS: UnitTables = {
  ...USAGE_TABLES.day,
  totals: 'usage_total_days',
  latencies: 'usage_total_day_latencies',
}

/** Hours are kept for as long as any report asks for them. */
const HOURS_KEPT_MS = 90 * 86_400_000

export interface KeyTotals extends UsageTotals {
  keyId: string
  startsAt: number
}

export interface KeyLatency {
  keyId: string
  startsAt: number
  bucket: number
  requests: number
}

/** Adds to what is stored. Rows must differ in key and unit, and come in one order everywhere, lest replicas deadlock. */
export async function addTotals(
  transaction: StoreTransaction,
  { totals, startsAt }: UnitTables,
  rows: readonly KeyTotals[],
): Promise<void> {
  const [table, at] = [sql.table(totals), sql.ref(startsAt)]
  const added = ['requests', 'client_errors', 'rate_limited', 'server_errors', 'snippets'].map(sumOf(totals))
  for (const some of chunks(rows)) {
    await nextTurn()
    const values = some.map(
      (row) =>
        sql`(${row.keyId}, ${row.startsAt}, ${row.requests}, ${row.client_errors}, ${row.rate_limited}, ${row.server_errors}, ${row.snippets})`,
    )
    await sql`insert into ${table} (key_id, ${at}, requests, client_errors, rate_limited, server_errors, snippets)
      values ${sql.join(values)} on conflict (key_id, ${at}) do update set ${sql.join(added)}`.execute(
      transaction,
    )
  }
}

/** The same for counts by latency. */
export async function addLatencies(
  transaction: StoreTransaction,
  { latencies, startsAt }: UnitTables,
  rows: readonly KeyLatency[],
): Promise<void> {
  const [table, at] = [sql.table(latencies), sql.ref(startsAt)]
  for (const some of chunks(rows)) {
    await nextTurn()
    const values = some.map((row) => sql`(${row.keyId}, ${row.startsAt}, ${row.bucket}, ${row.requests})`)
    await sql`insert into ${table} (key_id, ${at}, bucket, requests) values ${sql.join(values)}
      on conflict (key_id, ${at}, bucket) do update set ${sumOf(latencies)('requests')}`.execute(transaction)
  }
}

const sumOf =
  (table: string) =>
  (column: string): RawBuilder<unknown> =>
    sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`

/** Forgets hours that no report asks for any more, some rows at a time; days stay. */
export async function pruneHours(database: StoreDatabase, now: Date): Promise<void> {
  const before = now.getTime() - HOURS_KEPT_MS
  await deleteInChunks(database, 'usage_latencies', ['hour_at', 'key_id', 'bucket'], before)
  await deleteInChunks(database, 'usage_hours', ['hour_at', 'key_id'], before)
}

// Where usage lies: by the hour for the last ninety days, by the day for ever. Both are written together, so a report
// never has to wait until one has been made of the other.
import { sql, type RawBuilder } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoreDatabase, StoreTransaction, UsageTotals } from '../store/schema.ts'

export type UsageUnit = 'hour' | 'day'

interface UnitTables {
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

/** Hours are kept for as long as any report asks for them. */
const HOURS_KEPT_MS = 90 * 86_400_000
/** Rows in one statement, after which others get their turn: SQLite works on the thread that serves requests. */
const ROWS_PER_STATEMENT = 500

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
  unit: UsageUnit,
  rows: readonly KeyTotals[],
): Promise<void> {
  const { totals, startsAt } = USAGE_TABLES[unit]
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
  unit: UsageUnit,
  rows: readonly KeyLatency[],
): Promise<void> {
  const { latencies, startsAt } = USAGE_TABLES[unit]
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

async function deleteInChunks(
  database: StoreDatabase,
  table: string,
  primaryKey: readonly string[],
  before: number,
): Promise<void> {
  const columns = sql.join(primaryKey.map((column) => sql.ref(column)))
  const old = sql`select ${columns} from ${sql.table(table)} where hour_at < ${before} limit ${ROWS_PER_STATEMENT}`
  for (;;) {
    await nextTurn()
    const { numAffectedRows = 0n } =
      await sql`delete from ${sql.table(table)} where (${columns}) in (${old})`.execute(database)
    if (numAffectedRows === 0n) return
  }
}

function* chunks<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    yield rows.slice(start, start + ROWS_PER_STATEMENT)
}

// The steps that give usage its days, first of each key and then of all keys together, and its hours a key that begins
// with time: reports and forgetting ask for spans of time over many keys, and a year of hours is far more than anybody
// looks at.
import { sql } from 'kysely'
import type { StoreDatabase } from './schema.ts'

const HOURS_KEPT_MS = 90 * 86_400_000
const DAY_MS = 86_400_000
const TOTALS = ['requests', 'client_errors', 'rate_limited', 'server_errors', 'snippets'] as const

/** Gives each key its days, and its hours a key that begins with time. */
export async function rollUpUsage(database: StoreDatabase): Promise<void> {
  await database.schema.alterTable('usage_hours').renameTo('usage_hours_by_key').execute()
  await database.schema.alterTable('usage_latencies').renameTo('usage_latencies_by_key').execute()
  await createTables(database, { totals: 'usage_hours', latencies: 'usage_latencies', startsAt: 'hour_at' })
  await createTables(database, { totals: 'usage_days', latencies: 'usage_day_latencies', startsAt: 'day_at' })
  await copy(database)
  await database.schema.dropTable('usage_hours_by_key').execute()
  await database.schema.dropTable('usage_latencies_by_key').execute()
}

/** Days of all keys together, under the key '': a year of a hundred keys is then 365 rows, not 36,500. */
export async function totalUsage(database: StoreDatabase): Promise<void> {
  await createTables(database, {
    totals: 'usage_total_days',
    latencies: 'usage_total_day_latencies',
    startsAt: 'day_at',
  })
  const totals = sql.join(TOTALS.map((name) => sql.ref(name)))
  const sums = sql.join(TOTALS.map((name) => sql`sum(${sql.ref(name)})`))
  await sql`insert into usage_total_days (key_id, day_at, ${totals})
    select '', day_at, ${sums} from usage_days group by day_at`.execute(database)
  await sql`insert into usage_total_day_latencies (key_id, day_at, bucket, requests)
    select '', day_at, bucket, sum(requests) from usage_day_latencies group by day_at, bucket`.execute(
    database,
  )
}

async function createTables(
  database: StoreDatabase,
  { totals, latencies, startsAt }: { totals: string; latencies: string; startsAt: string },
): Promise<void> {
  await database.schema
    .createTable(totals)
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn(startsAt, 'bigint', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('client_errors', 'bigint', (column) => column.notNull())
    .addColumn('rate_limited', 'bigint', (column) => column.notNull())
    .addColumn('server_errors', 'bigint', (column) => column.notNull())
    .addColumn('snippets', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${totals}_by_time`, [startsAt, 'key_id'])
    .execute()
  await database.schema
    .createTable(latencies)
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn(startsAt, 'bigint', (column) => column.notNull())
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${latencies}_by_time`, [startsAt, 'key_id', 'bucket'])
    .execute()
  // For one key over a long time.
  await database.schema
    .createIndex(`${latencies}_of_key`)
    .on(latencies)
    .columns(['key_id', startsAt])
    .execute()
}

/** Every day there was, and the hours that are still asked for. */
async function copy(database: StoreDatabase): Promise<void> {
  const since = Date.now() - HOURS_KEPT_MS
  const totals = sql.join(TOTALS.map((name) => sql.ref(name)))
  const sums = sql.join(TOTALS.map((name) => sql`sum(${sql.ref(name)})`))
  const day = sql`hour_at - hour_at % ${sql.lit(DAY_MS)}`
  await sql`insert into usage_hours (key_id, hour_at, ${totals})
    select key_id, hour_at, ${totals} from usage_hours_by_key where hour_at >= ${since}`.execute(database)
  await sql`insert into usage_latencies (key_id, hour_at, bucket, requests)
    select key_id, hour_at, bucket, requests from usage_latencies_by_key where hour_at >= ${since}`.execute(
    database,
  )
  await sql`insert into usage_days (key_id, day_at, ${totals})
    select key_id, ${day}, ${sums} from usage_hours_by_key group by 1, 2`.execute(database)
  await sql`insert into usage_day_latencies (key_id, day_at, bucket, requests)
    select key_id, ${day}, bucket, sum(requests) from usage_latencies_by_key group by 1, 2, 3`.execute(
    database,
  )
}

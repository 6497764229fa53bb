// A year of the usage of many keys, as the reports of it are asked for.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Store } from '../../../src/accounts/store/store.ts'
import { bucketLatency } from '../../../src/accounts/usage/latency-histogram.ts'
import type { Usage } from '../../../src/accounts/usage/usage.ts'
import type { UsageQuery } from '../../../src/accounts/usage/usage-reports.ts'

const DAY_MS = 24 * 3_600_000

export async function wholeCsv(usage: Usage, query: UsageQuery): Promise<string> {
  let text = ''
  for await (const piece of usage.csv(query)) text += piece
  return text
}

/** The days that end with today. */
export function lastDays(days: number): UsageQuery {
  const tomorrow = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS
  return { from: new Date(tomorrow - days * DAY_MS), to: new Date(tomorrow), unit: 'day' }
}

/** Has a year of `keys` keys, a multiple of five, reported from the store, and counts the turns of the event loop meanwhile. */
export async function expectYearReported(store: Store, usage: Usage, keys: number): Promise<void> {
  const { database } = store
  const [year, buckets] = [365, 20]
  const { from } = lastDays(year)
  const at = sql`${sql.lit(from.getTime())} + cast(day as bigint) * ${sql.lit(DAY_MS)}`
  const key = sql`'key_' || key`
  // Some keys at a time: the store gives no statement longer than five seconds, which a busy machine would need for all.
  for (let first = 0; first < keys; first += 5) {
    const days = sql`with recursive days(day) as (select 0 union all select day + 1 from days where day < ${sql.lit(year - 1)}),
      keys(key) as (select ${sql.lit(first)} union all select key + 1 from keys where key < ${sql.lit(first + 4)}),
      buckets(bucket) as (select 1 union all select bucket + 1 from buckets where bucket < ${sql.lit(buckets)})`
    await sql`insert into usage_days (key_id, day_at, requests, client_errors, rate_limited, server_errors, snippets)
      ${days} select ${key}, ${at}, 20, 0, 0, 0, 60 from days, keys`.execute(database)
    await sql`insert into usage_day_latencies (key_id, day_at, bucket, requests)
      ${days} select ${key}, ${at}, bucket, 1 from days, keys, buckets`.execute(database)
  }
  await sql`insert into usage_total_days select '', day_at, sum(requests), 0, 0, 0, sum(snippets) from usage_days group by day_at`.execute(
    database,
  )
  await sql`insert into usage_total_day_latencies select '', day_at, bucket, sum(requests) from usage_day_latencies group by day_at, bucket`.execute(
    database,
  )
  // As the database's own upkeep does in time: without it, it plans for empty tables.
  await sql`analyze`.execute(database)

  let turns = 0
  const over = new AbortController()
  const turning = (async () => {
    while (!over.signal.aborted) {
      await nextTurn()
      turns += 1
    }
  })()
  const periods = await usage.periods(lastDays(year))
  const csv = await wholeCsv(usage, lastDays(year))
  over.abort()
  await turning
  expect(periods).toHaveLength(year)
  expect(periods.every(({ requests, snippets }) => requests === 20 * keys && snippets === 60 * keys)).toBe(
    true,
  )
  expect(new Set(periods.map(({ latencyP50Ms }) => latencyP50Ms))).toEqual(new Set([bucketLatency(10)]))
  expect(csv.split('\r\n')).toHaveLength(1 + year * keys + 1)
  // A thread that waits for SQLite would have its turn once before and once after.
  expect(turns).toBeGreaterThan(100)
}

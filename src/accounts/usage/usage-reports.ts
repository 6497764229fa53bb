// Reads what usage.ts has written. All sums are made in SQL, so that what is read grows with the report and not with
// what it is about.
import { sql, type RawBuilder } from 'kysely'
import type { StoreDatabase, UsageTotals } from '../store/schema.ts'
import { bucketLatency } from './latency-histogram.ts'
import { TOTAL_DAYS, USAGE_TABLES, type UnitTables, type UsageUnit } from './usage-tables.ts'

const PERIODS_MAX = 1_000
export const KEY_TOTALS_MAX = 20

export interface UsageQuery {
  /** Start (inclusive), moved down to the start of its unit. */
  from: Date
  /** End (exclusive), moved up to the end of its unit. */
  to: Date
  /** Hours and days are those of UTC. Hours are known for ninety days, days for ever. */
  unit: UsageUnit
  /** Only this key. */
  keyId?: string
  /** Only this user's keys, revoked ones included. */
  ownerId?: string
}

export interface UsagePeriod {
  startsAt: Date
  requests: number
  /** 4xx without 429. */
  clientErrors: number
  rateLimited: number
  serverErrors: number
  snippets: number
  /** Of the answers below 400, within nine per cent; null without any. */
  latencyP50Ms: number | null
  latencyP95Ms: number | null
}

export interface KeyPeriod {
  keyId: string
  period: UsagePeriod
}

export interface KeyTotal {
  keyId: string
  requests: number
  /** 4xx and 5xx. */
  errors: number
  snippets: number
}

export interface UsageReports {
  /**
   * Every unit between `from` and `to`, those without requests included, oldest first.
   * @throws RangeError for more than 1 000 units.
   */
  periods(query: UsageQuery): Promise<UsagePeriod[]>
  /** Every key and unit that has requests, oldest first. @throws RangeError for more than 1 000 units. */
  keyPeriods(query: UsageQuery): Promise<KeyPeriod[]>
  /** The keys with most requests between `from` and `to`, most first; a limit keeps a page readable. */
  keyTotals(query: UsageQuery): Promise<KeyTotal[]>
  /** Requests since a moment (moved down to its hour), by key id; keys without requests are absent. */
  requestsSince(since: Date, ownerId?: string): Promise<ReadonlyMap<string, number>>
}

export function createUsageReports(database: StoreDatabase): UsageReports {
  return {
    async periods(query) {
      const starts = unitsOf(query)
      const found = await readPeriods(database, query, false)
      const byStart = new Map(found.map(({ period }) => [period.startsAt.getTime(), period]))
      return starts.map((startsAt) => byStart.get(startsAt) ?? toPeriod(startsAt, NOTHING, undefined))
    },

    keyPeriods: async (query) => readPeriods(database, query, true),

    keyTotals: async (query) => readKeyTotals(database, query),

    async requestsSince(since, ownerId) {
      const rows = await database
        .selectFrom('usage_hours')
        .where('hour_at', '>=', floorTo(since, USAGE_TABLES.hour.unitMs))
        .where(isWanted(ownerId === undefined ? {} : { ownerId }))
        .select(({ fn }) => ['key_id', fn.sum<number>('requests').as('requests')])
        .groupBy('key_id')
        .execute()
      return new Map(rows.map(({ key_id, requests }) => [key_id, requests]))
    },
  }
}

const NOTHING: UsageTotals = { requests: 0, client_errors: 0, rate_limited: 0, server_errors: 0, snippets: 0 }

const floorTo = (moment: Date, unitMs: number): number => Math.floor(moment.getTime() / unitMs) * unitMs

/** The start of every unit the query covers, in epoch milliseconds. @throws RangeError for more than 1 000. */
export function unitsOf({ from, to, unit }: UsageQuery): number[] {
  const { unitMs } = USAGE_TABLES[unit]
  const start = floorTo(from, unitMs)
  const units = Math.max(0, Math.ceil((to.getTime() - start) / unitMs))
  if (!(units <= PERIODS_MAX)) throw new RangeError(`Usage can be asked for ${PERIODS_MAX} ${unit}s at most.`)
  return Array.from({ length: units }, (_, index) => start + index * unitMs)
}

/** Buckets of the two quantiles; null without any answer below 400. */
interface Quantiles {
  p50: number | null
  p95: number | null
}

/** Periods that have requests, oldest first: one per unit, or with `byKey` one per unit and key (else keyId is ''). */
async function readPeriods(database: StoreDatabase, query: UsageQuery, byKey: boolean): Promise<KeyPeriod[]> {
  const tables = byKey ? USAGE_TABLES[query.unit] : tablesFor(query)
  const { totals, latencies } = tables
  const { startsAt, keyId, inRange } = partsOf(query, tables, byKey)
  const { rows: counted } = await sql<UsageTotals & { starts_at: number; key: string }>`
    select ${startsAt} as starts_at, ${keyId} as "key", sum(requests) as requests,
      sum(client_errors) as client_errors, sum(rate_limited) as rate_limited,
      sum(server_errors) as server_errors, sum(snippets) as snippets
    from ${sql.table(totals)} where ${inRange} group by 1, 2 order by 1, 2`.execute(database)
  const { rows: ranked } = await sql<Quantiles & { starts_at: number; key: string }>`
    with counts as (
      select ${startsAt} as starts_at, ${keyId} as "key", bucket, sum(requests) as requests
      from ${sql.table(latencies)} where ${inRange} group by 1, 2, 3
    ), ranks as (
      select starts_at, "key", bucket,
        sum(requests) over (partition by starts_at, "key" order by bucket) as seen,
        sum(requests) over (partition by starts_at, "key") as total
      from counts
    )
    select starts_at, "key", min(case when seen >= .5 * total then bucket end) as p50,
      min(case when seen >= .95 * total then bucket end) as p95
    from ranks group by starts_at, "key"`.execute(database)
  const quantiles = new Map(ranked.map((row) => [`${row.starts_at} ${row.key}`, row]))
  return counted.map(({ starts_at, key, ...counts }) => ({
    keyId: key,
    period: toPeriod(starts_at, counts, quantiles.get(`${starts_at} ${key}`)),
  }))
}

async function readKeyTotals(database: StoreDatabase, query: UsageQuery): Promise<KeyTotal[]> {
  const tables = USAGE_TABLES[query.unit]
  const { keyId, inRange } = partsOf(query, tables, true)
  const { rows } = await sql<Omit<KeyTotal, 'keyId'> & { key: string }>`
    select ${keyId} as "key", sum(requests) as requests, sum(snippets) as snippets,
      sum(client_errors + rate_limited + server_errors) as errors
    from ${sql.table(tables.totals)} where ${inRange}
    group by 1 order by 2 desc, 1 limit ${KEY_TOTALS_MAX}`.execute(database)
  return rows.map(({ key, requests, errors, snippets }) => ({ keyId: key, requests, errors, snippets }))
}

/** Days of all keys are added up already. */
const tablesFor = ({ unit, keyId, ownerId }: UsageQuery): UnitTables =>
  unit === 'day' && keyId === undefined && ownerId === undefined ? TOTAL_DAYS : USAGE_TABLES[unit]

function partsOf(query: UsageQuery, { unitMs, startsAt: column }: UnitTables, byKey: boolean) {
  const startsAt = sql.ref(column)
  const start = floorTo(query.from, unitMs)
  const end = start + unitsOf(query).length * unitMs
  return {
    startsAt,
    keyId: byKey ? sql`key_id` : sql`''`,
    inRange: sql<boolean>`${startsAt} >= ${start} and ${startsAt} < ${end} and ${isWanted(query)}`,
  }
}

function isWanted({ keyId, ownerId }: Pick<UsageQuery, 'keyId' | 'ownerId'>): RawBuilder<boolean> {
  const conditions = [sql<boolean>`1 = 1`]
  if (keyId !== undefined) conditions.push(sql<boolean>`key_id = ${keyId}`)
  if (ownerId !== undefined)
    conditions.push(sql<boolean>`key_id in (select id from api_keys where owner_id = ${ownerId})`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

const latencyOf = (bucket: number | null | undefined): number | null =>
  bucket === null || bucket === undefined ? null : bucketLatency(bucket)

function toPeriod(startsAt: number, counts: UsageTotals, quantiles: Quantiles | undefined): UsagePeriod {
  return {
    startsAt: new Date(startsAt),
    requests: counts.requests,
    clientErrors: counts.client_errors,
    rateLimited: counts.rate_limited,
    serverErrors: counts.server_errors,
    snippets: counts.snippets,
    latencyP50Ms: latencyOf(quantiles?.p50),
    latencyP95Ms: latencyOf(quantiles?.p95),
  }
}

// Reads what usage.ts has written: periods for charts, totals for lists, CSV for spreadsheets.
import { sql } from 'kysely'
import { latencyQuantile } from './latency-histogram.ts'
import type { UsageTotals } from '../store/schema.ts'
import type { Store } from '../store/store.ts'

const UNIT_MS = { hour: 3_600_000, day: 86_400_000 } as const
const PERIODS_MAX = 1_000
const CSV_COLUMNS =
  'key_id,key_name,starts_at,requests,client_errors,rate_limited,server_errors,snippets,latency_p50_ms,latency_p95_ms'

export interface UsageQuery {
  /** Start (inclusive), moved down to the start of its unit. */
  from: Date
  /** End (exclusive), moved up to the end of its unit. */
  to: Date
  /** Hours and days are those of UTC. */
  unit: 'hour' | 'day'
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

interface KeyPeriod {
  keyId: string
  period: UsagePeriod
}

export function createUsageReports(store: Store) {
  return {
    /**
     * Every unit between `from` and `to`, those without requests included, oldest first.
     * @throws RangeError for more than 1 000 units.
     */
    async periods(query: UsageQuery): Promise<UsagePeriod[]> {
      const range = unitRange(query)
      const found = await readPeriods(store, query, false)
      const byStart = new Map(found.map(({ period }) => [period.startsAt.getTime(), period]))
      return range.map((startsAt) => byStart.get(startsAt) ?? toPeriod(startsAt, NOTHING, new Map()))
    },

    /** Requests since a moment (moved down to its hour), by key id; keys without requests are absent. */
    async requestsSince(since: Date, ownerId?: string): Promise<ReadonlyMap<string, number>> {
      const hourAt = floorTo(since, UNIT_MS.hour)
      const rows = await store.database
        .selectFrom('usage_hours')
        .where('hour_at', '>=', hourAt)
        .where(isWanted(ownerId === undefined ? {} : { ownerId }))
        .select(({ fn }) => ['key_id', fn.sum<number>('requests').as('requests')])
        .groupBy('key_id')
        .execute()
      return new Map(rows.map(({ key_id, requests }) => [key_id, requests]))
    },

    /**
     * CSV text (RFC 4180): a header line, then one line per key and unit that has requests, oldest first.
     * @throws RangeError for more than 1 000 units.
     */
    async csv(query: UsageQuery): Promise<string> {
      unitRange(query)
      const periods = await readPeriods(store, query, true)
      const keys = await store.database.selectFrom('api_keys').select(['id', 'name']).execute()
      const names = new Map(keys.map(({ id, name }) => [id, name]))
      return (
        [
          CSV_COLUMNS,
          ...periods.map(({ keyId, period }) => csvLine(keyId, names.get(keyId) ?? '', period)),
        ].join('\r\n') + '\r\n'
      )
    },
  }
}

const NOTHING: UsageTotals = { requests: 0, client_errors: 0, rate_limited: 0, server_errors: 0, snippets: 0 }

const floorTo = (moment: Date, unitMs: number): number => Math.floor(moment.getTime() / unitMs) * unitMs

/** The start of every unit the query covers. */
function unitRange({ from, to, unit }: UsageQuery): number[] {
  const unitMs = UNIT_MS[unit]
  const start = floorTo(from, unitMs)
  const units = Math.max(0, Math.ceil((to.getTime() - start) / unitMs))
  if (!(units <= PERIODS_MAX)) throw new RangeError(`Usage can be asked for ${PERIODS_MAX} ${unit}s at most.`)
  return Array.from({ length: units }, (_, index) => start + index * unitMs)
}

/** Periods that have requests, oldest first: one per unit, or with `byKey` one per unit and key (else keyId is ''). */
async function readPeriods(store: Store, query: UsageQuery, byKey: boolean): Promise<KeyPeriod[]> {
  const unitMs = UNIT_MS[query.unit]
  const end = floorTo(query.from, unitMs) + unitRange(query).length * unitMs
  const startsAt = sql<number>`(hour_at - hour_at % ${sql.lit(unitMs)})`
  const keyId = byKey ? sql<string>`key_id` : sql<string>`''`
  const inRange = sql<boolean>`hour_at >= ${floorTo(query.from, unitMs)} and hour_at < ${end} and ${isWanted(query)}`
  const hours = await store.database
    .selectFrom('usage_hours')
    .where(inRange)
    .select(({ fn }) => [
      startsAt.as('starts_at'),
      keyId.as('key'),
      fn.sum<number>('requests').as('requests'),
      fn.sum<number>('client_errors').as('client_errors'),
      fn.sum<number>('rate_limited').as('rate_limited'),
      fn.sum<number>('server_errors').as('server_errors'),
      fn.sum<number>('snippets').as('snippets'),
    ])
    .groupBy([startsAt, ...(byKey ? [keyId] : [])])
    .orderBy(sql`1, 2`)
    .execute()
  const latencies = await store.database
    .selectFrom('usage_latencies')
    .where(inRange)
    .select(({ fn }) => [
      startsAt.as('starts_at'),
      keyId.as('key'),
      'bucket',
      fn.sum<number>('requests').as('requests'),
    ])
    .groupBy([startsAt, 'bucket', ...(byKey ? [keyId] : [])])
    .execute()
  const buckets = new Map<string, Map<number, number>>()
  for (const { starts_at, key, bucket, requests } of latencies) {
    const slot = `${starts_at} ${key}`
    buckets.set(slot, (buckets.get(slot) ?? new Map<number, number>()).set(bucket, requests))
  }
  return hours.map(({ starts_at, key, ...counts }) => ({
    keyId: key,
    period: toPeriod(starts_at, counts, buckets.get(`${starts_at} ${key}`) ?? new Map()),
  }))
}

function isWanted({ keyId, ownerId }: Pick<UsageQuery, 'keyId' | 'ownerId'>) {
  const conditions = [sql<boolean>`1 = 1`]
  if (keyId !== undefined) conditions.push(sql<boolean>`key_id = ${keyId}`)
  if (ownerId !== undefined)
    conditions.push(sql<boolean>`key_id in (select id from api_keys where owner_id = ${ownerId})`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

function toPeriod(startsAt: number, counts: UsageTotals, buckets: ReadonlyMap<number, number>): UsagePeriod {
  return {
    startsAt: new Date(startsAt),
    requests: counts.requests,
    clientErrors: counts.client_errors,
    rateLimited: counts.rate_limited,
    serverErrors: counts.server_errors,
    snippets: counts.snippets,
    latencyP50Ms: latencyQuantile(buckets, 0.5),
    latencyP95Ms: latencyQuantile(buckets, 0.95),
  }
}

function csvLine(keyId: string, keyName: string, period: UsagePeriod): string {
  const cells = [
    keyId,
    keyName,
    period.startsAt.toISOString(),
    period.requests,
    period.clientErrors,
    period.rateLimited,
    period.serverErrors,
    period.snippets,
    wholeMs(period.latencyP50Ms),
    wholeMs(period.latencyP95Ms),
  ]
  return cells.map((cell) => csvCell(String(cell))).join(',')
}

const wholeMs = (latencyMs: number | null): number | string =>
  latencyMs === null ? '' : Math.round(latencyMs)

/** Quoted where RFC 4180 asks for it. A leading = + - @ would run as a formula in a spreadsheet: an apostrophe stops it. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

// What the service counts of what it does: kinds of events, each with a name and a detail, in hours and days that are
// written together. Latencies are counted by bucket, so that quantiles of any span can be told.
import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { latencyBucket } from '../usage/latency-histogram.ts'
import { chunks } from '../store/delete-in-chunks.ts'
import type { StoreTransaction } from '../store/schema.ts'

/**
 * `request`: route and status. `search`: depth and how it ended. `search_ms`, `wait_ms`, `score_ms`: depth and latency
 * bucket. `engine`: its name, and "answered" or a kind of failure. `page`: how opening it ended, and who read it.
 * `model`: depth and the model that scored. `host`: a site and why a page of it could not be read.
 */
export type ActivityKind =
  | 'request'
  | 'search'
  | 'search_ms'
  | 'wait_ms'
  | 'score_ms'
  | 'engine'
  | 'page'
  | 'model'
  | 'host'

export interface ActivityCount {
  kind: ActivityKind
  name: string
  detail: string
  count: number
}

/** A count of a span of time, and the starts of the first and the last hour or day that it comes from. */
export interface SpanCount extends ActivityCount {
  firstAt: number
  lastAt: number
}

export const ACTIVITY_TABLES = {
  hour: { table: 'activity_hours', unitMs: 3_600_000 },
  day: { table: 'activity_days', unitMs: 86_400_000 },
} as const
export type ActivityUnit = keyof typeof ACTIVITY_TABLES

/** Counts that wait to be written; further ones are lost and counted as lost. */
const PENDING_MAX = 10_000
/** Pairs of site and reason told apart in one hour by one process; those beyond count as one. */
const HOSTS_PER_HOUR_MAX = 200
const OTHER_HOSTS = 'other sites'

export type PendingCounts = Map<string, ActivityCount & { hourAt: number }>

const { unitMs: HOUR_MS } = ACTIVITY_TABLES.hour
const hourOf = (moment: number): number => Math.floor(moment / HOUR_MS) * HOUR_MS

/** Counts in memory; `take` hands over what there is and begins anew. */
export function createPendingCounts() {
  let pending: PendingCounts = new Map()
  let lost = 0
  const hosts = { hourAt: 0, known: new Set<string>() }

  function addTo(hourAt: number, { kind, name, detail, count }: ActivityCount): void {
    const slot = [hourAt, kind, name, detail].join('\n')
    const known = pending.get(slot)
    if (known !== undefined) known.count += count
    else if (pending.size < PENDING_MAX) pending.set(slot, { hourAt, kind, name, detail, count })
    else lost += count
  }

  /** A crawl of broken links must not fill the store. */
  function boundedHost(hourAt: number, host: string, reason: string): string {
    if (hosts.hourAt !== hourAt) Object.assign(hosts, { hourAt, known: new Set() })
    const pair = `${host}\n${reason}`
    if (!hosts.known.has(pair) && hosts.known.size >= HOSTS_PER_HOUR_MAX) return OTHER_HOSTS
    hosts.known.add(pair)
    return host
  }

  const add = (kind: ActivityKind, name: string, detail: string): void =>
    addTo(hourOf(Date.now()), { kind, name, detail, count: 1 })

  return {
    add,
    addLatency: (kind: 'search_ms' | 'wait_ms' | 'score_ms', name: string, latencyMs: number): void =>
      add(kind, name, String(latencyBucket(latencyMs))),
    addHost(host: string, reason: string): void {
      const hourAt = hourOf(Date.now())
      addTo(hourAt, { kind: 'host', name: boundedHost(hourAt, host, reason), detail: reason, count: 1 })
    },
    take(): PendingCounts {
      const taken = pending
      pending = new Map()
      return taken
    },
    /** What could not be written comes back. */
    giveBack: (counts: PendingCounts): void => counts.forEach((count) => addTo(count.hourAt, count)),
    lost: (): number => lost,
  }
}

/** Adds to hours and days, in one order everywhere, lest replicas deadlock. */
export async function writeActivity(transaction: StoreTransaction, counts: PendingCounts): Promise<void> {
  for (const { table, unitMs } of Object.values(ACTIVITY_TABLES)) {
    const rows = [...rowsOf(counts, unitMs)].toSorted(([left], [right]) => (left < right ? -1 : 1))
    for (const some of chunks(rows)) {
      await nextTurn()
      const values = some.map(
        ([, row]) => sql`(${row.startsAt}, ${row.kind}, ${row.name}, ${row.detail}, ${row.count})`,
      )
      await sql`insert into ${sql.table(table)} (starts_at, kind, name, detail, count) values ${sql.join(values)}
        on conflict (starts_at, kind, name, detail) do update set count = ${sql.ref(`${table}.count`)} + excluded.count`.execute(
        transaction,
      )
    }
  }
}

function rowsOf(counts: PendingCounts, unitMs: number): Map<string, ActivityCount & { startsAt: number }> {
  const rows = new Map<string, ActivityCount & { startsAt: number }>()
  for (const { hourAt, ...counted } of counts.values()) {
    const startsAt = hourAt - (hourAt % unitMs)
    const slot = [startsAt, counted.kind, counted.name, counted.detail].join('\n')
    const row = rows.get(slot)
    if (row === undefined) rows.set(slot, { ...counted, startsAt })
    else row.count += counted.count
  }
  return rows
}

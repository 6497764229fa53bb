// How much each key is used, by the hour: counted in memory, written once a second in one transaction, so that
// counting can neither slow nor fail a search.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from '../../telemetry/log.ts'
import { latencyBucket } from './latency-histogram.ts'
import type { AccountTables, UsageTotals } from '../store/schema.ts'
import type { StoreTransaction } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { createUsageReports } from './usage-reports.ts'

const FLUSH_MS = 1_000
const HOUR_MS = 3_600_000
/** Keys times hours waiting to be written; requests of further ones are dropped and counted as dropped. */
const PENDING_MAX = 10_000
/** Rows in one statement, after which others get their turn: SQLite works on the thread that serves requests. */
const ROWS_PER_STATEMENT = 500

/** One answered request of a known key. */
export interface CountedRequest {
  status: number
  /** From the request's arrival to its answer. Kept for answers below 400 alone: refusals are quick and say nothing. */
  latencyMs: number
  snippets: number
}

interface Counts {
  totals: UsageTotals
  /** Requests by latency bucket. */
  latencies: Map<number, number>
}

interface UsageOptions {
  store: Store
  log: Logger
  /** Default one second. */
  flushIntervalMs?: number
}

export type Usage = ReturnType<typeof openUsage>

export function openUsage({ store, log, flushIntervalMs = FLUSH_MS }: UsageOptions) {
  let pending = new Map<string, Counts>()
  let writing: Promise<void> = Promise.resolve()
  let dropped = 0
  let isFailing = false

  const countsOf = (slot: string): Counts | null => {
    const known = pending.get(slot)
    if (known !== undefined) return known
    if (pending.size >= PENDING_MAX) return null
    const fresh = emptyCounts()
    pending.set(slot, fresh)
    return fresh
  }

  const write = async (): Promise<void> => {
    if (pending.size === 0) return
    const batch = pending
    pending = new Map()
    try {
      await store.database.transaction().execute((transaction) => writeCounts(transaction, batch))
      if (isFailing) log.info({ dropped }, 'usage is written again')
      isFailing = false
    } catch (error) {
      if (!isFailing)
        log.warn({ err: error }, 'usage cannot be written; it is kept in memory as far as that goes')
      isFailing = true
      for (const [slot, counts] of batch) {
        const merged = countsOf(slot)
        if (merged === null) dropped += counts.totals.requests
        else addCounts(merged, counts)
      }
    }
  }
  const flush = (): Promise<void> => (writing = writing.then(write))
  const timer = setInterval(() => void flush(), flushIntervalMs)
  timer.unref()

  return {
    ...createUsageReports(store),

    /** Counts one request. Never throws, never waits; it shows in reports within a second or so. */
    count(keyId: string, request: CountedRequest): void {
      const hourAt = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
      const counts = countsOf(`${hourAt} ${keyId}`)
      if (counts === null) dropped += 1
      else countRequest(counts, request)
    },

    /** Requests that will never be in a report, because the store was away for too long. */
    droppedRequests: (): number => dropped,

    /** Writes what is counted so far; when the store is away it stays in memory. */
    flush,

    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}

const emptyCounts = (): Counts => ({
  totals: { requests: 0, client_errors: 0, rate_limited: 0, server_errors: 0, snippets: 0 },
  latencies: new Map(),
})

function countRequest(counts: Counts, { status, latencyMs, snippets }: CountedRequest): void {
  counts.totals.requests += 1
  counts.totals.snippets += snippets
  if (status === 429) counts.totals.rate_limited += 1
  else if (status >= 500) counts.totals.server_errors += 1
  else if (status >= 400) counts.totals.client_errors += 1
  else addLatency(counts, latencyBucket(latencyMs), 1)
}

function addLatency(counts: Counts, bucket: number, requests: number): void {
  counts.latencies.set(bucket, (counts.latencies.get(bucket) ?? 0) + requests)
}

function addCounts(sum: Counts, more: Counts): void {
  sum.totals.requests += more.totals.requests
  sum.totals.client_errors += more.totals.client_errors
  sum.totals.rate_limited += more.totals.rate_limited
  sum.totals.server_errors += more.totals.server_errors
  sum.totals.snippets += more.totals.snippets
  for (const [bucket, requests] of more.latencies) addLatency(sum, bucket, requests)
}

/** Adds a batch to the stored counts, in a fixed order so that two replicas cannot wait for each other in a circle. */
async function writeCounts(transaction: StoreTransaction, batch: ReadonlyMap<string, Counts>): Promise<void> {
  const hours: AccountTables['usage_hours'][] = []
  const latencies: AccountTables['usage_latencies'][] = []
  for (const [slot, counts] of [...batch].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const key = parseSlot(slot)
    hours.push({ ...key, ...counts.totals })
    for (const [bucket, requests] of [...counts.latencies].toSorted(([left], [right]) => left - right)) {
      latencies.push({ ...key, bucket, requests })
    }
  }
  for (const rows of chunks(hours)) {
    await nextTurn()
    await transaction
      .insertInto('usage_hours')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'hour_at']).doUpdateSet((row) => ({
          requests: row('usage_hours.requests', '+', row.ref('excluded.requests')),
          client_errors: row('usage_hours.client_errors', '+', row.ref('excluded.client_errors')),
          rate_limited: row('usage_hours.rate_limited', '+', row.ref('excluded.rate_limited')),
          server_errors: row('usage_hours.server_errors', '+', row.ref('excluded.server_errors')),
          snippets: row('usage_hours.snippets', '+', row.ref('excluded.snippets')),
        })),
      )
      .execute()
  }
  for (const rows of chunks(latencies)) {
    await nextTurn()
    await transaction
      .insertInto('usage_latencies')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'hour_at', 'bucket']).doUpdateSet((row) => ({
          requests: row('usage_latencies.requests', '+', row.ref('excluded.requests')),
        })),
      )
      .execute()
  }
}

function parseSlot(slot: string): { hour_at: number; key_id: string } {
  const space = slot.indexOf(' ')
  return { hour_at: Number(slot.slice(0, space)), key_id: slot.slice(space + 1) }
}

function* chunks<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    yield rows.slice(start, start + ROWS_PER_STATEMENT)
}

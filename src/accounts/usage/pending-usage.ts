// Usage that is counted and not written yet: by key and hour in memory, and from there into the tables of all units.
import type { StoreTransaction, UsageTotals } from '../store/schema.ts'
import { latencyBucket } from './latency-histogram.ts'
import {
  addLatencies,
  addTotals,
  TOTAL_DAYS,
  USAGE_TABLES,
  type KeyLatency,
  type KeyTotals,
  type UnitTables,
} from './usage-tables.ts'

const { unitMs: HOUR_MS } = USAGE_TABLES.hour
/** Keys times hours waiting to be written; requests of further ones are dropped and counted as dropped. */
const PENDING_MAX = 10_000

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

/** Counts by slot, an hour of a key. */
export type UsageBatch = ReadonlyMap<string, Counts>

/** Counts in memory; `take` hands over what there is and begins anew. */
export function createPendingUsage() {
  let pending = new Map<string, Counts>()
  let dropped = 0

  const countsOf = (slot: string): Counts | null => {
    const known = pending.get(slot)
    if (known !== undefined) return known
    if (pending.size >= PENDING_MAX) return null
    const fresh = emptyCounts()
    pending.set(slot, fresh)
    return fresh
  }

  return {
    take(): UsageBatch {
      const batch = pending
      pending = new Map()
      return batch
    },

    /** What could not be written is counted with what came since. */
    giveBack(batch: UsageBatch): void {
      for (const [slot, counts] of batch) {
        const merged = countsOf(slot)
        if (merged === null) dropped += counts.totals.requests
        else addCounts(merged, counts)
      }
    },

    count(keyId: string, request: CountedRequest): void {
      const hourAt = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
      const counts = countsOf(slotOf(hourAt, keyId))
      if (counts === null) dropped += 1
      else countRequest(counts, request)
    },

    /** Requests that found no room, and are in no report. */
    dropped: (): number => dropped,
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

/** Adds a batch to what is stored, in a fixed order so that replicas cannot wait for each other in a circle. */
export async function writeUsage(transaction: StoreTransaction, batch: UsageBatch): Promise<void> {
  await writeSlots(
    transaction,
    USAGE_TABLES.hour,
    slotsOf(USAGE_TABLES.hour, batch, (keyId) => keyId),
  )
  await writeSlots(
    transaction,
    USAGE_TABLES.day,
    slotsOf(USAGE_TABLES.day, batch, (keyId) => keyId),
  )
  await writeSlots(
    transaction,
    TOTAL_DAYS,
    slotsOf(TOTAL_DAYS, batch, () => ''),
  )
}

async function writeSlots(
  transaction: StoreTransaction,
  tables: UnitTables,
  slots: Iterable<Slot>,
): Promise<void> {
  const sorted = [...slots].toSorted(
    (left, right) => left.startsAt - right.startsAt || (left.keyId < right.keyId ? -1 : 1),
  )
  await addTotals(transaction, tables, sorted.map(totalsOf))
  await addLatencies(transaction, tables, sorted.flatMap(latenciesOf))
}

interface Slot {
  keyId: string
  startsAt: number
  counts: Counts
}

/**
 * The batch, whose slots are hours of keys, by units: what falls into one unit of one key, as `keyOf` names it, is one
 * slot.
 */
function slotsOf(
  { unitMs }: UnitTables,
  batch: UsageBatch,
  keyOf: (keyId: string) => string,
): Iterable<Slot> {
  const slots = new Map<string, Slot>()
  for (const [hourSlot, counts] of batch) {
    const parsed = parseSlot(hourSlot)
    const keyId = keyOf(parsed.keyId)
    const startsAt = parsed.startsAt - (parsed.startsAt % unitMs)
    const name = slotOf(startsAt, keyId)
    const slot = slots.get(name) ?? { keyId, startsAt, counts: emptyCounts() }
    addCounts(slot.counts, counts)
    slots.set(name, slot)
  }
  return slots.values()
}

const totalsOf = ({ keyId, startsAt, counts }: Slot): KeyTotals => ({ keyId, startsAt, ...counts.totals })

const latenciesOf = ({ keyId, startsAt, counts }: Slot): KeyLatency[] =>
  [...counts.latencies]
    .toSorted(([left], [right]) => left - right)
    .map(([bucket, requests]) => ({ keyId, startsAt, bucket, requests }))

const slotOf = (startsAt: number, keyId: string): string => `${startsAt} ${keyId}`

function parseSlot(slot: string): { startsAt: number; keyId: string } {
  const space = slot.indexOf(' ')
  return { startsAt: Number(slot.slice(0, space)), keyId: slot.slice(space + 1) }
}

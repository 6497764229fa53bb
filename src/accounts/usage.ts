// How much each key is used, by the hour: counted in memory, written once a second in one transaction, so that
// counting can neither slow nor fail a search.
import type { Logger } from '../telemetry.ts'
import type { Store } from './store.ts'

export interface CountedRequest { status: number; latencyMs: number; snippets: number }

export interface UsageQuery {
  /** Start (inclusive) and end (exclusive). */
  from: Date
  to: Date
  unit: 'hour' | 'day'
  /** Only this key; only this owner's keys; everything when both are left out. */
  keyId?: string
  ownerId?: string
}

/** One unit of time (UTC). */
export interface UsagePeriod {
  startsAt: Date
  requests: number
  /** 4xx without 429. */
  clientErrors: number
  rateLimited: number
  serverErrors: number
  snippets: number
  /** Null without requests. Within 9 % of the true value (histogram). */
  latencyP50Ms: number | null
  latencyP95Ms: number | null
}

export interface Usage {
  /** Never throws, never waits. */
  count(keyId: string, request: CountedRequest): void
  /** Every unit between from and to, zeros included, oldest first; at most 1 000. */
  periods(query: UsageQuery): Promise<UsagePeriod[]>
  /** Requests since a moment (to the hour), by key id; keys without requests are absent. */
  requestsSince(since: Date, ownerId?: string): Promise<ReadonlyMap<string, number>>
  /** RFC 4180 text: a header line, then one line per key and unit that has requests. */
  csv(query: UsageQuery): Promise<string>
  /** Writes what is counted so far. */
  flush(): Promise<void>
  close(): Promise<void>
}
export declare function openUsage(options: { store: Store; log: Logger; flushIntervalMs?: number }): Usage

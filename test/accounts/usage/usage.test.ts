import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openKeys } from '../../../src/accounts/keys/keys.ts'
import { bucketLatency, latencyBucket } from '../../../src/accounts/usage/latency-histogram.ts'
import { createReports } from '../../../src/accounts/reports/open-reports.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import { openUsage, type Usage } from '../../../src/accounts/usage/usage.ts'
import { describeEachStore, silent } from '../each-store.ts'
import { expectYearReported, lastDays, wholeCsv } from './year-of-keys.ts'

const HOUR_MS = 3_600_000
const today = () => ({
  from: new Date(Date.now() - HOUR_MS),
  to: new Date(Date.now() + 1),
  unit: 'hour' as const,
})
const DAY_MS = 24 * HOUR_MS
const OK = { status: 200, latencyMs: 100, snippets: 3 }

describeEachStore('usage', (current) => {
  let usage: Usage
  let reports: ReturnType<typeof createReports>
  beforeEach(() => {
    reports = createReports(current().store)
    usage = openUsage({ store: current().store, reports, log: silent })
  })
  afterEach(async () => {
    await usage.close()
    await reports.close()
  })

  it('counts requests, errors by class, snippets and latency quantiles by key and hour', async () => {
    for (const status of [200, 200, 200, 400, 401, 422, 429, 500]) {
      usage.count('key_a', {
        status,
        latencyMs: status === 200 ? 1_000 : 1,
        snippets: status === 200 ? 4 : 0,
      })
    }
    usage.count('key_b', OK)
    await usage.flush()
    const last = (await usage.periods({ ...today(), keyId: 'key_a' })).at(-1)
    expect(last).toMatchObject({
      requests: 8,
      clientErrors: 3,
      rateLimited: 1,
      serverErrors: 1,
      snippets: 12,
    })
    expect(Math.abs((last?.latencyP50Ms ?? 0) / 1_000 - 1)).toBeLessThan(0.091)
  })

  it('adds what several replicas count at the same time', async () => {
    const other = await openStore(current().location, { log: silent })
    const replica = openUsage({ store: other, reports, log: silent })
    try {
      for (let round = 0; round < 5; round += 1) {
        for (let index = 0; index < 20; index += 1) {
          usage.count(`key_${index}`, OK)
          replica.count(`key_${19 - index}`, OK)
        }
        await Promise.all([usage.flush(), replica.flush()])
      }
    } finally {
      await replica.close()
      await other.close()
    }
    const totals = await usage.requestsSince(new Date())
    expect([...totals.values()]).toEqual(Array.from({ length: 20 }, () => 10))
  })

  it('tells which keys are used most, by the hour and by the day', async () => {
    for (const status of [200, 422, 429, 500]) usage.count('key_b', { ...OK, status })
    usage.count('key_a', OK)
    await usage.flush()
    for (const unit of ['hour', 'day'] as const)
      expect(await usage.keyTotals({ ...today(), unit })).toEqual([
        { keyId: 'key_b', requests: 4, errors: 3, snippets: 12 },
        { keyId: 'key_a', requests: 1, errors: 0, snippets: 3 },
      ])
  })

  it('gives every hour of the range, those without requests as zeros', async () => {
    usage.count('key_a', OK)
    await usage.flush()
    const now = Date.now()
    const periods = await usage.periods({
      from: new Date(now - 47 * HOUR_MS),
      to: new Date(now + 1),
      unit: 'hour',
    })
    expect(periods).toHaveLength(48)
    expect(periods.map(({ requests }) => requests).filter((requests) => requests > 0)).toEqual([1])
    expect(periods[0]).toMatchObject({ requests: 0, latencyP50Ms: null, latencyP95Ms: null })
    const days = await usage.periods({
      from: new Date(now - 29 * 24 * HOUR_MS),
      to: new Date(now + 1),
      unit: 'day',
    })
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatchObject({ requests: 1, snippets: 3 })
  })

  it('refuses a range of more than a thousand units', async () => {
    await expect(usage.periods({ from: new Date(0), to: new Date(), unit: 'hour' })).rejects.toThrow(
      RangeError,
    )
    await expect(wholeCsv(usage, { from: new Date(0), to: new Date(), unit: 'day' })).rejects.toThrow(
      RangeError,
    )
  })

  it('exports CSV that no spreadsheet takes for a formula', async () => {
    const keys = openKeys({ store: current().store, log: silent })
    const { record } = await keys.create({ name: '=HYPERLINK("x"),1', ownerId: null })
    usage.count(record.id, OK)
    await usage.flush()
    const lines = (await wholeCsv(usage, today())).split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain(`${record.id},"'=HYPERLINK(""x""),1",`)
    expect(lines[1]).toMatch(/,1,0,0,0,3,\d+,\d+$/u)
    await keys.close()
  })

  it('tells the quantiles of all requests of a span, as the requests themselves would', async () => {
    const latencies = Array.from({ length: 400 }, (_, index) => 2 + ((index * 7_919) % 5_000))
    for (const [index, latencyMs] of latencies.entries())
      usage.count(`key_${index % 3}`, { status: 200, latencyMs, snippets: 0 })
    await usage.flush()
    const sorted = latencies.toSorted((left, right) => left - right)
    for (const unit of ['hour', 'day'] as const) {
      const last = (await usage.periods({ ...today(), unit })).at(-1)
      expect(Math.abs((last?.latencyP50Ms ?? 0) / (sorted[199] ?? 0) - 1)).toBeLessThan(0.0906)
      expect(Math.abs((last?.latencyP95Ms ?? 0) / (sorted[379] ?? 0) - 1)).toBeLessThan(0.0906)
    }
  })

  it('reports a year of ten keys, whole and as CSV, while the serving thread goes on serving', () =>
    expectYearReported(current().store, usage, 10))

  it('forgets hours after ninety days and keeps their days', async () => {
    const { database } = current().store
    const old = Math.floor(Date.now() / DAY_MS) * DAY_MS - 91 * DAY_MS
    for (const [totals, latencies, column] of [
      ['usage_hours', 'usage_latencies', 'hour_at'],
      ['usage_days', 'usage_day_latencies', 'day_at'],
      ['usage_total_days', 'usage_total_day_latencies', 'day_at'],
    ] as const) {
      await sql`insert into ${sql.table(totals)} (key_id, ${sql.ref(column)}, requests, client_errors, rate_limited, server_errors, snippets)
        values ('key_a', ${old}, 7, 0, 0, 0, 0)`.execute(database)
      await sql`insert into ${sql.table(latencies)} (key_id, ${sql.ref(column)}, bucket, requests)
        values ('key_a', ${old}, 9, 7)`.execute(database)
    }
    usage.count('key_a', OK)
    await usage.flush()
    const countOf = async (table: 'usage_hours' | 'usage_latencies') =>
      (await database.selectFrom(table).select('key_id').execute()).length
    await expect.poll(() => countOf('usage_hours')).toBe(1)
    await expect.poll(() => countOf('usage_latencies')).toBe(1)
    const days = await usage.periods(lastDays(100))
    expect(days.filter(({ requests }) => requests > 0).map(({ requests }) => requests)).toEqual([7, 1])
  })

  it('keeps counting while the store is closed, without throwing, and bounds what it keeps', async () => {
    const gone = await openStore(current().location, { log: silent })
    const lost = openUsage({ store: gone, reports, log: silent })
    await gone.close()
    for (let index = 0; index < 10_005; index += 1) lost.count(`key_${index}`, OK)
    await lost.flush()
    expect(lost.droppedRequests()).toBe(5)
    await lost.close()
  })
})

describe('latency buckets', () => {
  it('stand for a latency within nine per cent of the true one', () => {
    fc.assert(
      fc.property(fc.double({ min: 1.1, max: 200_000, noNaN: true }), (latency) => {
        return Math.abs(bucketLatency(latencyBucket(latency)) / latency - 1) < 0.0906
      }),
    )
  })

  it('never leave the histogram, whatever number comes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer()), (latency) => {
        const bucket = latencyBucket(latency)
        return Number.isInteger(bucket) && bucket >= 0 && bucket <= 72
      }),
    )
  })
})

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openKeys } from '../../../src/accounts/keys/keys.ts'
import { latencyBucket, latencyQuantile } from '../../../src/accounts/usage/latency-histogram.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import { openUsage, type Usage } from '../../../src/accounts/usage/usage.ts'
import { describeEachStore, silent } from '../each-store.ts'

const HOUR_MS = 3_600_000
const today = () => ({
  from: new Date(Date.now() - HOUR_MS),
  to: new Date(Date.now() + 1),
  unit: 'hour' as const,
})
const OK = { status: 200, latencyMs: 100, snippets: 3 }

describeEachStore('usage', (current) => {
  let usage: Usage
  beforeEach(() => {
    usage = openUsage({ store: current().store, log: silent })
  })
  afterEach(() => usage.close())

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
    const replica = openUsage({ store: other, log: silent })
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
    await expect(usage.csv({ from: new Date(0), to: new Date(), unit: 'day' })).rejects.toThrow(RangeError)
  })

  it('exports CSV that no spreadsheet takes for a formula', async () => {
    const keys = openKeys({ store: current().store, log: silent })
    const { record } = await keys.create({ name: '=HYPERLINK("x"),1', ownerId: null })
    usage.count(record.id, OK)
    await usage.flush()
    const lines = (await usage.csv(today())).split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain(`${record.id},"'=HYPERLINK(""x""),1",`)
    expect(lines[1]).toMatch(/,1,0,0,0,3,\d+,\d+$/u)
    await keys.close()
  })

  it('keeps counting while the store is closed, without throwing, and bounds what it keeps', async () => {
    const gone = await openStore(current().location, { log: silent })
    const lost = openUsage({ store: gone, log: silent })
    await gone.close()
    for (let index = 0; index < 10_005; index += 1) lost.count(`key_${index}`, OK)
    await lost.flush()
    expect(lost.droppedRequests()).toBe(5)
    await lost.close()
  })
})

describe('latency quantiles', () => {
  it('lie within nine per cent of the true value', () => {
    const latencies = fc.array(fc.double({ min: 1.1, max: 200_000, noNaN: true }), {
      minLength: 1,
      maxLength: 200,
    })
    fc.assert(
      fc.property(latencies, fc.constantFrom(0.5, 0.95), (all, quantile) => {
        const counts = new Map<number, number>()
        for (const latency of all)
          counts.set(latencyBucket(latency), (counts.get(latencyBucket(latency)) ?? 0) + 1)
        const sorted = all.toSorted((left, right) => left - right)
        const truth = sorted[Math.max(1, Math.ceil(quantile * all.length)) - 1] ?? Number.NaN
        return Math.abs((latencyQuantile(counts, quantile) ?? Number.NaN) / truth - 1) < 0.0906
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

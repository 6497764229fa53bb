import { describe, expect, test } from 'vitest'
import { bestRate, simulateReplica } from '../../scripts/bench/scaling.ts'
import { quantile } from '../../scripts/bench/quantile.ts'

const replica = { cpuSeconds: 0.4, distanceSeconds: 0.3, cores: 4, slots: 20 }
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
/** What the cores and the slots can do at most. */
const limit = replica.cores / replica.cpuSeconds

describe('the simulated replica', () => {
  test('makes a search alone wait for engine, sites and its own pages only', () => {
    const times = simulateReplica(replica, 0.001, 2_000)
    expect(Math.min(...times)).toBeGreaterThan(replica.distanceSeconds)
    expect(mean(times)).toBeLessThan(replica.distanceSeconds + replica.cpuSeconds)
  })

  test('answers ever later when more is asked than its cores can do', () => {
    const times = simulateReplica(replica, 1.5 * limit, 4_000)
    expect(mean(times.slice(3_000))).toBeGreaterThan(3 * mean(times.slice(0, 1_000)))
  })

  test('takes at its best rate no more than seven tenths of its cores, and few searches twice their time', () => {
    const rate = bestRate(replica)
    expect(rate).toBeLessThanOrEqual(0.7 * limit)
    const alone = mean(simulateReplica(replica, 0.001, 2_000))
    expect(quantile(simulateReplica(replica, rate), 0.95)).toBeLessThanOrEqual(2.01 * alone)
  })
})

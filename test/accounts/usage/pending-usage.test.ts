import { expect, test } from 'vitest'
import { createPendingUsage } from '../../../src/accounts/usage/pending-usage.ts'

const READ = { status: 200, latencyMs: 120, snippets: 3 }

test('what could not be written is counted together with what came since', () => {
  const pending = createPendingUsage()
  pending.count('key', READ)
  const batch = pending.take()
  expect(pending.take().size).toBe(0)
  pending.count('key', { ...READ, status: 429 })
  pending.giveBack(batch)
  const totals = [...pending.take().values()].map((counts) => counts.totals)
  const sum = (name: 'requests' | 'rate_limited' | 'snippets'): number =>
    totals.reduce((total, counts) => total + counts[name], 0)
  expect([sum('requests'), sum('rate_limited'), sum('snippets')]).toEqual([2, 1, 6])
  expect(pending.dropped()).toBe(0)
})

test('keys beyond the limit are dropped and counted as dropped, while known ones go on', () => {
  const pending = createPendingUsage()
  for (let key = 0; key < 10_005; key += 1) pending.count(`key ${key}`, READ)
  pending.count('key 10004', READ)
  expect(pending.dropped()).toBeGreaterThanOrEqual(5)
  expect(pending.take().size).toBe(10_000)
})

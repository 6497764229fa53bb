// The volume of a large installation, in both kinds of store.
import { expect, it } from 'vitest'
import { createReports } from '../../../src/accounts/reports/open-reports.ts'
import { openUsage } from '../../../src/accounts/usage/usage.ts'
import { describeEachStore, silent } from '../each-store.ts'
import { expectYearReported } from './year-of-keys.ts'

describeEachStore('usage', (current) => {
  it('reports a year of a hundred keys, whole and as CSV, while the serving thread goes on serving', async () => {
    const { store } = current()
    const reports = createReports(store)
    const usage = openUsage({ store, reports, log: silent })
    try {
      await expectYearReported(store, usage, 100)
      expect(usage.droppedRequests()).toBe(0)
    } finally {
      await usage.close()
      await reports.close()
    }
  })
})

// Every report that is read from the store, and how PostgreSQL is to be asked for one.
import { sql } from 'kysely'
import { createActivityReports, type ActivityReports } from '../activity/activity-reports.ts'
import type { StoreDatabase } from '../store/schema.ts'
import { createUsageReports, type UsageReports } from '../usage/usage-reports.ts'

export interface StoreReports extends UsageReports, ActivityReports {}

export const createStoreReports = (database: StoreDatabase): StoreReports => ({
  ...createUsageReports(database),
  ...createActivityReports(database),
})

/**
 * Reports of PostgreSQL, each in a transaction that can only read and in which no query is compiled: for sums over many
 * small groups compiling takes ten times as long as the work. Said in the transaction and not when connecting, since
 * PgBouncer hands connections to others.
 */
export function createPostgresReports(database: StoreDatabase): StoreReports {
  const read = <Report>(make: (reports: StoreReports) => Promise<Report>): Promise<Report> =>
    database
      .transaction()
      .setAccessMode('read only')
      .execute(async (transaction) => {
        await sql`set local jit = off`.execute(transaction)
        return make(createStoreReports(transaction))
      })
  return {
    periods: (query) => read((reports) => reports.periods(query)),
    keyPeriods: (query) => read((reports) => reports.keyPeriods(query)),
    keyTotals: (query) => read((reports) => reports.keyTotals(query)),
    requestsSince: (since, ownerId) => read((reports) => reports.requestsSince(since, ownerId)),
    activity: (query) => read((reports) => reports.activity(query)),
    requests: (query) => read((reports) => reports.requests(query)),
    requestMoment: (count) => read((reports) => reports.requestMoment(count)),
  }
}

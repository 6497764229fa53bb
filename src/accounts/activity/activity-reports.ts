// Reads what activity.ts has written. All sums are made in SQL.
import { sql } from 'kysely'
import type { StoreDatabase } from '../store/schema.ts'
import { ACTIVITY_TABLES, type SpanCount, type ActivityUnit } from './activity-counts.ts'
import { momentAfterWhich, readRequests, type RequestPage, type RequestQuery } from './request-log.ts'

/** Sites told of, those with most failures first. */
const HOSTS_TOLD = 10

export interface ActivityReports {
  /** Sums since the start of the unit in which `from` lies; of sites those with most failures alone. */
  activity(query: { from: Date; unit: ActivityUnit }): Promise<SpanCount[]>
  requests(query: RequestQuery): Promise<RequestPage>
  /** When the request was that `count` others have come after; null when there are not so many. */
  requestMoment(count: number): Promise<number | null>
}

export function createActivityReports(database: StoreDatabase): ActivityReports {
  return {
    async activity({ from, unit }) {
      const { table, unitMs } = ACTIVITY_TABLES[unit]
      const since = Math.floor(from.getTime() / unitMs) * unitMs
      const counted = sql`select kind, name, detail, sum(count) as count,
        min(starts_at) as ${sql.ref('firstAt')}, max(starts_at) as ${sql.ref('lastAt')} from ${sql.table(table)} where starts_at >= ${since}`
      const hosts = sql`select name from ${sql.table(table)} where starts_at >= ${since} and kind = 'host'
        group by name order by sum(count) desc, name limit ${HOSTS_TOLD}`
      const [{ rows: others }, { rows: failing }] = await Promise.all([
        sql<SpanCount>`${counted} and kind <> 'host' group by 1, 2, 3`.execute(database),
        sql<SpanCount>`${counted} and kind = 'host' and name in (${hosts}) group by 1, 2, 3`.execute(
          database,
        ),
      ])
      return [...others, ...failing]
    },
    requests: (query) => readRequests(database, query),
    requestMoment: (count) => momentAfterWhich(database, count),
  }
}

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createReports } from '../../../src/accounts/reports/open-reports.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { createDatabase } from '../../support/suite-postgres.ts'
import { silent } from '../each-store.ts'

const DAY_MS = 86_400_000

describe.skipIf(!hasPostgres)('reports of PostgreSQL', () => {
  test('are asked without compiling queries, even of a server that compiles, and leave the connection as it was', async () => {
    const location = { databaseUrl: await createDatabase() }
    const before = await openStore(location, { log: silent })
    const name = new URL(location.databaseUrl).pathname.slice(1)
    await sql`alter database ${sql.ref(name)} set jit = on`.execute(before.database)
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
    await sql`insert into usage_total_days (key_id, day_at, requests, client_errors, rate_limited, server_errors, snippets)
      values ('', ${today}, 7, 0, 0, 0, 0)`.execute(before.database)
    // The report sees its rows only where compiling is off.
    await sql`alter table usage_total_days rename to counted_days`.execute(before.database)
    await sql`create view usage_total_days as select * from counted_days where current_setting('jit') = 'off'`.execute(
      before.database,
    )
    await before.close()

    const store = await openStore(location, { log: silent })
    const reports = createReports(store)
    const days = await reports.periods({ from: new Date(today), to: new Date(today + DAY_MS), unit: 'day' })
    const { rows } = await sql<{ jit: string }>`select current_setting('jit') as jit`.execute(store.database)
    await reports.close()
    await store.close()
    expect(days.map(({ requests }) => requests)).toEqual([7])
    expect(rows).toEqual([{ jit: 'on' }])
  })
})

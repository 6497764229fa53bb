// Forgetting without blocking: old rows go some hundred at a time, because SQLite works on the thread that serves
// requests.
import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoreDatabase } from './schema.ts'

/** Rows in one statement, after which others get their turn. */
const ROWS_PER_STATEMENT = 500

/**
 * Deletes the rows of `table` whose `column`, the first of its primary key, lies before `before` (epoch milliseconds).
 */
export async function deleteInChunks(
  database: StoreDatabase,
  table: string,
  [column, ...others]: readonly [string, ...string[]],
  before: number,
): Promise<void> {
  const columns = sql.join([column, ...others].map((name) => sql.ref(name)))
  const old = sql`select ${columns} from ${sql.table(table)} where ${sql.ref(column)} < ${before} limit ${ROWS_PER_STATEMENT}`
  for (;;) {
    await nextTurn()
    const { numAffectedRows = 0n } =
      await sql`delete from ${sql.table(table)} where (${columns}) in (${old})`.execute(database)
    if (numAffectedRows === 0n) return
  }
}

/** `rows` in parts that fit one statement. */
export function* chunks<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    yield rows.slice(start, start + ROWS_PER_STATEMENT)
}

// The thread on which long pages come into the index: SQLite takes a second for the words of a long page, and counting
// them for PostgreSQL as long, which the thread that serves requests must never be kept for.
import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { serveTasks } from '../concurrency/serve-tasks.ts'
import { yieldToServing } from '../concurrency/worker-thread.ts'
import { openPostgresWriter } from './postgres/postgres-writer.ts'
import { openSqliteWriter } from './sqlite/sqlite-writer.ts'
import type { PageRow } from './put-page.ts'

const placeSchema = z.union([
  z.object({ path: z.string(), busyMs: z.number() }),
  z.object({ databaseUrl: z.string() }),
])

/** A file of SQLite, or PostgreSQL; its tables are there. */
export type IndexPlace = z.output<typeof placeSchema>

const place = placeSchema.parse(workerData)
const put = 'path' in place ? openSqliteWriter(place) : openPostgresWriter(place)

yieldToServing()
serveTasks(async (row: PageRow) => {
  await put(row)
  return null
})

// The thread on which SQLite searches: a search holds its thread for up to a tenth of a second, which the thread that
// serves requests must never be.
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import type { IndexAnswer, IndexQuery, LibraryTables } from '../schema.ts'
import { createSqliteIndex } from './sqlite-index.ts'

export interface SearchTask {
  id: number
  query: IndexQuery
}

export type SearchReply = { id: number } & ({ answer: IndexAnswer } | { failure: string })

const port = parentPort
if (port === null) throw new Error('This module runs as a worker thread.')

const { path, busyMs } = z.object({ path: z.string(), busyMs: z.number() }).parse(workerData)
const file = new SqliteDatabase(path, { readonly: true, timeout: busyMs })
const database = new Kysely<LibraryTables>({ dialect: new SqliteDialect({ database: file }) })
const index = createSqliteIndex()

async function answer({ id, query }: SearchTask): Promise<void> {
  const reply: SearchReply = await index.search(database, query).then(
    (found) => ({ id, answer: found }),
    (error: unknown) => ({ id, failure: error instanceof Error ? error.message : String(error) }),
  )
  port?.postMessage(reply)
}

port.on('message', (task: SearchTask) => void answer(task))

// Puts pages into the engine's file from a thread of its own.
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { createWrite, putPage, type PageRow } from '../put-page.ts'
import type { LibraryTables } from '../schema.ts'
import { createSqliteIndex } from './sqlite-index.ts'

/** Opens the file, whose tables are there; it is closed with its thread. */
export function openSqliteWriter({ path, busyMs }: { path: string; busyMs: number }) {
  const file = new SqliteDatabase(path, { timeout: busyMs, fileMustExist: true })
  file.pragma('synchronous = normal')
  const database = new Kysely<LibraryTables>({ dialect: new SqliteDialect({ database: file }) })
  const index = createSqliteIndex()
  const write = createWrite(database, index)
  return (row: PageRow): Promise<void> => putPage(write, index, row)
}

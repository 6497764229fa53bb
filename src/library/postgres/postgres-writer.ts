// Puts pages into the library's schema of PostgreSQL from a thread of its own.
import { createWrite, putPage, type PageRow } from '../put-page.ts'
import { connectLibrary } from './connect.ts'
import { createPostgresIndex } from './postgres-index.ts'

/** Connects when the first page comes; the connection ends with its thread. */
export function openPostgresWriter({ databaseUrl }: { databaseUrl: string }) {
  const connection = connectLibrary(
    { connectionString: databaseUrl, max: 1, application_name: 'verbatim-indexing' },
    () => undefined,
  )
  const index = createPostgresIndex()
  const write = createWrite(connection.withSchema('library'), index)
  return (row: PageRow): Promise<void> => putPage(write, index, row)
}

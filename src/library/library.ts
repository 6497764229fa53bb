// Opens the embedded engine: in a file of the data folder, or in PostgreSQL where replicas share it.
import type { PostgresWait } from '../connections/postgres-start.ts'
import type { Library } from './page-index.ts'
import { openPostgresLibrary } from './postgres/postgres.ts'
import { openSqliteLibrary } from './sqlite/sqlite.ts'

export type { Library } from './page-index.ts'

export interface LibraryOptions {
  /** Holds the file; not used with `databaseUrl`. */
  dataDir: string
  /** A PostgreSQL address, or null for the file. */
  databaseUrl: string | null
  /** A read replica of `databaseUrl`, or null. */
  readUrl?: string | null
  /** How PostgreSQL is waited for; by default for 30 s, told by `onWarning`. */
  wait?: PostgresWait
  /** Told of what the operator should know: a damaged file was set aside, a connection was lost. For the log. */
  onWarning?: (message: string, detail: unknown) => void
}

export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const { dataDir, databaseUrl, readUrl = null, onWarning } = options
  if (databaseUrl !== null) {
    const onConnectionLost = (error: Error) =>
      onWarning?.('an idle PostgreSQL connection of the library broke', error)
    const onReplicaLost = (error: unknown) =>
      onWarning?.('the read replica of PostgreSQL fails; the library reads from the primary', error)
    const onWait: NonNullable<PostgresWait['onWait']> = (message, detail) => onWarning?.(message, detail)
    const wait = { onWait, ...options.wait }
    return openPostgresLibrary({ databaseUrl, readUrl, onConnectionLost, onReplicaLost, ...wait })
  }
  const onDamaged = (setAsidePath: string) =>
    onWarning?.(
      'the library was damaged: it was set aside and an empty one opened; index your sites again',
      setAsidePath,
    )
  return openSqliteLibrary({ dataDir, onDamaged })
}

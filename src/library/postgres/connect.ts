// Connections to the library's tables in PostgreSQL.
import { Kysely, PostgresDialect } from 'kysely'
import { connectionsOf, openPostgresPool, type PostgresSettings } from '../../connections/postgres.ts'
import type { LibraryTables } from '../schema.ts'

const STATEMENT_MS = 30_000
/** Beyond the server's own limit, for a server that no longer speaks at all. */
const QUERY_MS = 31_000

type LibrarySettings = Omit<PostgresSettings, 'queryMs' | 'statement_timeout'>

/** `onConnectionLost` is told when an idle connection broke; the next query opens another. */
export function connectLibrary(
  settings: LibrarySettings,
  onConnectionLost: (error: Error) => void,
): Kysely<LibraryTables> {
  const limits = { statement_timeout: STATEMENT_MS, queryMs: QUERY_MS }
  const pool = openPostgresPool({ ...settings, ...limits }, onConnectionLost)
  return new Kysely<LibraryTables>({ dialect: new PostgresDialect({ pool: connectionsOf(pool) }) })
}

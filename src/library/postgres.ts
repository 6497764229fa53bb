// The embedded engine's tables in PostgreSQL, where replicas share one library. They stand in a schema of their own, so
// that they can be dropped and filled again without touching accounts.
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { createLibrary, type Library } from './engine.ts'
import { createPostgresIndex, WRITE_LOCK } from './postgres-index.ts'
import type { LibraryTables } from './schema.ts'

const CONNECTIONS_MAX = 5
const CONNECT_MS = 3_000
const STATEMENT_MS = 30_000

const SCHEMA = [
  'create schema if not exists library',
  `create table if not exists library.page (
    id integer generated always as identity primary key,
    url text not null unique,
    origin text not null,
    host_key text collate "C" not null,
    language text,
    dated_on text collate "C",
    published_at text,
    updated_at text,
    title text not null,
    digest text not null,
    text text not null
  )`,
  'create index if not exists page_origin on library.page (origin)',
  `create table if not exists library.posting (
    term text collate "C" not null,
    page_id integer not null,
    frequency integer not null,
    primary key (term, page_id) include (frequency)
  )`,
  'create index if not exists posting_page on library.posting (page_id)',
  'create table if not exists library.page_length (page_id integer primary key, words integer not null)',
  `create table if not exists library.site (
    url text primary key, page_limit integer not null, depth_limit integer not null, finished_at text
  )`,
  `create table if not exists library.frontier (
    site_url text not null, url text not null, depth integer not null, position integer not null, state text not null,
    primary key (site_url, url)
  )`,
  'create index if not exists frontier_next on library.frontier (site_url, state, depth, position)',
]

export interface PostgresLibraryOptions {
  databaseUrl: string
  /** Told when an idle connection broke; the next query opens another. */
  onConnectionLost?: (error: Error) => void
}

/**
 * Connects and makes the tables where they are missing.
 * @throws when the server cannot be reached or refuses.
 */
export async function openPostgresLibrary(options: PostgresLibraryOptions): Promise<Library> {
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'verbatim-library',
    keepAlive: true,
  })
  // Without a listener a broken idle connection would end the process.
  pool.on('error', (error) => options.onConnectionLost?.(error))
  const connection = new Kysely<LibraryTables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await connection.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${WRITE_LOCK})`.execute(transaction)
      for (const statement of SCHEMA) await sql.raw(statement).execute(transaction)
    })
  } catch (error) {
    await connection.destroy()
    throw error
  }
  return createLibrary(connection.withSchema('library'), createPostgresIndex(), () => connection.destroy())
}

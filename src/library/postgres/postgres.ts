// The embedded engine's tables in PostgreSQL, where replicas share one library. They stand in a schema of their own, so
// that they can be dropped and filled again without touching accounts.
import { type Kysely, sql } from 'kysely'
import { type PostgresWait, waitForPostgres } from '../../connections/postgres-start.ts'
import { createIndexingThread } from '../indexing-thread.ts'
import { createLibrary, type Library } from '../page-index.ts'
import { connectLibrary } from './connect.ts'
import { createPostgresIndex, WRITE_LOCK } from './postgres-index.ts'
import { createReplicatedIndex } from '../replicated-index.ts'
import type { LibraryTables } from '../schema.ts'

const CONNECTIONS_MAX = 5

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
    sitemap_date text,
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
    url text primary key, page_limit integer not null, depth_limit integer not null, delay_ms integer not null,
    finished_at text
  )`,
  `create table if not exists library.frontier (
    site_url text not null, url text not null, depth integer not null, position integer not null, state text not null,
    sitemap_date text, primary key (site_url, url)
  )`,
  'create index if not exists frontier_next on library.frontier (site_url, state, depth, position)',
  `create table if not exists library.document (
    name text collate "C" primary key, bytes integer not null, added_at timestamptz not null
  )`,
  `create table if not exists library.document_piece (
    name text collate "C" not null references library.document on delete cascade,
    position integer not null, content bytea not null, primary key (name, position)
  )`,
  // What tables of an earlier version lack.
  'alter table library.page add column if not exists sitemap_date text',
  'alter table library.site add column if not exists delay_ms integer not null default 500',
  'alter table library.frontier add column if not exists sitemap_date text',
  'alter table library.frontier add column if not exists reason text',
  `alter table library.site
    add column if not exists last_end text, add column if not exists last_ended_at text,
    add column if not exists refresh_hours integer, add column if not exists due_at text,
    add column if not exists claimed_until text`,
]

export interface PostgresLibraryOptions extends PostgresWait {
  databaseUrl: string
  /** A read replica of it, which answers searches while it can; null for none. */
  readUrl?: string | null
  /** Told when the read replica stops answering, once each time; searches then read from the primary. */
  onReplicaLost?: (error: unknown) => void
  /** Told when an idle connection broke; the next query opens another. */
  onConnectionLost?: (error: Error) => void
}

/**
 * Connects, waiting for a server that starts, and makes the tables where they are missing.
 * @throws {OperatorError} when the server cannot be reached or refuses.
 */
export async function openPostgresLibrary(options: PostgresLibraryOptions): Promise<Library> {
  const connection = connect(options.databaseUrl, 'verbatim-library', options)
  try {
    await waitForPostgres(() => sql`select 1`.execute(connection), options.databaseUrl, options)
    await connection.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${WRITE_LOCK})`.execute(transaction)
      for (const statement of SCHEMA) await sql.raw(statement).execute(transaction)
    })
  } catch (error) {
    await connection.destroy()
    throw error
  }
  const { readUrl = null, databaseUrl } = options
  const indexing = createIndexingThread({ databaseUrl })
  const replica = readUrl === null ? null : connect(readUrl, 'verbatim-library-read', options)
  const primary = createPostgresIndex()
  const index =
    replica === null ? primary : createReplicatedIndex(primary, replica.withSchema('library'), options)
  return createLibrary(connection.withSchema('library'), index, indexing, async () => {
    await indexing.close()
    await Promise.all([replica?.destroy(), connection.destroy()])
  })
}

function connect(
  connectionString: string,
  applicationName: string,
  { onConnectionLost }: Pick<PostgresLibraryOptions, 'onConnectionLost'>,
): Kysely<LibraryTables> {
  const settings = { connectionString, max: CONNECTIONS_MAX, application_name: applicationName }
  return connectLibrary(settings, (error) => onConnectionLost?.(error))
}

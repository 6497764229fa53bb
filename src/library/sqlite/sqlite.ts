// The embedded engine in one SQLite file of its own. Synchronous is NORMAL and a damaged file is set aside, because all
// of it can be crawled again; accounts, which cannot, live in another file.
import SqliteDatabase from 'better-sqlite3'
import { Kysely } from 'kysely'
import { renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createSqliteDialect } from '../../connections/sqlite-driver.ts'
import { OperatorError } from '../../errors.ts'
import { makeFolder, makePrivateFile } from '../../folders.ts'
import { createIndexingThread } from '../indexing-thread.ts'
import { createLibrary, type Library } from '../page-index.ts'
import { toLibraryError } from '../library-error.ts'
import type { IndexQuery, LibraryTables } from '../schema.ts'
import { createSearchThread } from './search-thread.ts'
import { createSqliteIndex } from './sqlite-index.ts'

const FILE = 'library.sqlite'
const BUSY_MS = 5_000
/** Readers wait only while another process recovers the file after a crash. */
const READER_BUSY_MS = 1_000
/**
 * Raised when builds of before must not open the file any more. A file of an earlier version is brought to this one and
 * nothing of it dropped: somebody added its sites, folders and uploads.
 */
const SCHEMA_VERSION = 2

const SCHEMA = `
  create table if not exists page (
    id integer primary key,
    url text not null unique,
    origin text not null,
    host_key text not null,
    language text,
    dated_on text,
    published_at text,
    updated_at text,
    sitemap_date text,
    title text not null,
    digest text not null,
    text text not null
  );
  -- The filters read this index and never the long rows.
  create index if not exists page_filter on page (id, host_key, language, dated_on);
  create index if not exists page_origin on page (origin);
  -- Contentless: the text stands in page, and only the pairs of CJK runs would differ.
  create virtual table if not exists page_words using fts5 (
    title, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
  );
  create table if not exists site (
    url text primary key, page_limit integer not null, depth_limit integer not null, delay_ms integer not null,
    finished_at text, last_end text, last_ended_at text, refresh_hours integer, due_at text, claimed_until text
  );
  create table if not exists frontier (
    site_url text not null, url text not null, depth integer not null, position integer not null, state text not null,
    sitemap_date text, reason text, primary key (site_url, url)
  ) without rowid;
  create index if not exists frontier_next on frontier (site_url, state, depth, position);
`

/** What tables of an earlier build lack. */
const ADDED_COLUMNS = [
  ['page', 'sitemap_date', 'text'],
  ['site', 'delay_ms', 'integer not null default 500'],
  ['frontier', 'sitemap_date', 'text'],
  ['site', 'last_end', 'text'],
  ['site', 'last_ended_at', 'text'],
  ['site', 'refresh_hours', 'integer'],
  ['site', 'due_at', 'text'],
  ['site', 'claimed_until', 'text'],
  ['frontier', 'reason', 'text'],
] as const

export interface SqliteLibraryOptions {
  dataDir: string
  /** Told when a damaged file was set aside and an empty engine opened in its place. */
  onDamaged?: (setAsidePath: string) => void
}

/**
 * Opens (or makes) `library.sqlite` in `dataDir`. Several processes may have it open. Searches run on a thread, and long pages
 * come into the index on another.
 * @throws {OperatorError} when the place cannot be written, is full, the file stays locked, or a newer build wrote it.
 */
export function openSqliteLibrary({ dataDir, onDamaged }: SqliteLibraryOptions): Library {
  const path = join(dataDir, FILE)
  const writer = openFile(path, onDamaged)
  // From now on a writer waits for another one without keeping the thread that serves.
  writer.pragma('busy_timeout = 0')
  const reader = new SqliteDatabase(path, { readonly: true, timeout: READER_BUSY_MS })
  const dialect = createSqliteDialect({
    reader,
    writer,
    explain: (error) => toLibraryError(error, path),
  })
  const database = new Kysely<LibraryTables>({ dialect })
  const thread = createSearchThread({ path, busyMs: BUSY_MS })
  const indexing = createIndexingThread({ path, busyMs: BUSY_MS })
  const search = (_: unknown, query: IndexQuery) => thread.search(query)
  const index = { ...createSqliteIndex(), search, warmUp: () => thread.warmUp() }
  return createLibrary(database, index, indexing, async () => {
    await Promise.all([thread.close(), indexing.close()])
    await database.destroy()
    // Kysely closes only what it has used.
    for (const file of [reader, writer]) file.close()
  })
}

function openFile(path: string, onDamaged?: (setAsidePath: string) => void): SqliteDatabase.Database {
  try {
    makeFolder(dirname(path), 0o700)
    return openPrepared(path)
  } catch (error) {
    if (!isDamage(error)) throw toLibraryError(error, path)
    const setAside = `${path}.damaged-${Date.now()}`
    renameSync(path, setAside)
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
    onDamaged?.(setAside)
    return openPrepared(path)
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof SqliteDatabase.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/u.test(error.code)

function openPrepared(path: string): SqliteDatabase.Database {
  // Pages of an intranet and uploads are for whoever has a key, not for everybody on this machine.
  makePrivateFile(path)
  const file = new SqliteDatabase(path)
  try {
    file.pragma(`busy_timeout = ${BUSY_MS}`)
    file.pragma('journal_mode = wal')
    file.pragma('synchronous = normal')
    const version = Number(file.pragma('user_version', { simple: true }))
    // Sites and uploads that somebody added would be gone for whoever goes back to the newer build.
    if (version > SCHEMA_VERSION)
      throw new OperatorError(
        `The search index ${path} has version ${version}, this build knows up to ${SCHEMA_VERSION}. Run a newer Verbatim, or move the file away to start with an empty one.`,
      )
    const prepare = file.transaction(() => {
      file.exec(SCHEMA)
      addColumns(file)
      file.pragma(`user_version = ${SCHEMA_VERSION}`)
    })
    prepare.immediate()
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

function addColumns(file: SqliteDatabase.Database): void {
  const has = file.prepare('select 1 from pragma_table_info(?) where name = ?')
  for (const [table, column, type] of ADDED_COLUMNS) {
    if (has.get(table, column) === undefined) file.exec(`alter table ${table} add column ${column} ${type}`)
  }
}

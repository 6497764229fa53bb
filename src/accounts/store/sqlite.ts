// The account store on one machine: a SQLite file in the data folder, readable by its owner alone, every commit on
// the disk before it is answered (WAL, synchronous FULL), but for those of counts.
import SqliteDatabase, { type Database } from 'better-sqlite3'
import { Kysely } from 'kysely'
import { join } from 'node:path'
import { errorCode } from '../../errors.ts'
import { makeFolder, makePrivateFile } from '../../folders.ts'
import { migrate } from './migrations.ts'
import type { AccountTables } from './schema.ts'
import { createSqliteDialect, retryWhileBusy } from '../../connections/sqlite-driver.ts'
import { StoreError } from './store-error.ts'
import type { StoreTransaction } from './schema.ts'
import type { Store } from './store.ts'

const SQLITE_FILE = 'accounts.sqlite'
/** Readers wait only while another process recovers the file after a crash. */
const READER_BUSY_MS = 1_000

/**
 * Opens (or makes) `accounts.sqlite` in `dataDir` and brings it to this build's version.
 * @throws StoreError locked, corrupt, read_only, full or too_new.
 */
export async function openSqlite(dataDir: string): Promise<Store> {
  const path = join(dataDir, SQLITE_FILE)
  const explain = (error: unknown): unknown => explainSqlite(error, path)
  const handles: Database[] = []
  try {
    makeFolder(dataDir, 0o700)
    makePrivateFile(path)
    const open = async (busyMs: number): Promise<Database> => {
      const handle = await retryWhileBusy(() => openHandle(path, busyMs))
      handles.push(handle)
      return handle
    }
    const writer = await open(0)
    const reader = await open(READER_BUSY_MS)
    reader.pragma('query_only = on')
    const counter = await open(0)
    // Only what it commits itself may be lost: a commit of the other writer takes all before it to the disk.
    counter.pragma('synchronous = normal')
    const database = new Kysely<AccountTables>({ dialect: createSqliteDialect({ reader, writer, explain }) })
    const counts = new Kysely<AccountTables>({
      dialect: createSqliteDialect({ reader, writer: counter, explain }),
    })
    await database.transaction().execute((transaction) => migrate(transaction))
    return createStore({ database, counts, counter, path })
  } catch (error) {
    for (const handle of handles) handle.close()
    throw explain(error)
  }
}

interface OpenParts {
  database: Kysely<AccountTables>
  /** The same file, by a handle of its own. */
  counts: Kysely<AccountTables>
  counter: Database
  path: string
}

function createStore({ database, counts, counter, path }: OpenParts): Store {
  return {
    kind: 'sqlite',
    path,
    database,
    read: (query) => query(),
    exclusively: <T>(work: (transaction: StoreTransaction) => Promise<T>) =>
      database.transaction().execute(work),
    loosely: <T>(work: (transaction: StoreTransaction) => Promise<T>) => counts.transaction().execute(work),
    async ping() {
      await database.selectFrom('api_keys').select('id').limit(1).execute()
    },
    async close() {
      await counts.destroy()
      // What nobody counted with was never opened in Kysely's eyes, which leaves it open.
      counter.close()
      await database.destroy()
    },
  }
}

function openHandle(path: string, busyMs: number): Database {
  const handle = new SqliteDatabase(path, { timeout: busyMs })
  try {
    handle.pragma('journal_mode = wal')
    handle.pragma('synchronous = full')
    handle.pragma('foreign_keys = on')
    handle.pragma('trusted_schema = off')
    return handle
  } catch (error) {
    handle.close()
    throw error
  }
}

function explainSqlite(error: unknown, path: string): unknown {
  if (error instanceof StoreError) return error
  const code = errorCode(error)
  if (/^SQLITE_(BUSY|LOCKED)/u.test(code)) {
    return new StoreError(
      'locked',
      `The account store ${path} is locked by another process. Close what holds it open for writing and try again.`,
      error,
    )
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/u.test(code)) {
    return new StoreError(
      'corrupt',
      `The account store ${path} is damaged. Restore it from a backup, or move it away to start with an empty one.`,
      error,
    )
  }
  if (/^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EPERM|EROFS|EEXIST|ENOENT|ENOTDIR|EISDIR)/u.test(code)) {
    return new StoreError(
      'read_only',
      `The account store ${path} cannot be written. Check the owner and mode of the file and its folder, and that the file system is neither full nor mounted read-only.`,
      error,
    )
  }
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/u.test(code)) {
    return new StoreError('full', `The disk that holds the account store ${path} is full.`, error)
  }
  return error
}

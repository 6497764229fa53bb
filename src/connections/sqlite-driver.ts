// A Kysely driver over two handles of one SQLite file in WAL mode. Kysely's own has a single handle: there a search's
// key look-up would queue behind a write that waits for another process. Here reads never wait, and a writer that
// finds the file locked waits without blocking the thread.
import type { Database, Statement } from 'better-sqlite3'
import {
  SelectQueryNode,
  type CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../errors.ts'

const BUSY_WAIT_MS = 5_000
const BUSY_PAUSE_MS = { min: 2, max: 25 }
/** Statements kept prepared on each handle: preparing takes 19 µs, the look-up of a key 5. Far more than there are. */
const STATEMENTS_MAX = 200

interface Handles {
  reader: Database
  writer: Database
  /** Turns an error of SQLite into what the caller shall see. */
  explain: (error: unknown) => unknown
}

/** The dialect for two open handles; closing the Kysely instance closes both. */
export function createSqliteDialect(handles: Handles): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(handles),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Runs `work` again while SQLite says that another process holds the lock, for at most five seconds. */
export async function retryWhileBusy<T>(work: () => T): Promise<T> {
  const deadline = performance.now() + BUSY_WAIT_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!errorCode(error).startsWith('SQLITE_BUSY') || performance.now() >= deadline) throw error
    }
    await sleep(BUSY_PAUSE_MS.min + Math.random() * (BUSY_PAUSE_MS.max - BUSY_PAUSE_MS.min))
  }
}

function createDriver({ reader, writer, explain }: Handles): Driver {
  const lock = createLock()
  const read = createRunner(reader)
  const write = createRunner(writer)
  /** Connections inside a transaction, with what gives the writer back. */
  const transactions = new Map<DatabaseConnection, () => void>()

  const execute = async <R>(
    connection: DatabaseConnection,
    query: CompiledQuery,
  ): Promise<QueryResult<R>> => {
    try {
      if (transactions.has(connection)) return write<R>(query)
      if (SelectQueryNode.is(query.query)) return read<R>(query)
      return await lock.hold(() => retryWhileBusy(() => write<R>(query)))
    } catch (error) {
      throw explain(error)
    }
  }
  const finish = (connection: DatabaseConnection): void => {
    transactions.get(connection)?.()
    transactions.delete(connection)
  }

  return {
    init: async () => {},
    acquireConnection: async () => createConnection(execute),
    async beginTransaction(connection) {
      const release = await lock.acquire()
      try {
        // Immediate: a transaction that first reads and then writes must not lose its turn in between.
        await retryWhileBusy(() => writer.exec('begin immediate'))
        transactions.set(connection, release)
      } catch (error) {
        release()
        throw explain(error)
      }
    },
    async commitTransaction(connection) {
      try {
        writer.exec('commit')
      } catch (error) {
        // Kysely answers with a rollback, which gives the writer back.
        throw explain(error)
      }
      finish(connection)
    },
    async rollbackTransaction(connection) {
      try {
        // SQLite has already rolled back by itself after some errors, a full disk among them.
        if (transactions.has(connection) && writer.inTransaction) writer.exec('rollback')
      } finally {
        finish(connection)
      }
    },
    releaseConnection: async () => {},
    async destroy() {
      reader.close()
      writer.close()
    },
  }
}

function createConnection(
  execute: <R>(connection: DatabaseConnection, query: CompiledQuery) => Promise<QueryResult<R>>,
): DatabaseConnection {
  const connection: DatabaseConnection = {
    executeQuery: (query) => execute(connection, query),
    streamQuery() {
      throw new Error('Rows of SQLite are not streamed here.')
    },
  }
  return connection
}

type Run = <R>(query: CompiledQuery) => QueryResult<R>

/** Runs queries on a handle. SQLite itself prepares a statement anew when the schema has changed. */
function createRunner(handle: Database): Run {
  // Rows of `never` pass for the R that Kysely derives from the query.
  const prepared = new LRUCache<string, Statement<unknown[], never>>({
    max: STATEMENTS_MAX,
    memoMethod: (sql) => handle.prepare<unknown[], never>(sql),
  })
  return <R>({ sql, parameters }: CompiledQuery): QueryResult<R> => {
    const statement = prepared.memo(sql)
    if (statement.reader) return { rows: statement.all(...parameters) }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

/** Lets one holder in at a time, in order of asking. */
function createLock() {
  const waiting: (() => void)[] = []
  let isHeld = false
  const release = (): void => {
    const next = waiting.shift()
    if (next === undefined) isHeld = false
    else next()
  }
  const acquire = async (): Promise<() => void> => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
    isHeld = true
    return release
  }
  return {
    acquire,
    async hold<T>(work: () => Promise<T>): Promise<T> {
      await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

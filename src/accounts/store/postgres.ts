// The account store of many machines: PostgreSQL behind a pool that outlives restarts of the server.
import { Kysely, PostgresDialect, sql } from 'kysely'
import { types, type PoolConfig } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionsOf, openPostgresPool } from '../../connections/postgres.ts'
import type { Logger } from '../../telemetry/log.ts'
import { migrate } from './migrations.ts'
import type { AccountTables } from './schema.ts'
import { errorCode, StoreError } from './store-error.ts'
import type { Store, StoreOptions } from './store.ts'

const CONNECTIONS_MAX = 10
const STATEMENT_MS = 5_000
/** Beyond the server's own limit, for a server that no longer speaks at all. */
const QUERY_MS = 6_000
const OPEN_MS = 30_000
const READ_RETRY_MS = 6_000
const RETRY_PAUSE_MS = { first: 50, most: 1_000 }
/** Any fixed number: the advisory lock under which processes migrate and decide things once. */
const EXCLUSIVE_LOCK = 8_613_245_001
/** Wire types that PostgreSQL sends as text and we hold as numbers: bigint and numeric. All of ours stay below 2^53. */
const NUMBER_TYPES = new Set([20, 1700])

/**
 * Connects, trying for `connectTimeoutMs` while the server is down or starting, and migrates.
 * @throws StoreError unreachable, refused (user, password, database) or too_new.
 */
export async function openPostgres(databaseUrl: string, options: StoreOptions): Promise<Store> {
  const place = describePlace(databaseUrl)
  const settings: PoolConfig = {
    connectionString: databaseUrl,
    max: CONNECTIONS_MAX,
    statement_timeout: STATEMENT_MS,
    query_timeout: QUERY_MS,
    application_name: 'verbatim',
    types: {
      getTypeParser: (...[oid, format]: Parameters<typeof types.getTypeParser>) =>
        NUMBER_TYPES.has(oid) ? Number : types.getTypeParser(oid, format),
    },
  }
  const pool = openPostgresPool(settings, (error) =>
    options.log.warn({ err: error }, 'an idle PostgreSQL connection broke'),
  )
  const database = new Kysely<AccountTables>({ dialect: new PostgresDialect({ pool: connectionsOf(pool) }) })
  const store = createStore(database)
  try {
    await waitForServer(() => store.ping(), place, options.log, options.connectTimeoutMs ?? OPEN_MS)
    await migrateWithoutHaste(settings, options.log)
    return store
  } catch (error) {
    await database.destroy()
    throw error
  }
}

/** Steps may rewrite tables of millions of rows, and wait for another process that does: no limit of a request fits. */
async function migrateWithoutHaste(settings: PoolConfig, log: Logger): Promise<void> {
  const { statement_timeout: _statement, query_timeout: _query, ...patient } = settings
  const pool = openPostgresPool({ ...patient, max: 1 }, (error) =>
    log.warn({ err: error }, 'the connection that migrates broke'),
  )
  const store = createStore(
    new Kysely<AccountTables>({ dialect: new PostgresDialect({ pool: connectionsOf(pool) }) }),
  )
  try {
    await store.exclusively((transaction) => migrate(transaction))
  } finally {
    await store.close()
  }
}

function createStore(database: Kysely<AccountTables>): Store {
  return {
    kind: 'postgres',
    path: null,
    database,
    read: (query) => retryReads(query),
    exclusively: (work) =>
      database.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${EXCLUSIVE_LOCK})`.execute(transaction)
        return work(transaction)
      }),
    async ping() {
      await sql`select 1`.execute(database)
    },
    close: () => database.destroy(),
  }
}

async function waitForServer(
  ping: () => Promise<void>,
  place: string,
  log: Logger,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let pauseMs = RETRY_PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, RETRY_PAUSE_MS.most)) {
    try {
      return await ping()
    } catch (error) {
      if (!isBroken(error)) throw explainRefusal(error, place)
      if (Date.now() + pauseMs >= deadline) {
        throw new StoreError(
          'unreachable',
          `PostgreSQL at ${place} did not answer within ${timeoutMs / 1_000} s. Check DATABASE_URL and that the server runs.`,
          error,
        )
      }
      log.info({ code: errorCode(error), pauseMs }, `waiting for PostgreSQL at ${place}`)
    }
    await sleep(pauseMs)
  }
}

/** A read may safely run twice, so a server that restarts costs a request time, not an error. */
async function retryReads<T>(query: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + READ_RETRY_MS
  for (let pauseMs = RETRY_PAUSE_MS.first; ; pauseMs *= 2) {
    try {
      return await query()
    } catch (error) {
      if (!isBroken(error) || Date.now() + pauseMs >= deadline) throw error
    }
    await sleep(pauseMs)
  }
}

/** Whether the error means that the connection or the server went away, rather than that the query was wrong. */
function isBroken(error: unknown): boolean {
  const code = errorCode(error)
  // 08: connection exception; 57P01–57P03: shutting down, crashed, starting; 53300: too many connections.
  if (
    /^(08...|57P0[123]|53300|E(CONNRESET|CONNREFUSED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/u.test(
      code,
    )
  ) {
    return true
  }
  // pg gives these two no code.
  return (
    error instanceof Error &&
    /connection terminated|timeout exceeded when trying to connect/iu.test(error.message)
  )
}

function explainRefusal(error: unknown, place: string): unknown {
  const code = errorCode(error)
  if (code.startsWith('28'))
    return new StoreError(
      'refused',
      `PostgreSQL at ${place} refused the user or the password of DATABASE_URL.`,
      error,
    )
  if (code === '3D000')
    return new StoreError(
      'refused',
      `PostgreSQL at ${place} has no such database. Create it, or correct DATABASE_URL.`,
      error,
    )
  return error
}

/** Host, port and database of the address, without user and password. */
function describePlace(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl))
    throw new StoreError(
      'refused',
      'DATABASE_URL is no address such as postgres://user:password@host:5432/verbatim.',
    )
  const url = new URL(databaseUrl)
  return `${url.hostname === '' ? 'localhost' : url.hostname}:${url.port === '' ? '5432' : url.port}${url.pathname}`
}

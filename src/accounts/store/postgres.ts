// The account store of many machines: PostgreSQL behind a pool that outlives restarts of the server.
import { Kysely, PostgresDialect, sql } from 'kysely'
import { types } from 'pg'
import { connectionsOf, openPostgresPool, type PostgresSettings } from '../../connections/postgres.ts'
import { waitForPostgres } from '../../connections/postgres-start.ts'
import type { Logger } from '../../telemetry/log.ts'
import { migrate } from './migrations.ts'
import { createPatientReads } from './patient-reads.ts'
import type { AccountTables } from './schema.ts'
import type { Store, StoreOptions } from './store.ts'

const CONNECTIONS_MAX = 10
const STATEMENT_MS = 5_000
/** Beyond the server's own limit, for a server that no longer speaks at all. */
const QUERY_MS = 6_000
/** Any fixed number: the advisory lock under which processes migrate and decide things once. */
const EXCLUSIVE_LOCK = 8_613_245_001
/** Wire types that PostgreSQL sends as text and we hold as numbers: bigint and numeric. All of ours stay below 2^53. */
const NUMBER_TYPES = new Set([20, 1700])

/**
 * Connects, waiting while the server is down or starting, and migrates.
 * @throws {PostgresError} when it cannot be used as it is; StoreError too_new.
 */
export async function openPostgres(databaseUrl: string, options: StoreOptions): Promise<Store> {
  const settings: PostgresSettings = {
    connectionString: databaseUrl,
    max: CONNECTIONS_MAX,
    statement_timeout: STATEMENT_MS,
    queryMs: QUERY_MS,
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
  const store = createStore(database, options.log)
  try {
    await waitForPostgres(() => store.ping(), databaseUrl, {
      onWait: (message, detail) => options.log.warn(detail, message),
      ...options.wait,
    })
    await migrateWithoutHaste(settings, options.log)
    return store
  } catch (error) {
    await database.destroy()
    throw error
  }
}

/** Steps may rewrite tables of millions of rows, and wait for another process that does: no limit of a request fits. */
async function migrateWithoutHaste(settings: PostgresSettings, log: Logger): Promise<void> {
  const { statement_timeout: _statement, ...patient } = settings
  const pool = openPostgresPool({ ...patient, queryMs: null, max: 1 }, (error) =>
    log.warn({ err: error }, 'the connection that migrates broke'),
  )
  const store = createStore(
    new Kysely<AccountTables>({ dialect: new PostgresDialect({ pool: connectionsOf(pool) }) }),
    log,
  )
  try {
    await store.exclusively((transaction) => migrate(transaction))
  } finally {
    await store.close()
  }
}

function createStore(database: Kysely<AccountTables>, log: Logger): Store {
  return {
    kind: 'postgres',
    path: null,
    database,
    read: createPatientReads(log),
    exclusively: (work) =>
      database.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${EXCLUSIVE_LOCK})`.execute(transaction)
        return work(transaction)
      }),
    loosely: (work) => database.transaction().execute(work),
    async ping() {
      await sql`select 1`.execute(database)
    },
    close: () => database.destroy(),
  }
}

// The account store: SQLite in the data folder, or PostgreSQL for many machines, behind one query layer. It opens,
// migrates, says in plain words what is wrong, and closes; what the rows mean is said by the files beside it.
import type { Kysely, Transaction } from 'kysely'
import type { Logger } from '../../telemetry/telemetry.ts'
import { openPostgres } from './postgres.ts'
import type { AccountTables } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export type StoreLocation = { dataDir: string } | { databaseUrl: string }
export type StoreDatabase = Kysely<AccountTables>
export type StoreTransaction = Transaction<AccountTables>

export interface StoreOptions {
  /** How long to keep trying to reach a PostgreSQL that is down. Default 30 s. */
  connectTimeoutMs?: number
  log: Logger
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** For rooms of accounts/ alone. */
  readonly database: StoreDatabase
  /** Runs a read again, for at most 3 s, when it failed because the connection broke. */
  read<T>(query: () => Promise<T>): Promise<T>
  /** Runs `work` in a transaction that no other process's exclusive transaction overlaps. */
  exclusively<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T>
  /** @throws StoreError when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the store and brings it to this build's version.
 * @throws StoreError with a message for the operator: unreachable, locked, corrupt, read-only, full, too new.
 */
export async function openStore(location: StoreLocation, options: StoreOptions): Promise<Store> {
  return 'databaseUrl' in location
    ? openPostgres(location.databaseUrl, options)
    : openSqlite(location.dataDir)
}

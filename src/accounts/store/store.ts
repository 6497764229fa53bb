// What an account store is, whichever database is behind it; what the rows mean is said by the rooms beside this one.
import type { PostgresWait } from '../../connections/postgres-start.ts'
import type { Logger } from '../../telemetry/log.ts'
import type { StoreDatabase, StoreTransaction } from './schema.ts'

export type StoreLocation = { dataDir: string } | { databaseUrl: string }

export interface StoreOptions {
  /** How a PostgreSQL that is down is waited for; by default for 30 s, told in the log. */
  wait?: PostgresWait
  log: Logger
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** The SQLite file, for what reads it on a thread of its own; null for PostgreSQL. */
  readonly path: string | null
  /** For rooms of accounts/ alone. */
  readonly database: StoreDatabase
  /**
   * Runs a read, again for at most 3 s where the connection to PostgreSQL broke.
   * @throws StoreError (unreachable) when PostgreSQL does not answer in time: 3 s, or 1 s while it is known to be away.
   */
  read<T>(query: () => Promise<T>): Promise<T>
  /** Runs `work` in a transaction that no other process's exclusive transaction overlaps. */
  exclusively<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T>
  /**
   * Runs `work` in a transaction for counts and the like, of which the machine may lose the last seconds with its power:
   * nobody waits for a disk then, above all not the thread that serves.
   */
  loosely<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T>
  /** @throws StoreError when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

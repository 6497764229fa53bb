// Opens the account store where the operator chose it to be: SQLite in the data folder, or PostgreSQL for many machines.
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Store, StoreLocation, StoreOptions } from './store.ts'

/**
 * Opens the store and brings it to this build's version.
 * @throws {OperatorError} with what is wrong: a StoreError, or the PostgresError of a server that cannot be used.
 */
export async function openStore(location: StoreLocation, options: StoreOptions): Promise<Store> {
  return 'databaseUrl' in location
    ? openPostgres(location.databaseUrl, options)
    : openSqlite(location.dataDir)
}

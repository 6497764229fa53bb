// Runs a suite over every kind of account store: a SQLite file in a temporary folder and a real PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe } from 'vitest'
import { openStore } from '../../src/accounts/store/open-store.ts'
import type { Store, StoreLocation } from '../../src/accounts/store/store.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { hasPostgres } from '../support/postgres.ts'
import { createDatabase } from '../support/suite-postgres.ts'

export const silent = createLogger('silent')

export interface OpenedStore {
  /** The store opened for this test; closed after it. */
  store: Store
  /** Where it lies, for tests that open it once more. */
  location: StoreLocation
}

/** A database with the tables of a store, made once in each process: copying it is quicker than making them again. */
let template: Promise<string> | null = null
async function makeTemplate(): Promise<string> {
  const databaseUrl = await createDatabase()
  await (await openStore({ databaseUrl }, { log: silent })).close()
  return databaseUrl
}

/** Declares `suite` once per kind of store. `current()` gives the fresh, empty store of the running test. */
export function describeEachStore(name: string, suite: (current: () => OpenedStore) => void): void {
  describe(`${name} (SQLite)`, () => {
    let folder = ''
    suite(
      eachTest(
        async () => {
          folder = mkdtempSync(join(tmpdir(), 'verbatim-store-'))
          return { dataDir: folder }
        },
        () => rmSync(folder, { recursive: true, force: true }),
      ),
    )
  })
  describe.skipIf(!hasPostgres)(`${name} (PostgreSQL)`, () => {
    suite(eachTest(async () => ({ databaseUrl: await createDatabase(await (template ??= makeTemplate())) })))
  })
}

function eachTest(locate: () => Promise<StoreLocation>, remove: () => void = () => {}): () => OpenedStore {
  let opened: OpenedStore | null = null
  beforeEach(async () => {
    const location = await locate()
    opened = { location, store: await openStore(location, { log: silent }) }
  })
  afterEach(async () => {
    await opened?.store.close()
    remove()
  })
  return () => {
    if (opened === null) throw new Error('only inside a test')
    return opened
  }
}

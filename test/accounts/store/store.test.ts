import SqliteDatabase from 'better-sqlite3'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prepareFirstRun } from '../../../src/accounts/first-run.ts'
import { openKeys } from '../../../src/accounts/keys/keys.ts'
import { sql } from 'kysely'
import type { StoreDatabase, StoreTransaction } from '../../../src/accounts/store/schema.ts'
import { openStore } from '../../../src/accounts/store/open-store.ts'
import { bucketLatency } from '../../../src/accounts/usage/latency-histogram.ts'
import { createReports } from '../../../src/accounts/reports/open-reports.ts'
import { openUsage } from '../../../src/accounts/usage/usage.ts'
import { bundleProgram } from '../../support/bundled-program.ts'
import { freePort } from '../../support/programs.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { describeEachStore, silent } from '../each-store.ts'

const run = promisify(execFile)
const WORKER = await bundleProgram(join(import.meta.dirname, 'store-worker.mjs'))
const workerArguments = (location: object, action: string): string[] => [
  WORKER,
  JSON.stringify(location),
  action,
]

/** What the steps made that came after keys had scopes. */
const TABLES_SINCE_SCOPES = [
  'usage_total_days',
  'usage_total_day_latencies',
  'activity_hours',
  'activity_days',
  'request_log',
  'audit_log',
  'first_run_keys',
]

/** Takes the tables away, and the columns that were added since keys had scopes. */
async function undoSteps(database: StoreDatabase, tables: readonly string[]): Promise<void> {
  await sql`alter table users drop column last_seen_at`.execute(database)
  await sql`alter table api_keys drop column last_used_client`.execute(database)
  for (const table of tables) await sql`drop table ${sql.table(table)}`.execute(database)
}

describeEachStore('a store of the build before usage had days', (current) => {
  it('opens, with the usage of every key: all days, and the hours of the last ninety', async () => {
    const { store, location } = current()
    const { database } = store
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000
    const longAgo = hour - 200 * 86_400_000
    await undoSteps(database, [
      'usage_hours',
      'usage_latencies',
      'usage_days',
      'usage_day_latencies',
      'sent_forms',
      ...TABLES_SINCE_SCOPES,
    ])
    await sql`create table usage_hours (key_id text not null, hour_at bigint not null, requests bigint not null,
      client_errors bigint not null, rate_limited bigint not null, server_errors bigint not null, snippets bigint not null,
      constraint usage_hours_key primary key (key_id, hour_at))`.execute(database)
    await sql`create table usage_latencies (key_id text not null, hour_at bigint not null, bucket integer not null,
      requests bigint not null, constraint usage_latencies_key primary key (key_id, hour_at, bucket))`.execute(
      database,
    )
    for (const column of ['scopes', 'is_path_token'])
      await sql`alter table api_keys drop column ${sql.ref(column)}`.execute(database)
    await sql`delete from store_versions where version > 4`.execute(database)
    for (const at of [longAgo, longAgo + 3_600_000, hour]) {
      await sql`insert into usage_hours values ('key_a', ${at}, 10, 1, 2, 3, 30)`.execute(database)
      await sql`insert into usage_latencies values ('key_a', ${at}, 8, 4)`.execute(database)
    }

    const migrated = await openStore(location, { log: silent })
    const reports = createReports(migrated)
    const usage = openUsage({ store: migrated, reports, log: silent })
    try {
      const days = await usage.periods({ from: new Date(longAgo), to: new Date(hour + 1), unit: 'day' })
      const used = days.filter(({ requests }) => requests > 0)
      expect(used.reduce((sum, { requests }) => sum + requests, 0)).toBe(30)
      expect(used.at(-1)).toMatchObject({ requests: 10, clientErrors: 1, rateLimited: 2, serverErrors: 3 })
      expect(used.every(({ latencyP50Ms }) => latencyP50Ms === bucketLatency(8))).toBe(true)
      expect(await usage.requestsSince(new Date(longAgo))).toEqual(new Map([['key_a', 10]]))
      usage.count('key_a', { status: 200, latencyMs: 4, snippets: 1 })
      await usage.flush()
      expect(await usage.requestsSince(new Date(longAgo))).toEqual(new Map([['key_a', 11]]))
    } finally {
      await usage.close()
      await reports.close()
      await migrated.close()
    }
  })
})

describeEachStore('a store of the build before keys had scopes', (current) => {
  it('opens, and its keys may do what they could', async () => {
    const { store, location } = current()
    const { database } = store
    const before = openKeys({ store, log: silent })
    const { key } = await before.create({ name: 'old', ownerId: null, scopes: ['metrics'] })
    await before.close()
    for (const column of ['scopes', 'is_path_token'])
      await sql`alter table api_keys drop column ${sql.ref(column)}`.execute(database)
    await undoSteps(database, TABLES_SINCE_SCOPES)
    await sql`delete from store_versions where version > 6`.execute(database)

    const migrated = await openStore(location, { log: silent })
    const keys = openKeys({ store: migrated, log: silent })
    const scopes = ['search', 'read', 'rerank', 'verify']
    expect(await keys.verify(key)).toMatchObject({ scopes, isPathToken: false })
    await keys.close()
    await migrated.close()
  })
})

describeEachStore('a store', (current) => {
  it('can be opened by several processes at once; exactly one of them makes the first key', async () => {
    const { store, location } = current()
    const args = workerArguments(location, 'first-run')
    const processes = await Promise.all([0, 1, 2, 3].map(() => run(process.execPath, args)))
    const printed = processes.map(({ stdout }) => stdout.trim()).filter((line) => line !== 'none')
    expect(printed).toHaveLength(1)
    const keys = openKeys({ store, log: silent })
    expect(await keys.verify(printed[0])).not.toBeNull()
    await keys.close()
  })

  it('gets a first key and an admin invitation once, and none when there is a key already', async () => {
    const { store } = current()
    const first = await prepareFirstRun(store)
    expect(first).toMatchObject({
      key: expect.stringMatching(/^vbt_/u),
      invitationToken: expect.stringMatching(/^vbi_/u),
    })
    await first?.confirmShown()
    expect(await prepareFirstRun(store)).toBeNull()
    const invitations = await store.database.selectFrom('invitations').selectAll().execute()
    expect(invitations).toMatchObject([{ is_admin: 1, accepted_at: null }])
  })

  it('gets another first key where nobody was shown the one before, which holds too', async () => {
    const { store } = current()
    const unshown = await prepareFirstRun(store)
    const again = await prepareFirstRun(store)
    await again?.confirmShown()
    expect(await prepareFirstRun(store)).toBeNull()
    const keys = openKeys({ store, log: silent })
    const verified = await Promise.all([unshown, again].map((first) => keys.verify(first?.key ?? '')))
    expect(verified).toEqual([expect.anything(), expect.anything()])
    expect(again?.key).not.toBe(unshown?.key)
    await keys.close()
  })

  it('gets no other first key where somebody made a key meanwhile', async () => {
    const { store } = current()
    await prepareFirstRun(store)
    const keys = openKeys({ store, log: silent })
    await keys.create({ name: 'by hand', ownerId: null })
    expect(await prepareFirstRun(store)).toBeNull()
    await keys.close()
  })

  it('undoes a transaction that fails', async () => {
    const { store } = current()
    const failing = store.exclusively(async (transaction) => {
      await transaction
        .insertInto('key_events')
        .values({
          id: 'event_x',
          key_id: 'key_of_nobody',
          event: 'created',
          by_user_id: null,
          occurred_at: 0,
        })
        .execute()
    })
    await expect(failing).rejects.toThrow(/foreign key/iu)
    expect(await store.database.selectFrom('key_events').selectAll().execute()).toEqual([])
    await store.ping()
  })

  it('is as it was before when a step towards this version fails, and that is told in one sentence', async () => {
    const { store, location } = current()
    const { database } = store
    await undoSteps(database, ['audit_log'])
    await sql`delete from store_versions where version > 9`.execute(database)
    // The last step finds a table where it would make one; the step before it makes the audit log anew.
    await expect(openStore(location, { log: silent })).rejects.toMatchObject({
      name: 'StoreError',
      trouble: 'unmigrated',
      message: expect.stringMatching(/from version 9 to \d+\. It was left as it was.*first_run_keys/u),
    })
    await expect(sql`select count(*) from audit_log`.execute(database)).rejects.toThrow(/audit_log/u)
    const { rows } = await sql<{
      version: number
    }>`select max(version) as version from store_versions`.execute(database)
    expect(rows).toEqual([{ version: 9 }])
    await store.ping()
  })

  it('refuses a database in which something else keeps tables of its names, and changes none of them', async () => {
    const { store, location } = current()
    const { database } = store
    await sql`delete from store_versions`.execute(database)
    await expect(openStore(location, { log: silent })).rejects.toMatchObject({
      trouble: 'unmigrated',
      message: expect.stringMatching(/cannot be made.*nothing else keeps its tables in \(step 1: .*users/u),
    })
    await store.ping()
  })

  it('refuses to work on what a newer version has written', async () => {
    const { store, location } = current()
    await store.database.schema.alterTable('store_versions').addColumn('note', 'text').execute()
    await store.exclusively((transaction) =>
      transaction
        .withTables<{ store_versions: { version: number; applied_at: number } }>()
        .insertInto('store_versions')
        .values({ version: 999, applied_at: 0 })
        .execute(),
    )
    await expect(openStore(location, { log: silent })).rejects.toMatchObject({ trouble: 'too_new' })
  })
})

describe('a SQLite store', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'verbatim-store-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))
  const open = () => openStore({ dataDir }, { log: silent })
  const file = () => join(dataDir, 'accounts.sqlite')

  it('can be created by several processes at once', async () => {
    const args = workerArguments({ dataDir }, 'first-run')
    const processes = await Promise.all([0, 1, 2, 3].map(() => run(process.execPath, args)))
    expect(processes.filter(({ stdout }) => stdout.startsWith('vbt_'))).toHaveLength(1)
  })

  it('is readable by its owner alone', async () => {
    const inner = join(dataDir, 'data')
    const store = await openStore({ dataDir: inner }, { log: silent })
    await store.exclusively(async (transaction) => transaction.deleteFrom('sessions').execute())
    expect(statSync(inner).mode & 0o777).toBe(0o700)
    for (const name of ['accounts.sqlite', 'accounts.sqlite-wal', 'accounts.sqlite-shm']) {
      expect(statSync(join(inner, name)).mode & 0o777).toBe(0o600)
    }
    await store.close()
  })

  it('waits for the disk before it answers, but for counts', async () => {
    const store = await open()
    const [full, normal] = [2, 1]
    const waits = (transaction: StoreTransaction) =>
      sql<{ synchronous: number }>`pragma synchronous`.execute(transaction)
    expect((await store.exclusively(waits)).rows).toEqual([{ synchronous: full }])
    expect((await store.loosely(waits)).rows).toEqual([{ synchronous: normal }])
    await store.close()
  })

  it('answers key look-ups at once while another process holds the write lock, and writes when it is free', async () => {
    const store = await open()
    const keys = openKeys({ store, log: silent })
    const { key } = await keys.create({ name: 'k', ownerId: null })
    const other = new SqliteDatabase(file())
    other.exec('begin immediate')
    const done: string[] = []
    const creating = keys.create({ name: 'waits', ownerId: null }).then(() => done.push('written'))
    await sleep(100)
    expect(await keys.verify(key)).not.toBeNull()
    done.push('read')
    other.exec('rollback')
    await creating
    expect(done).toEqual(['read', 'written'])
    other.close()
    await keys.close()
    await store.close()
  })

  it('that another process keeps locked is named as locked', async () => {
    await (await open()).close()
    const other = new SqliteDatabase(file())
    other.exec('begin immediate')
    await expect(open()).rejects.toMatchObject({
      trouble: 'locked',
      message: expect.stringContaining(file()),
    })
    other.close()
  })

  it('that is no database is named as damaged', async () => {
    writeFileSync(file(), 'This is no database. '.repeat(500))
    await expect(open()).rejects.toMatchObject({ trouble: 'corrupt' })
  })

  it('in a place that cannot be written is named as such', async () => {
    writeFileSync(join(dataDir, 'data'), 'a file where the folder should be')
    const opening = openStore({ dataDir: join(dataDir, 'data') }, { log: silent })
    await expect(opening).rejects.toMatchObject({ trouble: 'read_only' })
  })
})

/** Mounting a small or read-only file system needs root and its own mount namespace. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

describe.skipIf(!canMount)('a SQLite store on a bad disk', () => {
  const inMount = async (size: string, prepare: string, action: string): Promise<string> => {
    const folder = mkdtempSync(join(tmpdir(), 'verbatim-mount-'))
    const args = [process.execPath, ...workerArguments({ dataDir: folder }, action)]
    const script = `mount -t tmpfs -o size=${size} none "$0" && ${prepare} && exec "$@"`
    const { stdout } = await run('unshare', ['-m', 'sh', '-c', script, folder, ...args])
    rmSync(folder, { recursive: true, force: true })
    return stdout.trim()
  }

  it('that is full refuses writes, still reads, and works again once there is room', async () => {
    const prepare = 'dd if=/dev/zero of="$0/filler" bs=1k count=600 status=none'
    expect((await inMount('1100k', prepare, 'fill')).split('\n')).toEqual([
      'full',
      'readable',
      'writable again',
    ])
  })

  it('that is full from the start is named as full', async () => {
    const prepare = '{ dd if=/dev/zero of="$0/filler" bs=1k status=none; true; } 2>&-'
    expect(await inMount('100k', prepare, 'open')).toBe('trouble: full')
  })

  it('that is mounted read-only is named as such', async () => {
    expect(await inMount('1m', 'mount -o remount,ro "$0"', 'open')).toBe('trouble: read_only')
  })
})

describe.skipIf(!hasPostgres)('a PostgreSQL store', () => {
  let server: PostgresServer
  let databaseUrl: string
  beforeAll(async () => {
    server = await startPostgres()
    databaseUrl = await server.createDatabase()
  })
  afterAll(() => server.stop())

  it('works on after the server was restarted or killed, without being opened again', async () => {
    const store = await openStore({ databaseUrl }, { log: silent })
    const keys = openKeys({ store, log: silent })
    const { key } = await keys.create({ name: 'k', ownerId: null })
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      await server.kill(signal)
      await server.start()
      expect(await keys.verify(key)).not.toBeNull()
      await keys.create({ name: signal, ownerId: null })
    }
    await keys.close()
    await store.close()
  })

  it('fails a transaction whose connection breaks between two statements, and nothing else', async () => {
    const store = await openStore({ databaseUrl }, { log: silent })
    const broken = store.database.transaction().execute(async (transaction) => {
      await transaction.selectFrom('users').select('id').execute()
      await server.kill()
      await server.start()
      await transaction.selectFrom('users').select('id').execute()
    })
    await expect(broken).rejects.toThrow()
    await expect(store.ping()).resolves.toBeUndefined()
    await store.close()
  })

  it('can be created by several processes at once', async () => {
    const args = workerArguments({ databaseUrl: await server.createDatabase() }, 'first-run')
    const processes = await Promise.all([0, 1, 2, 3].map(() => run(process.execPath, args)))
    expect(processes.filter(({ stdout }) => stdout.startsWith('vbt_'))).toHaveLength(1)
  })

  it('is waited for while the server starts', async () => {
    await server.kill()
    const opening = openStore({ databaseUrl }, { log: silent })
    await sleep(200)
    await server.start()
    const store = await opening
    await expect(store.ping()).resolves.toBeUndefined()
    await store.close()
  })

  it('that cannot be reached is named as such, without the password', async () => {
    const url = `postgres://someone:hunter2secret@127.0.0.1:${await freePort()}/verbatim`
    const opening = openStore({ databaseUrl: url }, { log: silent, wait: { connectTimeoutMs: 300 } })
    await expect(opening).rejects.toMatchObject({ trouble: 'unreachable' })
    await expect(opening).rejects.not.toThrow('hunter2secret')
  })

  it('that has no such database or is no address is refused at once', async () => {
    const missing = databaseUrl.replace(/[^/]+$/u, 'missing')
    for (const url of [missing, 'nonsense']) {
      await expect(openStore({ databaseUrl: url }, { log: silent })).rejects.toMatchObject({
        trouble: 'refused',
      })
    }
  })
})

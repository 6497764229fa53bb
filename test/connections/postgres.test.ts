import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionsOf, openPostgresPool } from '../../src/connections/postgres.ts'
import { PostgresError } from '../../src/connections/postgres-error.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { hasPostgres, query, startPostgres, type PostgresServer } from '../support/postgres.ts'

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  let server: PostgresServer
  let connectionString: string
  beforeAll(async () => {
    server = await startPostgres()
    connectionString = await server.createDatabase()
  })
  afterAll(() => server.stop())

  test('takes every text that anybody writes, U+0000 and half a character too, by whatever way it is sent', async () => {
    const pool = openPostgresPool({ connectionString, queryMs: 5_000 }, () => undefined)
    const database = new Kysely<{ note: { words: string } }>({
      dialect: new PostgresDialect({ pool: connectionsOf(pool) }),
    })
    await pool.query('create table note (words text primary key)')
    await pool.query('insert into note (words) values ($1)', ['a\0b'])
    await database.insertInto('note').values({ words: 'c\ud800\0' }).execute()
    const list = await pool.query<{ word: string }>('select unnest($1::text[]) as word', [['d\0', 'e']])
    expect(list.rows.map(({ word }) => word)).toEqual(['d\uFFFD', 'e'])
    const kept = await database.selectFrom('note').selectAll().where('words', '=', 'a\0b').execute()
    expect(kept).toEqual([{ words: 'a\uFFFDb' }])
    expect(await database.selectFrom('note').selectAll().execute()).toHaveLength(2)
    await database.destroy()
  })

  test('that cannot be used is one sentence with its place and what to do, whoever asks and however', async () => {
    const url = new URL(await server.createDatabase())
    const place = `127.0.0.1:${url.port}${url.pathname}`
    await query(url.href, 'create role guest login')
    const sayOf = async (address: string, statement: string): Promise<[string, string]> => {
      const pool = openPostgresPool({ connectionString: address, queryMs: 5_000 }, () => undefined)
      const database = new Kysely<object>({ dialect: new PostgresDialect({ pool: connectionsOf(pool) }) })
      const failureOf = (asked: Promise<unknown>): Promise<string> =>
        asked.then(
          () => 'it worked',
          (error: unknown) => (error instanceof PostgresError ? error.message : String(error)),
        )
      const said = [
        await failureOf(pool.query(statement)),
        await failureOf(sql.raw(statement).execute(database)),
      ]
      await database.destroy()
      return [said[0] ?? '', said[1] ?? '']
    }
    const asGuest = url.href.replace('verbatim@', 'guest:a-password-of-mine@')
    const create = 'create table public.fresh (id integer)'
    const denied = `PostgreSQL at ${place} does not let the user of DATABASE_URL work in its database. Make that user the owner of it.`
    expect(await sayOf(asGuest, create)).toEqual([denied, denied])
    const readOnly = `${url.href}?options=-c%20default_transaction_read_only%3Don`
    const isReadOnly = `PostgreSQL at ${place} can only be read. DATABASE_URL must name the primary, without default_transaction_read_only.`
    expect(await sayOf(readOnly, create)).toEqual([isReadOnly, isReadOnly])
    await query(url.href, 'alter role guest connection limit 0')
    const isBusy = `PostgreSQL at ${place} has no connection free. Raise its max_connections, or run fewer replicas.`
    expect(await sayOf(asGuest, 'select 1')).toEqual([isBusy, isBusy])
    expect(await sayOf(`${url.href}?sslmode=verify-full`, 'select 1')).toEqual([
      expect.stringContaining('do not agree on TLS'),
      expect.stringContaining('do not agree on TLS'),
    ])
    const nobody = url.href.replace('verbatim@', 'nobody:a-password-of-mine@')
    const refused = `PostgreSQL at ${place} refused the user or the password of DATABASE_URL.`
    expect(await sayOf(nobody, 'select 1')).toEqual([refused, refused])
    // What is wrong with a statement is no trouble of the server's.
    expect((await sayOf(url.href, 'select nothing'))[0]).toContain('column "nothing" does not exist')
  })

  test('that refuses a row is told in the log without the row', async () => {
    const pool = openPostgresPool({ connectionString, queryMs: 5_000 }, () => undefined)
    await pool.query('create table page (words text, url text unique check (url is not null))')
    let told = ''
    const log = createLogger('info', { write: (line) => (told += line) })
    for (const row of [
      ['words of a page', null],
      ['words', 'https://a.test/'],
      ['more', 'https://a.test/'],
    ])
      await pool
        .query('insert into page values ($1, $2)', row)
        .catch((error: unknown) => log.error({ err: error }, 'it failed'))
    expect(told).toContain('violates check constraint')
    expect(told).toContain('violates unique constraint')
    expect(told).not.toMatch(/words|a\.test/u)
    await pool.end()
  })

  test('that breaks an idle connection is told with its reason, without the connection’s own secrets, and as nobody’s request', async () => {
    const requests = new AsyncLocalStorage<string>()
    const told: { error: Error; request: string | undefined }[] = []
    const onIdleLost = (error: Error): unknown => told.push({ error, request: requests.getStore() })
    const pool = openPostgresPool({ connectionString, queryMs: 5_000 }, onIdleLost)
    await requests.run('the one that opened it', () => pool.query('select 1'))
    await query(
      connectionString,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await expect.poll(() => told.length).toBe(1)
    expect(told[0]?.error.message).toContain('terminating connection')
    expect(Object.keys(told[0]?.error ?? {})).not.toContain('client')
    expect(told[0]?.request).toBeUndefined()
    await pool.end()
  })

  test('that does not speak any more is waited for no longer than was said', async () => {
    const pool = openPostgresPool({ connectionString, queryMs: 100 }, () => undefined)
    await expect(pool.query('select pg_sleep(60)')).rejects.toThrow('took too long to answer')
    await pool.end()
  })
})

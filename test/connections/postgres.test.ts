import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionsOf, openPostgresPool } from '../../src/connections/postgres.ts'
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
    await expect(pool.query('select pg_sleep(60)')).rejects.toThrow('timeout')
    await pool.end()
  })
})

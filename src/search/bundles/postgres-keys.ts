// Signing keys in PostgreSQL, one set for all replicas.
import { z } from 'zod'
import { openPostgresPool } from '../../connections/postgres.ts'
import { keptKeySchema, makeKey, replaceKeys, type KeptKey, type KeyStore } from './signing-key.ts'

const QUERY_MS = 2_000
/** Any fixed number: the advisory lock under which replicas make the table and change keys. */
const LOCK = 8_613_245_004

const PREPARE = `
  begin;
  select pg_advisory_xact_lock(${LOCK});
  create schema if not exists signing;
  create table if not exists signing.key_set (
    only_row boolean primary key default true check (only_row),
    keys jsonb not null
  );
  commit`

const FIND = 'select keys from signing.key_set'
const KEEP_FIRST = 'insert into signing.key_set (keys) values ($1) on conflict do nothing'
const REPLACE = 'update signing.key_set set keys = $1 where keys = $2'

/** Connects when keys are first asked for, and lets its one connection go when it rests. */
export function createPostgresKeys(databaseUrl: string, onConnectionLost: (error: Error) => void): KeyStore {
  const pool = openPostgresPool(
    { connectionString: databaseUrl, max: 1, queryMs: QUERY_MS, application_name: 'verbatim-signing' },
    onConnectionLost,
  )

  async function find(): Promise<KeptKey[] | null> {
    const { rows } = await pool.query<{ keys: unknown }>(FIND)
    return rows[0] === undefined ? null : z.array(keptKeySchema).min(1).parse(rows[0].keys)
  }

  async function load(): Promise<KeptKey[]> {
    await pool.query(PREPARE)
    const kept = await find()
    if (kept !== null) return kept
    await pool.query(KEEP_FIRST, [JSON.stringify([makeKey()])])
    return (await find()) ?? []
  }

  return {
    load,
    async replace(areTrusted) {
      const before = await load()
      const { rowCount } = await pool.query(REPLACE, [
        JSON.stringify(replaceKeys(before, areTrusted)),
        JSON.stringify(before),
      ])
      if (rowCount !== 1) throw new Error('the signing keys were changed by another process meanwhile')
    },
    close: () => pool.end(),
  }
}

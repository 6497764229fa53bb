// Texts of pages lately quoted from, in PostgreSQL: known to every replica and after a restart. In a schema of their
// own, which may be dropped at any time.
import { openPostgresPool } from '../../connections/postgres.ts'
import { packPage, unpackPage } from './packed-page.ts'
import { contentSha256, type ProofStore, type ProofStoreOptions } from './proof-store.ts'

const CONNECTIONS_MAX = 2
const QUERY_MS = 2_000
/** Pages are forgotten at most this often, and after so much of what all may take is new. */
const FORGET_MS = 60_000
const FORGET_SHARE = 1 / 16
/** Any fixed number: the advisory lock under which replicas make the table. */
const SCHEMA_LOCK = 8_613_245_003

const SCHEMA = `
  begin;
  select pg_advisory_xact_lock(${SCHEMA_LOCK});
  create schema if not exists proof;
  create table if not exists proof.page (
    digest text primary key,
    content bytea not null,
    kept_at timestamptz not null default now()
  );
  create index if not exists page_kept_at on proof.page (kept_at);
  commit`

const KEEP = `
  insert into proof.page (digest, content) values ($1, $2)
  on conflict (digest) do update set content = excluded.content, kept_at = now()`

const FIND = `select content from proof.page where digest = $1 and kept_at > now() - $2 * interval '1 millisecond'`

const FORGET_OLD = `delete from proof.page where kept_at <= now() - $1 * interval '1 millisecond'`

const FORGET_EXCESS = `
  delete from proof.page where digest in (
    select digest from (
      select digest, sum(octet_length(content)) over (order by kept_at desc, digest) as total from proof.page
    ) as counted where total > $1
  )`

export interface PostgresProofStoreOptions extends ProofStoreOptions {
  databaseUrl: string
  /** Told when an idle connection broke; the next query opens another. */
  onConnectionLost: (error: Error) => void
}

/**
 * Connects and makes the table where it is missing. Rejects when the server cannot be reached or refuses.
 */
export async function openPostgresProofStore(options: PostgresProofStoreOptions) {
  const { databaseUrl, maxBytes, maxAgeMs, onConnectionLost } = options
  const pool = openPostgresPool(
    {
      connectionString: databaseUrl,
      max: CONNECTIONS_MAX,
      queryMs: QUERY_MS,
      application_name: 'verbatim-proof',
    },
    onConnectionLost,
  )
  try {
    await pool.query(SCHEMA)
  } catch (error) {
    await pool.end()
    throw error
  }
  let forgottenAt = performance.now()
  let newBytes = 0

  async function forget(): Promise<void> {
    if (newBytes < FORGET_SHARE * maxBytes && performance.now() - forgottenAt < FORGET_MS) return
    forgottenAt = performance.now()
    newBytes = 0
    await pool.query(FORGET_OLD, [maxAgeMs])
    await pool.query(FORGET_EXCESS, [maxBytes])
  }

  const store: ProofStore = {
    async keep(page) {
      const digest = contentSha256(page.text)
      if (maxAgeMs === 0) return digest
      const content = await packPage(page)
      if (content.length > maxBytes) return digest
      newBytes += content.length
      await pool.query(KEEP, [digest, content])
      await forget()
      return digest
    },
    async find(digest) {
      if (maxAgeMs === 0) return null
      const { rows } = await pool.query<{ content: Buffer }>(FIND, [digest, maxAgeMs])
      const [row] = rows
      return row === undefined ? null : unpackPage(row.content)
    },
  }
  return { ...store, close: (): Promise<void> => pool.end() }
}

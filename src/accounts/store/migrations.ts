// The numbered steps that build the account store, written once for SQLite and PostgreSQL. Forward only: a released
// step is never changed, a new one is added at the end.
import { sql } from 'kysely'
import { OperatorError } from '../../errors.ts'
import { StoreError } from './store-error.ts'
import { createActivity } from './activity-step.ts'
import { createAuditLog } from './audit-step.ts'
import { rollUpUsage, totalUsage } from './usage-rollup.ts'
import type { StoreDatabase, StoreTransaction } from './schema.ts'

type Step = (database: StoreDatabase) => Promise<void>

const createPeople: Step = async (database) => {
  await database.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('is_admin', 'integer', (column) => column.notNull())
    .addColumn('oidc_issuer', 'text')
    .addColumn('oidc_subject', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .addUniqueConstraint('users_oidc_identity', ['oidc_issuer', 'oidc_subject'])
    .execute()
  await database.schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('email', 'text')
    .addColumn('is_admin', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('accepted_at', 'bigint')
    .addColumn('accepted_by', 'text')
    .execute()
}

const createSignIns: Step = async (database) => {
  await database.schema
    .createTable('sessions')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await database.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()
  await database.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()
  await database.schema
    .createTable('password_resets')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('created_by', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
}

const createKeys: Step = async (database) => {
  await database.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key_hash', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('owner_id', 'text', (column) => column.references('users.id'))
    .addColumn('display_prefix', 'text', (column) => column.notNull())
    .addColumn('last_four', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('rate_limit_points', 'integer')
    .execute()
  await database.schema.createIndex('api_keys_owner').on('api_keys').column('owner_id').execute()
  await database.schema
    .createTable('key_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key_id', 'text', (column) => column.notNull().references('api_keys.id'))
    .addColumn('event', 'text', (column) => column.notNull().check(sql`event in ('created', 'revoked')`))
    .addColumn('by_user_id', 'text')
    .addColumn('occurred_at', 'bigint', (column) => column.notNull())
    .execute()
  await database.schema.createIndex('key_events_key').on('key_events').column('key_id').execute()
}

const createUsage: Step = async (database) => {
  await database.schema
    .createTable('usage_hours')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('hour_at', 'bigint', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('client_errors', 'bigint', (column) => column.notNull())
    .addColumn('rate_limited', 'bigint', (column) => column.notNull())
    .addColumn('server_errors', 'bigint', (column) => column.notNull())
    .addColumn('snippets', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_hours_key', ['key_id', 'hour_at'])
    .execute()
  await database.schema
    .createTable('usage_latencies')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('hour_at', 'bigint', (column) => column.notNull())
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_latencies_key', ['key_id', 'hour_at', 'bucket'])
    .execute()
}

const createSentForms: Step = async (database) => {
  await database.schema
    .createTable('sent_forms')
    .addColumn('mark_hash', 'text', (column) => column.primaryKey())
    .addColumn('sent_at', 'bigint', (column) => column.notNull())
    .execute()
  await database.schema.createIndex('sent_forms_age').on('sent_forms').column('sent_at').execute()
}

/** Keys of earlier builds may do what all keys could. */
const scopeKeys: Step = async (database) => {
  await database.schema
    .alterTable('api_keys')
    .addColumn('scopes', 'text', (column) => column.notNull().defaultTo('search,read,rerank,verify'))
    .execute()
  await database.schema
    .alterTable('api_keys')
    .addColumn('is_path_token', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

/** A first key is noted here until it was shown. */
const createFirstRunKeys: Step = async (database) => {
  await database.schema
    .createTable('first_run_keys')
    .addColumn('key_id', 'text', (column) => column.primaryKey())
    .execute()
}

/** Every step in order. Step n (from 1) brings a store from version n − 1 to version n. */
const STEPS: readonly Step[] = [
  createPeople,
  createSignIns,
  createKeys,
  createUsage,
  rollUpUsage,
  createSentForms,
  scopeKeys,
  totalUsage,
  createActivity,
  createAuditLog,
  createFirstRunKeys,
]

/** The version this build writes and reads. */
const STORE_VERSION = STEPS.length

/**
 * Brings the store to STORE_VERSION; returns how many steps ran. Call it inside one transaction that holds the
 * store's migration lock, so that processes starting at once run every step exactly once.
 * @throws StoreError too_new when the store was written by a newer build, unmigrated when a step fails: whoever holds
 * the transaction takes back what the steps before it did.
 */
export async function migrate(database: StoreTransaction): Promise<number> {
  await sql`create table if not exists store_versions (version integer primary key, applied_at bigint not null)`.execute(
    database,
  )
  const result = await sql<{
    version: number | null
  }>`select max(version) as version from store_versions`.execute(database)
  const current = result.rows[0]?.version ?? 0
  if (current > STORE_VERSION) {
    throw new StoreError(
      'too_new',
      `The account store has version ${current}, this build knows up to ${STORE_VERSION}. Run a newer Verbatim.`,
    )
  }
  for (let version = current + 1; version <= STORE_VERSION; version += 1) {
    try {
      await STEPS[version - 1]?.(database)
      await sql`insert into store_versions (version, applied_at) values (${version}, ${Date.now()})`.execute(
        database,
      )
    } catch (error) {
      throw explainStep(error, { current, version })
    }
  }
  return STORE_VERSION - current
}

/** A trouble of the database has its own sentence; any other is that of the step. */
function explainStep(error: unknown, { current, version }: { current: number; version: number }): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error
  const what =
    current === 0
      ? 'The account store cannot be made. Give it a database, or a folder, that nothing else keeps its tables in'
      : `The account store cannot be brought from version ${current} to ${STORE_VERSION}. It was left as it was, for the build before`
  return new StoreError('unmigrated', `${what} (step ${version}: ${error.message}).`, error)
}

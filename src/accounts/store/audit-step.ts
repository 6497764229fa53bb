// The step that notes who did what, when people were seen last, and which client used a key last.
import type { StoreDatabase } from './schema.ts'

export async function createAuditLog(database: StoreDatabase): Promise<void> {
  await database.schema
    .createTable('audit_log')
    .addColumn('occurred_at', 'bigint', (column) => column.notNull())
    .addColumn('entry_id', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_log_by_time', ['occurred_at', 'entry_id'])
    .execute()
  await database.schema.alterTable('users').addColumn('last_seen_at', 'bigint').execute()
  await database.schema.alterTable('api_keys').addColumn('last_used_client', 'text').execute()
}

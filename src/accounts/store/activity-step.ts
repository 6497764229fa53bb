// The step that lets the service remember what it did: counts by hour and by day, and its last requests one by one.
import type { StoreDatabase } from './schema.ts'

export async function createActivity(database: StoreDatabase): Promise<void> {
  for (const table of ['activity_hours', 'activity_days'] as const) await createCounts(database, table)
  await database.schema
    .createTable('request_log')
    .addColumn('occurred_at', 'bigint', (column) => column.notNull())
    .addColumn('entry_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('route', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('code', 'text')
    .addColumn('elapsed_ms', 'integer', (column) => column.notNull())
    .addColumn('snippets', 'integer', (column) => column.notNull())
    .addColumn('key_id', 'text')
    .addColumn('depth', 'text')
    .addColumn('engine', 'text')
    .addColumn('query', 'text')
    .addPrimaryKeyConstraint('request_log_by_time', ['occurred_at', 'entry_id'])
    .execute()
  await database.schema
    .createIndex('request_log_of_key')
    .on('request_log')
    .columns(['key_id', 'occurred_at'])
    .execute()
  await database.schema.createIndex('request_log_by_id').on('request_log').column('request_id').execute()
}

const createCounts = (database: StoreDatabase, table: 'activity_hours' | 'activity_days'): Promise<void> =>
  database.schema
    .createTable(table)
    .addColumn('starts_at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_by_time`, ['starts_at', 'kind', 'name', 'detail'])
    .execute()

// The record of who made and who revoked which key.
import type { StoreDatabase, StoreTransaction } from '../store/schema.ts'
import { mintId } from './key.ts'

const EVENTS_MAX = 500

export interface KeyEvent {
  keyId: string
  keyName: string
  event: 'created' | 'revoked'
  /** Null when done on the command line or by the first run. */
  byUserId: string | null
  byEmail: string | null
  occurredAt: Date
}

/** Whose events, and of which key; of all when left out. */
export interface KeysOfEvents {
  ownerId?: string
  keyId?: string
}

/** Newest first, at most 500. */
export async function listEvents(database: StoreDatabase, filter: KeysOfEvents): Promise<KeyEvent[]> {
  let query = database
    .selectFrom('key_events')
    .innerJoin('api_keys', 'api_keys.id', 'key_events.key_id')
    .leftJoin('users', 'users.id', 'key_events.by_user_id')
    .select([
      'key_id',
      'api_keys.name as key_name',
      'event',
      'by_user_id',
      'users.email as by_email',
      'occurred_at',
    ])
    .orderBy('occurred_at', 'desc')
    // Of two in one millisecond the revocation is the later.
    .orderBy('event', 'desc')
    .limit(EVENTS_MAX)
  if (filter.ownerId !== undefined) query = query.where('api_keys.owner_id', '=', filter.ownerId)
  if (filter.keyId !== undefined) query = query.where('key_id', '=', filter.keyId)
  return (await query.execute()).map((row) => ({
    keyId: row.key_id,
    keyName: row.key_name,
    event: row.event,
    byUserId: row.by_user_id,
    byEmail: row.by_email,
    occurredAt: new Date(row.occurred_at),
  }))
}

/** Writes down what happens to a key, inside the transaction in which it happens. */
export async function insertEvent(
  transaction: StoreTransaction,
  keyId: string,
  event: 'created' | 'revoked',
  byUserId: string | null,
): Promise<void> {
  await transaction
    .insertInto('key_events')
    .values({ id: mintId('event'), key_id: keyId, event, by_user_id: byUserId, occurred_at: Date.now() })
    .execute()
}

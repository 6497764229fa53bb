// Revokes keys, with a record of who did it; what was revoked stays as it was.
import type { StoreTransaction } from '../store/schema.ts'
import { type ApiKey, toApiKey } from './api-key.ts'
import { insertEvent } from './key-events.ts'
import { hashSecret } from './key.ts'

/** Revokes every key of a user inside the caller's transaction. */
export async function revokeKeysOf(
  transaction: StoreTransaction,
  ownerId: string,
  byUserId: string | null,
): Promise<void> {
  const rows = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .execute()
  for (const { id } of rows) await revokeKey(transaction, id, { userId: byUserId })
}

/** Null when there is no such key, or with `ownerId` none of that user. Runs inside the caller's transaction. */
export async function revokeKey(
  transaction: StoreTransaction,
  keyOrId: string,
  by: { userId: string | null; ownerId?: string },
): Promise<ApiKey | null> {
  let matching = transaction.selectFrom('api_keys').selectAll()
  matching = keyOrId.startsWith('key_')
    ? matching.where('id', '=', keyOrId)
    : matching.where('key_hash', '=', hashSecret(keyOrId))
  if (by.ownerId !== undefined) matching = matching.where('owner_id', '=', by.ownerId)
  const row = await matching.executeTakeFirst()
  if (row === undefined) return null
  const now = Date.now()
  const updated = await transaction
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', row.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return toApiKey(row)
  await insertEvent(transaction, row.id, 'revoked', by.userId)
  return toApiKey({ ...row, revoked_at: now })
}

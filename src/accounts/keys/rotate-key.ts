// Rotation: another key takes the place of one, which dies at a set time, so that applications can change over without a
// moment in which neither works.
import type { StoreTransaction } from '../store/schema.ts'
import { KEY_NAME_MAX, toApiKey, type ApiKey } from './api-key.ts'
import { insertKey } from './make-key.ts'

/** Added to the name of the key that dies. */
const OLD = ' (old)'

/** A key that dies already may be rotated again: the one that follows it is not old. */
const liveName = (name: string): string => (name.endsWith(OLD) ? name.slice(0, -OLD.length) : name)

export interface Rotation {
  id: string
  /** How long the old key goes on working; it dies sooner where it was to expire sooner. */
  graceMs: number
  /** Who does it. */
  userId: string
  /** Only a key of this user. */
  ownerId?: string
}

/**
 * The new key, with the name, owner, limit, scopes and place of the old one, and no end of its own. Null when there is
 * no such usable key. Runs inside the caller's exclusive transaction.
 */
export async function rotateKey(
  transaction: StoreTransaction,
  { id, graceMs, userId, ownerId }: Rotation,
): Promise<{ record: ApiKey; key: string } | null> {
  let matching = transaction
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
  if (ownerId !== undefined) matching = matching.where('owner_id', '=', ownerId)
  const row = await matching.executeTakeFirst()
  if (row === undefined) return null
  const now = Date.now()
  const name = liveName(row.name)
  if (row.expires_at !== null && row.expires_at <= now) return null
  await transaction
    .updateTable('api_keys')
    .set({
      name: `${name.slice(0, KEY_NAME_MAX - OLD.length)}${OLD}`,
      expires_at: Math.min(row.expires_at ?? Number.MAX_SAFE_INTEGER, now + graceMs),
    })
    .where('id', '=', id)
    .execute()
  const { rateLimitPoints, scopes, isPathToken } = toApiKey(row)
  return insertKey(transaction, {
    name,
    ownerId: row.owner_id,
    rateLimitPoints,
    scopes,
    isPathToken,
    createdBy: userId,
  })
}

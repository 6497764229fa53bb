// Makes a key: what may be asked for, and the rows that come of it.
import { DEFAULT_PATH_SCOPES, DEFAULT_SCOPES, type KeyScope } from '../../contract/key-scopes.ts'
import type { StoreTransaction } from '../store/schema.ts'
import { type ApiKey, checkedName, isRateLimit, RATE_LIMIT_RULE, toApiKey } from './api-key.ts'
import { insertEvent } from './key-events.ts'
import { displayParts, hashSecret, mintId, mintKey } from './key.ts'

export interface NewKey {
  /** 1–100 characters, none of them a control character; surrounding space is removed. */
  name: string
  ownerId: string | null
  expiresAt?: Date | null
  rateLimitPoints?: number | null
  /** What it may be used for, at least one; left out for the usual ones. */
  scopes?: readonly KeyScope[]
  /** Make a token that may stand in an address. */
  isPathToken?: boolean
  /** The user who makes it, for the record; the owner when left out. */
  createdBy?: string | null
}

/** Inserts a key and its event inside the caller's exclusive transaction (the first run makes its key this way). */
export async function insertKey(
  transaction: StoreTransaction,
  request: NewKey,
): Promise<{ record: ApiKey; key: string }> {
  const name = checkedName(request.name)
  const points = request.rateLimitPoints ?? null
  if (points !== null && !isRateLimit(points)) throw new RangeError(RATE_LIMIT_RULE)
  if (request.ownerId !== null && !(await isActiveUser(transaction, request.ownerId))) {
    throw new RangeError('A key can be made for an active user alone.')
  }
  const isPathToken = request.isPathToken ?? false
  const scopes = request.scopes ?? (isPathToken ? DEFAULT_PATH_SCOPES : DEFAULT_SCOPES)
  if (scopes.length === 0) throw new RangeError('A key needs at least one scope.')
  const key = mintKey(isPathToken ? 'path' : 'header')
  const shown = displayParts(key)
  const row = {
    id: mintId('key'),
    key_hash: hashSecret(key),
    name,
    owner_id: request.ownerId,
    display_prefix: shown.prefix,
    last_four: shown.lastFour,
    created_at: Date.now(),
    expires_at: request.expiresAt?.getTime() ?? null,
    revoked_at: null,
    last_used_at: null,
    last_used_client: null,
    rate_limit_points: points,
    scopes: scopes.join(','),
    is_path_token: Number(isPathToken),
  }
  await transaction.insertInto('api_keys').values(row).execute()
  await insertEvent(transaction, row.id, 'created', request.createdBy ?? request.ownerId)
  return { record: toApiKey(row), key }
}

async function isActiveUser(transaction: StoreTransaction, userId: string): Promise<boolean> {
  const active = transaction.selectFrom('users').select('id').where('disabled_at', 'is', null)
  return (await active.where('id', '=', userId).executeTakeFirst()) !== undefined
}

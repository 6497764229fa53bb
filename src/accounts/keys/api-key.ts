// What is known of a key once it is made, and what its name and its limit may be.
import { KEY_SCOPES, type KeyScope } from '../../contract/key-scopes.ts'
import type { AccountTables } from '../store/schema.ts'
import { holdsControls, isSeen } from './listed-names.ts'

/** Characters of a key's name. */
export const KEY_NAME_MAX = 100
export const KEY_NAME_RULE = `A name has 1 to ${KEY_NAME_MAX} characters on one line.`
/** Requests per window. */
const RATE_LIMIT_MAX = 1_000_000
export const RATE_LIMIT_RULE = `A rate limit is a whole number from 1 to ${RATE_LIMIT_MAX.toLocaleString('en-US')}.`

/** What is known of a key after its creation; the key itself is not among it. */
export interface ApiKey {
  id: string
  name: string
  /** Null for a key made on the command line or by the first run. */
  ownerId: string | null
  /** First eight characters of the key, for display. */
  prefix: string
  lastFour: string
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** Up to ten seconds behind. */
  lastUsedAt: Date | null
  /** Product and version of the client that used it last, as it calls itself; null for never or unknown. */
  lastUsedClient: string | null
  /** The key's own limit per window; null for the service's default. */
  rateLimitPoints: number | null
  scopes: readonly KeyScope[]
  /** True of a token that may stand in an address. */
  isPathToken: boolean
}

const toDate = (moment: number | null): Date | null => (moment === null ? null : new Date(moment))

/** A row as everybody else knows it. */
export function toApiKey(row: AccountTables['api_keys']): ApiKey {
  return {
    id: row.id,
    name: row.name,
    ownerId: row.owner_id,
    prefix: row.display_prefix,
    lastFour: row.last_four,
    createdAt: new Date(row.created_at),
    expiresAt: toDate(row.expires_at),
    revokedAt: toDate(row.revoked_at),
    lastUsedAt: toDate(row.last_used_at),
    lastUsedClient: row.last_used_client,
    rateLimitPoints: row.rate_limit_points,
    scopes: KEY_SCOPES.filter((scope) => row.scopes.split(',').includes(scope)),
    isPathToken: row.is_path_token === 1,
  }
}

/** Whether the end of a key is over. */
export const hasExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now

/** Whether a key may be used so often in a window. */
export const isRateLimit = (points: number): boolean =>
  Number.isInteger(points) && points >= 1 && points <= RATE_LIMIT_MAX

/** Whether a key may be called so. */
export function isKeyName(text: string): boolean {
  const name = text.trim()
  return name.length <= KEY_NAME_MAX && isSeen(name) && !holdsControls(name)
}

/** The name without the space around it. @throws {RangeError} when no key may be called so. */
export function checkedName(text: string): string {
  if (!isKeyName(text)) throw new RangeError(KEY_NAME_RULE)
  return text.trim()
}

// The room as a whole: opens the store and everything that stands on it, in order, and closes it in reverse.
import type { RedisClient } from '../redis.ts'
import type { Logger } from '../telemetry.ts'
import type { Invitations } from './invitations.ts'
import type { Keys } from './keys.ts'
import type { Passwords } from './passwords.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { Sessions } from './sessions.ts'
import type { StoreLocation } from './store.ts'
import type { Usage } from './usage.ts'
import type { Users } from './users.ts'

export interface AccountsOptions {
  store: StoreLocation
  redis: RedisClient | null
  /** Points per key and window. */
  rateLimit: { points: number; durationSeconds: number }
  /** How many replicas share the limits while Redis is away. Default 1. */
  replicas?: number
  /** How long to wait for PostgreSQL at start. Default 30 s. */
  connectTimeoutMs?: number
  log: Logger
}

export interface Accounts {
  keys: Keys
  users: Users
  invitations: Invitations
  sessions: Sessions
  passwords: Passwords
  usage: Usage
  /** Per key id: `keyLimiter.consume(key.id, key.rateLimitPoints ?? undefined)`. */
  keyLimiter: RateLimiter
  /** Per address, one point for each 401: `allowed: false` turns that 401 into a 429. */
  refusalLimiter: RateLimiter
  /** The first key and invitation, once; null ever after. */
  prepareFirstRun(): Promise<{ key: string; invitationToken: string } | null>
  /** Throws when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
export declare function openAccounts(options: AccountsOptions): Promise<Accounts>

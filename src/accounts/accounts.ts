// The room as a whole: opens the store and everything that stands on it, in order, and closes it in reverse.
import { withDeadline } from '../concurrency/deadline.ts'
import type { PostgresWait } from '../connections/postgres-start.ts'
import type { RedisClient } from '../connections/redis.ts'
import type { Logger } from '../telemetry/log.ts'
import { openActivity } from './activity/activity.ts'
import { createAudit } from './audit/audit.ts'
import { prepareFirstRun } from './first-run.ts'
import { createInvitations } from './people/invitations.ts'
import { openKeys } from './keys/keys.ts'
import { rotateKey, type Rotation } from './keys/rotate-key.ts'
import { createPasswordHasher } from './people/password-hasher.ts'
import { createPasswords } from './people/passwords.ts'
import { addressSubject, createRateLimiter, type RateLimitResult } from './keys/rate-limiter.ts'
import { openReplicaCount } from './keys/replica-count.ts'
import { createSentForms } from './people/sent-forms.ts'
import { createSessions } from './people/sessions.ts'
import { createReports } from './reports/open-reports.ts'
import { openStore } from './store/open-store.ts'
import type { StoreLocation } from './store/store.ts'
import { openUsage } from './usage/usage.ts'
import { createUsers } from './people/users.ts'

/** Each of those that wait for a store that hangs would wait twice as long, and the process be ended meanwhile. */
const CLOSE_MS = 4_000
const SIGN_IN_WINDOW_SECONDS = 15 * 60
/** 401s an address may cause in a minute before it gets 429s: generous, since many people can share an address. */
const REFUSALS = { points: 300, durationSeconds: 60 } as const

export interface AccountsOptions {
  store: StoreLocation
  /** Whoever opened it closes it, after the accounts. */
  redis: RedisClient | null
  /** Points per key and window. */
  rateLimit: { points: number; durationSeconds: number }
  /** How many replicas share the limits at least, while Redis is away and more were not seen. Default 1. */
  replicas?: number
  /** Whether the text of queries is kept with the last requests. Default no. */
  keepsQueries?: boolean
  /** How PostgreSQL is waited for; by default for 30 s, told in the log. */
  wait?: PostgresWait
  log: Logger
}

export type Accounts = Awaited<ReturnType<typeof openAccounts>>

/** @throws {OperatorError} when the store cannot be used; its message is for the operator. */
export async function openAccounts(options: AccountsOptions) {
  const { log, redis, replicas = 1, keepsQueries = false, wait = {} } = options
  const store = await openStore(options.store, { log, wait })
  const replicaCount = redis === null ? null : openReplicaCount({ redis, least: replicas, log })
  const limits = { redis, countReplicas: replicaCount?.current ?? (() => replicas), log }
  const attempts = createRateLimiter({
    name: 'sign-in',
    points: 10,
    durationSeconds: SIGN_IN_WINDOW_SECONDS,
    ...limits,
  })
  const refusals = createRateLimiter({ name: 'refused', ...REFUSALS, ...limits })
  const hasher = createPasswordHasher()
  const keys = {
    ...openKeys({ store, log }),
    /** Makes a key that takes the place of another; `key` is its full text. Null when there is no such usable key. */
    rotate: (rotation: Rotation) => store.exclusively((transaction) => rotateKey(transaction, rotation)),
  }
  const reports = createReports(store)
  const usage = openUsage({ store, reports, log })
  const activity = openActivity({ store, reports, keepsQueries, log })
  const users = createUsers({ store })
  const audit = createAudit({ store, log })

  return {
    keys,
    users,
    usage,
    activity,
    audit,
    invitations: createInvitations({ store, hasher }),
    sentForms: createSentForms({ store }),
    sessions: createSessions({ store, users }),
    passwords: createPasswords({ store, hasher, attempts }),
    /** `keyLimiter.consume(key.id, key.rateLimitPoints ?? undefined)` for every request with a usable key. */
    keyLimiter: createRateLimiter({ name: 'key', ...options.rateLimit, ...limits }),
    /** `refusalLimiter.consume(address)` for every 401; not allowed turns that 401 into a 429. */
    refusalLimiter: {
      consume: (address: string): Promise<RateLimitResult> => refusals.consume(addressSubject(address)),
    },
    /** The first key and admin invitation; null once they were shown. */
    prepareFirstRun: () => prepareFirstRun(store),
    /** @throws StoreError or the driver's error when the store does not answer. */
    ping: () => store.ping(),
    /** Writes what is pending, as far as the store takes it soon, and closes the store. */
    async close(): Promise<void> {
      const written = Promise.all([usage, activity, keys, audit].map((part) => part.close()))
      await withDeadline({ what: 'writing what is pending', limitMs: CLOSE_MS }, () => written).catch(
        (error: unknown) => log.warn({ err: error }, 'the last counts were not written'),
      )
      await replicaCount?.close()
      await reports.close()
      await store.close()
    },
  }
}

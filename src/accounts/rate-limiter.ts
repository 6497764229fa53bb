// How often a key (or an address) may ask: a fixed window counted by rate-limiter-flexible, in Redis when there is
// one so that every replica counts the same window, in memory otherwise and while Redis is away.
import { circuitBreaker, ConsecutiveBreaker, handleAll } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { RedisClient } from '../redis.ts'
import type { Logger } from '../telemetry.ts'

export interface RateLimiterOptions {
  /** Names the counter in Redis: 'key', 'refused', 'sign-in'. Two limiters that share a name share their counts. */
  name: string
  /** Points a subject may spend in one window, unless `consume` is told otherwise. */
  points: number
  durationSeconds: number
  redis: RedisClient | null
  /** How many replicas share the limit; while Redis is away each of them grants its share, rounded up. */
  replicas?: number
  log: Logger
}

export interface RateLimitResult {
  allowed: boolean
  /** Points of the whole window. */
  limit: number
  remaining: number
  /** Length of the window. */
  windowSeconds: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
  /** 0 when allowed, else whole seconds to wait, at least 1. */
  retryAfterSeconds: number
}

export type RateLimiter = ReturnType<typeof createRateLimiter>

export function createRateLimiter(options: RateLimiterOptions) {
  const limiterOf = createLimiters(options)

  return {
    /** Spends one point of `subject` (a key's id, an address). `points` overrides the limit for this subject. Never throws. */
    async consume(subject: string, points: number = options.points): Promise<RateLimitResult> {
      return toResult(await limiterOf(points)(subject), points, options.durationSeconds)
    },
  }
}

// How often a key (or an address) may ask: a fixed window, counted by rate-limiter-flexible in Redis when there is one,
// so that every replica counts the same window, and in memory otherwise and while Redis is away.
import { circuitBreaker, ConsecutiveBreaker, handleAll } from 'cockatiel'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisClient } from '../../connections/redis.ts'
import type { Logger } from '../../telemetry/log.ts'

/** After so many failures in a row Redis is not asked again until the pause is over. */
const BREAKER = { failures: 5, pauseMs: 1_000 }
/** Subjects counted in memory at once; beyond it the one longest unseen is forgotten. */
const MEMORY_SUBJECTS_MAX = 50_000
/** The library's own limit is never reached: each subject's points are judged here, since they differ by subject. */
const UNREACHED_POINTS = Number.MAX_SAFE_INTEGER

export interface RateLimiterOptions {
  /** Names the counter in Redis: 'key', 'refused', 'sign-in'. Limiters that share a name share their counts. */
  name: string
  /** Points a subject may spend in one window, unless `consume` is told otherwise. */
  points: number
  /** Whole seconds, at least 1. The window of a subject starts with its first request. */
  durationSeconds: number
  redis: RedisClient | null
  /** How many replicas share the limit; while Redis is away each of them grants its share, rounded up. Default: 1. */
  countReplicas?: () => number
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
  const countInMemory = createMemoryCounter(options)
  const countInRedis = options.redis === null ? null : createRedisCounter(options, options.redis)
  const share = (points: number): number => Math.ceil(points / (options.countReplicas?.() ?? 1))

  return {
    /**
     * Spends one point of `subject` (a key's id, an address). `points` replaces the limit for this subject.
     * Never throws: without Redis it counts in this process alone.
     */
    async consume(subject: string, points: number = options.points): Promise<RateLimitResult> {
      const shared = countInRedis === null ? null : await countInRedis(subject)
      if (shared !== null) return toResult(shared, points, options.durationSeconds)
      const limit = countInRedis === null ? points : share(points)
      return toResult(await countInMemory(subject), limit, options.durationSeconds)
    },
  }
}

/**
 * What an address is counted as: IPv4 as it is (also when written as IPv6), IPv6 by its first 64 bits, since one
 * subscriber commands all the rest. Anything else counts as itself.
 */
export function addressSubject(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().map((byte, index) => (index < 8 ? byte : 0))
  return `${ipaddr.fromByteArray(network).toString()}/64`
}

/** What a subject has spent of its window, and when that ends. */
interface Counted {
  consumedPoints: number
  msBeforeNext: number
}

type Counter<Result> = (subject: string) => Promise<Result>

/** Without timers, of which none waits longer than 24 days: whoever asks next sees that a window is over. */
function createMemoryCounter({ durationSeconds }: RateLimiterOptions): Counter<Counted> {
  const windows = new LRUCache<string, { consumedPoints: number; startedAt: number }>({
    // As a size, for a `max` takes the room of all of them at once, 1 MB.
    maxSize: MEMORY_SUBJECTS_MAX,
    sizeCalculation: () => 1,
  })
  const durationMs = durationSeconds * 1_000
  return async (subject) => {
    const now = performance.now()
    let current = windows.get(subject)
    if (current === undefined || now - current.startedAt >= durationMs) {
      current = { consumedPoints: 0, startedAt: now }
      windows.set(subject, current)
    }
    current.consumedPoints += 1
    // From the start, not to a stored end: their sum is rounded, now and then up, and the window would be told a second longer.
    return { consumedPoints: current.consumedPoints, msBeforeNext: durationMs - (now - current.startedAt) }
  }
}

/** Counts in Redis; null when Redis cannot be asked. */
function createRedisCounter(options: RateLimiterOptions, redis: RedisClient): Counter<Counted | null> {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `verbatim:limit:${options.name}`,
    points: UNREACHED_POINTS,
    duration: options.durationSeconds,
    rejectIfRedisNotReady: true,
  })
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: BREAKER.pauseMs,
    breaker: new ConsecutiveBreaker(BREAKER.failures),
  })
  breaker.onBreak((reason) =>
    options.log.warn(
      { limiter: options.name, ...('error' in reason ? { err: reason.error } : {}) },
      'rate limits are counted in this process alone until Redis counts again',
    ),
  )
  breaker.onReset(() => options.log.info({ limiter: options.name }, 'rate limits are counted in Redis again'))
  return async (subject) => {
    try {
      return await breaker.execute(() => limiter.consume(subject))
    } catch (error) {
      options.log.debug({ err: error, limiter: options.name }, 'Redis could not count a request')
      return null
    }
  }
}

function toResult(counted: Counted, limit: number, windowSeconds: number): RateLimitResult {
  const allowed = counted.consumedPoints <= limit
  const resetSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1_000))
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - counted.consumedPoints),
    windowSeconds,
    resetSeconds,
    retryAfterSeconds: allowed ? 0 : resetSeconds,
  }
}

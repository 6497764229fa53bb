// How many replicas share the limits: each tells Redis that it is alive and sees how many others have, so that all know
// their share when Redis goes away, however many an autoscaler has started.
import { randomUUID } from 'node:crypto'
import { detach } from '../../concurrency/task-group.ts'
import type { RedisClient } from '../../connections/redis.ts'
import type { Logger } from '../../telemetry/log.ts'

const KEY = 'verbatim:replicas'
const TELL_MS = 5_000
/** One that has not told it for so many turns is gone. */
const MISSED_TURNS = 3

/** By the clock of Redis. ARGV: who tells it, and after how many milliseconds it counts as gone. */
const TELL = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('zadd', KEYS[1], now, ARGV[1])
  redis.call('zremrangebyscore', KEYS[1], '-inf', now - ARGV[2])
  redis.call('pexpire', KEYS[1], ARGV[2])
  return redis.call('zcard', KEYS[1])`

export interface ReplicaCountOptions {
  redis: RedisClient
  /** REPLICAS: as many are assumed at least. */
  least: number
  /** How often it is told. Default 5 s. */
  tellMs?: number
  log: Logger
}

/** Begins to tell at once; `close` says that this replica is gone, as well as it can. */
export function openReplicaCount({ redis, least, tellMs = TELL_MS, log }: ReplicaCountOptions) {
  const id = randomUUID()
  let seen = 0
  const tell = async (): Promise<void> => {
    const count: unknown = await redis.eval(TELL, 1, KEY, id, String(tellMs * MISSED_TURNS))
    seen = Number(count)
  }
  // While Redis is away the count stays what it was: that is what it is for.
  const onFailure = (error: unknown): void => log.debug({ err: error }, 'the replicas could not be counted')
  const timer = setInterval(() => detach(tell(), onFailure), tellMs)
  timer.unref()
  detach(tell(), onFailure)

  return {
    /** How many there are as far as is known, at least `least`. */
    current: (): number => Math.max(least, seen),

    async close(): Promise<void> {
      clearInterval(timer)
      await redis.zrem(KEY, id).catch(onFailure)
    },
  }
}

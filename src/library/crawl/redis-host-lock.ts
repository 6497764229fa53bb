// The host lock of all replicas: one key of Redis for each host, which its holder takes for a limited time, so that a
// replica that dies while it holds it keeps up nobody for long.
import { randomUUID } from 'node:crypto'
import type { RedisClient } from '../../connections/redis.ts'
import { type HostLock, pause } from './host-lock.ts'

/** Longer than a page may take to load, be read and be kept: a turn that lasts longer is given to the next. */
const HOLD_MS_MAX = 60_000
/** Those who wait look again after this long, because a turn may end before its key would. */
const LOOK_AGAIN_MS = 200

/** Only the holder ends a turn: what was given to the next meanwhile stays theirs. ARGV: token, pause in milliseconds. */
const END_TURN = `
  if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
  if tonumber(ARGV[2]) <= 0 then return redis.call('del', KEYS[1]) end
  return redis.call('pexpire', KEYS[1], ARGV[2])`

export interface RedisHostLockOptions {
  redis: RedisClient
  holdMsMax?: number
}

/** One key for each turn, so that a Redis Cluster may hold it anywhere. Times are those of Redis, not of the replicas. */
export function createRedisHostLock({ redis, holdMsMax = HOLD_MS_MAX }: RedisHostLockOptions): HostLock {
  return {
    async run(host, pauseMs, work, signal) {
      const key = `verbatim:crawl-turn:${host}`
      const token = randomUUID()
      for (;;) {
        signal.throwIfAborted()
        if ((await redis.set(key, token, 'PX', holdMsMax, 'NX')) === 'OK') break
        await pause(Math.min(Math.max(await redis.pttl(key), 1), LOOK_AGAIN_MS), signal)
      }
      try {
        return await work()
      } finally {
        await redis.eval(END_TURN, 1, key, token, String(Math.ceil(pauseMs)))
      }
    },
  }
}

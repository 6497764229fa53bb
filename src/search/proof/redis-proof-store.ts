// Texts of pages lately quoted from, in Redis: known to every replica and after a restart. Bounded by age and by bytes,
// in the same script that keeps a page, because the memory of a Redis shared with others is not ours to fill.
import type { RedisClient } from '../../connections/redis.ts'
import { packPage, unpackPage } from './packed-page.ts'
import { contentSha256, type ProofStore, type ProofStoreOptions } from './proof-store.ts'

/** The braces keep all keys on one node of a Redis Cluster, where one script may change them together. */
const PREFIX = '{verbatim-proof}:'

const keyOf = (digest: string): string => `${PREFIX}page:${digest}`

/**
 * KEYS: the page, the digests by the time they were kept, the bytes of each, the bytes of all.
 * ARGV: digest, value, now, longest age (both milliseconds), most bytes of all.
 */
const KEEP = `
  local size = #ARGV[2]
  if size > tonumber(ARGV[5]) then return 0 end
  local before = tonumber(redis.call('hget', KEYS[3], ARGV[1]) or '0')
  redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[4])
  redis.call('zadd', KEYS[2], ARGV[3], ARGV[1])
  redis.call('hset', KEYS[3], ARGV[1], size)
  local total = redis.call('incrby', KEYS[4], size - before)
  while true do
    local oldest = redis.call('zrange', KEYS[2], 0, 0, 'withscores')
    local isOld = oldest[2] and tonumber(oldest[2]) <= tonumber(ARGV[3]) - tonumber(ARGV[4])
    if not oldest[1] or (total <= tonumber(ARGV[5]) and not isOld) then break end
    total = redis.call('decrby', KEYS[4], redis.call('hget', KEYS[3], oldest[1]) or '0')
    redis.call('zrem', KEYS[2], oldest[1])
    redis.call('hdel', KEYS[3], oldest[1])
    redis.call('del', '${PREFIX}page:' .. oldest[1])
  end
  for index = 2, 4 do redis.call('pexpire', KEYS[index], ARGV[4]) end
  return 1`

export interface RedisProofStoreOptions extends ProofStoreOptions {
  redis: RedisClient
}

/** Single Redis or Cluster. Rejects when Redis cannot be reached; whoever opened the client closes it. */
export function createRedisProofStore({ redis, maxBytes, maxAgeMs }: RedisProofStoreOptions): ProofStore {
  const books = ['kept', 'bytes', 'total'].map((name) => PREFIX + name)
  return {
    async keep(page) {
      const digest = contentSha256(page.text)
      if (maxAgeMs === 0) return digest
      const value = await packPage(page)
      await redis.eval(KEEP, 4, keyOf(digest), ...books, digest, value, Date.now(), maxAgeMs, maxBytes)
      return digest
    },
    async find(digest) {
      const value = maxAgeMs === 0 ? null : await redis.getBuffer(keyOf(digest))
      return value === null ? null : unpackPage(value)
    },
  }
}

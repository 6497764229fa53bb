import { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisCacheStore } from '../../../src/pages/cache/redis-store.ts'
import { createMemoryCacheStore } from '../../../src/pages/cache/memory-store.ts'
import { hasRedis, startRedis, startRedisCluster, type RedisServer } from '../../support/redis.ts'
import { cachedPage, describeCacheStore } from './cache-store-contract.ts'

describeCacheStore('memory', () => createMemoryCacheStore({ bytesMax: 1_000_000 }), 260_000)

it('memory stays within its bytes, the least recently used pages go first', async () => {
  const store = createMemoryCacheStore({ bytesMax: 100_000 })
  const names = Array.from({ length: 20 }, (_, index) => `page ${index}`)
  for (const name of names) {
    await store.set(name, cachedPage('x'.repeat(5_000)), 60_000)
    await store.get('page 0')
  }
  const kept = await Promise.all(names.map(async (name) => (await store.get(name)) !== null))
  expect(kept[0]).toBe(true)
  expect(kept[1]).toBe(false)
  expect(kept.filter(Boolean)).toHaveLength(8)
})

describe.skipIf(!hasRedis)('with a real Redis', () => {
  let server: RedisServer
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis()
    redis = new Redis(server.url, { maxRetriesPerRequest: 1 })
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })

  describeCacheStore('Redis', () => createRedisCacheStore({ redis, entryBytesMax: 100_000 }), 200_000)

  it('two services share one Redis without meeting', async () => {
    const one = createRedisCacheStore({ redis, prefix: 'one:' })
    const two = createRedisCacheStore({ redis, prefix: 'two:' })
    await one.set('key', cachedPage('mine'), 60_000)
    expect(await two.get('key')).toBeNull()
  })

  it('every page has an age limit in Redis itself', async () => {
    await createRedisCacheStore({ redis, prefix: 'ttl:' }).set('key', cachedPage('x'), 60_000)
    expect(await redis.pttl('ttl:key')).toBeGreaterThan(0)
  })

  it.each(['', 'garbage', 'H4sIAAAAAAAA', '{"version":1}\n'])(
    'a value that is no page is no page: %j',
    async (value) => {
      await redis.set('damaged:key', value)
      expect(await createRedisCacheStore({ redis, prefix: 'damaged:' }).get('key')).toBeNull()
    },
  )
})

describe.skipIf(!hasRedis)('with a real Redis Cluster', () => {
  it('pages are spread over the masters and found again', async () => {
    const cluster = await startRedisCluster()
    const redis = new Cluster(cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port })))
    const store = createRedisCacheStore({ redis })
    const urls = Array.from({ length: 12 }, (_, index) => `https://site.example/${index}`)
    for (const url of urls) await store.set(url, cachedPage(`text of ${url}`, url), 60_000)
    for (const url of urls) expect((await store.get(url))?.capture.content).toBe(`text of ${url}`)
    const sizes = cluster.nodes.map((node) => Number(node.command('dbsize')))
    redis.disconnect()
    await cluster.stop()
    expect(sizes.every((size) => size > 0)).toBe(true)
  })
})

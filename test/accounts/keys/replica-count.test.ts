import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReplicaCount } from '../../../src/accounts/keys/replica-count.ts'
import { openRedis, type OpenRedis } from '../../../src/connections/redis.ts'
import { waitUntil } from '../../support/programs.ts'
import { hasRedis, startRedis, type RedisServer } from '../../support/redis.ts'
import { silent } from '../each-store.ts'

const TELL_MS = 100

describe.skipIf(!hasRedis)('replicas that tell Redis that they are alive', () => {
  let server: RedisServer
  let redis: OpenRedis
  beforeAll(async () => {
    server = await startRedis()
    redis = await openRedis(server.url, { log: silent })
  })
  afterAll(async () => {
    await redis?.close()
    await server?.stop()
  })

  test('count each other, notice when one ends, and keep the last count when Redis goes away', async () => {
    const open = () => openReplicaCount({ redis: redis.client, least: 2, tellMs: TELL_MS, log: silent })
    const [first, second, third] = [open(), open(), open()]
    await waitUntil(() => expect(first.current()).toBe(3))
    await waitUntil(() => expect(third.current()).toBe(3))
    await third.close()
    await waitUntil(() => expect(first.current()).toBe(2))
    await second.close()
    expect(first.current()).toBeGreaterThanOrEqual(2)

    const others = [open(), open(), open()]
    await waitUntil(() => expect(first.current()).toBe(4))
    await server.kill()
    await waitUntil(() => expect(redis.isReady()).toBe(false))
    expect(first.current()).toBe(4)
    await Promise.all([first, ...others].map((count) => count.close()))
  })
})

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  addressSubject,
  createRateLimiter,
  type RateLimiter,
} from '../../../src/accounts/keys/rate-limiter.ts'
import { openRedis, type OpenRedis } from '../../../src/connections/redis.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { bundleProgram } from '../../support/bundled-program.ts'
import { waitUntil } from '../../support/programs.ts'
import { hasRedis, startRedis, startRedisCluster, type RedisServer } from '../../support/redis.ts'
import { silent } from '../each-store.ts'

const WORKER = await bundleProgram(join(import.meta.dirname, 'consume-worker.mjs'))
const run = promisify(execFile)

/** Runs four processes of 50 consumers each that together try each subject 4 000 times; returns how often they were allowed. */
async function allowedByFourProcesses(
  url: string,
  points: number,
  subjects: readonly string[],
): Promise<number[]> {
  const args = [WORKER, url, String(points), '1000', '50', ...subjects]
  const processes = await Promise.all([0, 1, 2, 3].map(() => run(process.execPath, args)))
  const allowed = processes.map(({ stdout }) => JSON.parse(stdout) as Record<string, number>)
  return subjects.map((subject) => allowed.reduce((sum, of) => sum + (of[subject] ?? 0), 0))
}

const inMemory = (points: number, durationSeconds = 60): RateLimiter =>
  createRateLimiter({ name: 'test', points, durationSeconds, redis: null, log: silent })

describe('a limit in memory', () => {
  it('allows exactly its points however many ask at once', async () => {
    const limiter = inMemory(100)
    const results = await Promise.all(Array.from({ length: 1_000 }, () => limiter.consume('key_a')))
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(100)
  })

  it('tells the limit, what remains, and when to come back', async () => {
    const limiter = inMemory(2)
    expect(await limiter.consume('key_a')).toEqual({
      allowed: true,
      limit: 2,
      remaining: 1,
      windowSeconds: 60,
      resetSeconds: 60,
      retryAfterSeconds: 0,
    })
    await limiter.consume('key_a')
    const refused = await limiter.consume('key_a')
    expect(refused).toMatchObject({ allowed: false, remaining: 0 })
    expect(refused.retryAfterSeconds).toBe(refused.resetSeconds)
    expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1)
  })

  it('never tells a window longer than it is, whenever it begins', async () => {
    const limiter = inMemory(1)
    const clock = vi.spyOn(performance, 'now')
    onTestFinished(() => clock.mockRestore())
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 5_000, max: 200_000, noNaN: true }),
        fc.uuid(),
        async (nowMs, subject) => {
          clock.mockReturnValue(nowMs)
          expect((await limiter.consume(subject)).resetSeconds).toBe(60)
        },
      ),
    )
  })

  it('counts each subject apart and honours the own limit of a key', async () => {
    const limiter = inMemory(1)
    expect((await limiter.consume('key_a')).allowed).toBe(true)
    expect((await limiter.consume('key_b')).allowed).toBe(true)
    expect((await limiter.consume('key_a')).allowed).toBe(false)
    expect(await limiter.consume('key_a', 5)).toMatchObject({ allowed: true, limit: 5, remaining: 2 })
  })

  it('forgets the subject longest unseen rather than remember without bound', async () => {
    const limiter = inMemory(1)
    await limiter.consume('first')
    expect((await limiter.consume('first')).allowed).toBe(false)
    for (let index = 0; index < 50_000; index += 1) await limiter.consume(`other_${index}`)
    expect((await limiter.consume('first')).allowed).toBe(true)
    expect((await limiter.consume('other_49999')).allowed).toBe(false)
  })

  it('holds for windows of any length: a month is longer than a timer of Node waits', async () => {
    const limiter = inMemory(1, 30 * 86_400)
    expect(await limiter.consume('key_a')).toMatchObject({ allowed: true, resetSeconds: 30 * 86_400 })
    // By then a timer that was set for too long has gone off.
    await sleep(50)
    expect(await limiter.consume('key_a')).toMatchObject({ allowed: false, remaining: 0 })
  })

  it('starts anew when the window ends', async () => {
    const limiter = inMemory(1, 1)
    await limiter.consume('key_a')
    const refused = await limiter.consume('key_a')
    expect(refused.allowed).toBe(false)
    await sleep(refused.retryAfterSeconds * 1_000 + 50)
    expect((await limiter.consume('key_a')).allowed).toBe(true)
  })
})

describe('an address', () => {
  it('is counted as IPv4 whichever way it is written, and as a /64 network in IPv6', () => {
    expect(addressSubject('192.0.2.7')).toBe('192.0.2.7')
    expect(addressSubject('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(addressSubject('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(addressSubject('2001:db8:1:2:ffff::1')).toBe(addressSubject('2001:db8:1:2::9'))
    expect(addressSubject('2001:db8:1:3::1')).not.toBe(addressSubject('2001:db8:1:2::1'))
    expect(addressSubject('nonsense')).toBe('nonsense')
  })
})

describe.skipIf(!hasRedis)('a limit in Redis', () => {
  let server: RedisServer
  let redis: OpenRedis
  beforeAll(async () => {
    server = await startRedis()
    redis = await openRedis(server.url, { log: silent, commandTimeoutMs: 500 })
  })
  afterAll(async () => {
    await redis.close()
    await server.stop()
  })

  it('is exact over four processes of fifty consumers each', async () => {
    expect(await allowedByFourProcesses(server.url, 1_000, ['key_exact'])).toEqual([1_000])
  })

  it('honours the own limit of a key and never keeps a counter for ever', async () => {
    const limiter = createRateLimiter({
      name: 'own',
      points: 1,
      durationSeconds: 30,
      redis: redis.client,
      log: silent,
    })
    expect(await limiter.consume('key_a', 3)).toMatchObject({ allowed: true, limit: 3, remaining: 2 })
    expect((await limiter.consume('key_a')).allowed).toBe(false)
    const [name = ''] = server.command('keys', '*own*').split('\n')
    expect(Number(server.command('ttl', name))).toBeGreaterThan(0)
  })

  it('goes on in memory, each replica with its share, when Redis is killed, hangs or is read-only, and returns to Redis after; why is told', async () => {
    let logged = ''
    const limiter = createRateLimiter({
      name: 'insured',
      points: 10,
      durationSeconds: 3_600,
      countReplicas: () => 3,
      redis: redis.client,
      log: createLogger('warn', { write: (line) => (logged += line) }),
    })
    const allowedOf = async (subject: string): Promise<number> => {
      const results = []
      for (let index = 0; index < 30; index += 1) results.push(await limiter.consume(subject))
      return results.filter(({ allowed }) => allowed).length
    }
    const isShared = async (): Promise<void> => {
      expect(await limiter.consume(`key_${Math.random()}`)).toMatchObject({ limit: 10 })
    }
    expect(await allowedOf('key_before')).toBe(10)
    await server.kill()
    expect(await allowedOf('key_killed')).toBe(4)
    await server.start()
    await waitUntil(isShared)
    expect(await allowedOf('key_after')).toBe(10)
    server.pause()
    expect(await allowedOf('key_hung')).toBe(4)
    expect(logged).toMatch(/(?:Command timed out|does not answer).*counted in this process alone/u)
    server.resume()
    await waitUntil(isShared)
    // What a failover leaves behind: a server that answers and takes no writes.
    server.command('replicaof', '127.0.0.1', '1')
    expect(await allowedOf('key_read_only')).toBe(4)
    server.command('replicaof', 'no', 'one')
    await waitUntil(isShared)
  })

  it('starts without Redis and uses it once it is there', async () => {
    const late = await startRedis()
    await late.kill()
    const waiting = await openRedis(late.url, { log: silent })
    try {
      const limiter = createRateLimiter({
        name: 'late',
        points: 8,
        durationSeconds: 60,
        countReplicas: () => 2,
        redis: waiting.client,
        log: silent,
      })
      expect(waiting.isReady()).toBe(false)
      expect(await limiter.consume('key_a')).toMatchObject({ allowed: true, limit: 4 })
      await late.start()
      await waitUntil(async () => expect(await limiter.consume('key_b')).toMatchObject({ limit: 8 }))
    } finally {
      await waiting.close()
      await late.stop()
    }
  })
})

describe.skipIf(!hasRedis)('a limit in a Redis Cluster of three masters', () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>
  beforeAll(async () => {
    cluster = await startRedisCluster()
  })
  afterAll(() => cluster.stop())

  it('is exact over four processes for subjects on every master', async () => {
    const subjects = ['key_a', 'key_b', 'key_c', 'key_d']
    expect(await allowedByFourProcesses(cluster.url, 500, subjects)).toEqual([500, 500, 500, 500])
    for (const node of cluster.nodes) expect(Number(node.command('dbsize'))).toBeGreaterThan(0)
  })

  it('answers for every subject while one of the masters is down', async () => {
    const redis = await openRedis(cluster.url, { log: silent })
    const limiter = createRateLimiter({
      name: 'part',
      points: 5,
      durationSeconds: 60,
      redis: redis.client,
      log: silent,
    })
    await cluster.nodes[0]?.kill()
    for (let index = 0; index < 60; index += 1) {
      expect((await limiter.consume(`key_${index}`)).allowed).toBe(true)
    }
    await redis.close()
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openRedis, parseRedisAddress } from '../../src/connections/redis.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { waitUntil } from '../support/programs.ts'
import { hasRedis, startRedis, startSentinel, type RedisServer } from '../support/redis.ts'

const PLAIN = { tls: false, username: null, password: null, database: 0, sentinelMaster: null }

describe.skipIf(!hasRedis)('a Redis that refuses the password', () => {
  it('is told as such in the log, and the password is not', async () => {
    const server = await startRedis(['--requirepass', 'geheim-und-lang'], 'geheim-und-lang')
    let logged = ''
    const log = createLogger('debug', { write: (line) => (logged += line) })
    const redis = await openRedis(`redis://:hunter2-of-old@127.0.0.1:${server.port}`, { log })
    expect(redis.isReady()).toBe(false)
    expect(logged).toContain('WRONGPASS')
    expect(logged).not.toContain('hunter2')
    await redis.close()
    await server.stop()
  })
})

describe.skipIf(!hasRedis)('a Redis that is there and does not serve', () => {
  const opened: { stop(): Promise<void> }[] = []
  afterEach(async () => {
    for (const part of opened.splice(0).toReversed()) await part.stop()
  })

  async function openWith(extra: string[] = [], path = '') {
    const server = await startRedis(extra)
    opened.push(server)
    const lines: string[] = []
    const log = createLogger('info', {
      write: (line) => lines.push((JSON.parse(line) as { msg: string }).msg),
    })
    const redis = await openRedis(`${server.url}${path}`, { log })
    opened.push({ stop: () => redis.close() })
    const until = (isReady: boolean) => waitUntil(() => expect(redis.isReady()).toBe(isReady))
    return { server, redis, lines, until, place: `Redis at 127.0.0.1:${server.port}` }
  }

  it('because it is full is not ready, says so once with what to do, and is ready when there is room', async () => {
    const { server, redis, lines, until, place } = await openWith(['--maxmemory', '1'])
    expect(redis.isReady()).toBe(false)
    await expect(redis.client.set('a', '1')).rejects.toThrow('OOM')
    server.command('config', 'set', 'maxmemory', '0')
    await until(true)
    expect(lines).toEqual([
      `${place} answers`,
      `${place} takes no writes; going on without it. Its maxmemory is used up: raise it, or set maxmemory-policy to allkeys-lru.`,
      `${place} answers`,
    ])
  })

  it('because it is a replica is not ready, and says so once', async () => {
    const { redis, lines, place } = await openWith(['--replicaof', '127.0.0.1 1'])
    expect(redis.isReady()).toBe(false)
    await sleep(2_500) // Each write makes the client connect anew.
    expect(redis.isReady()).toBe(false)
    expect(lines).toEqual([
      `${place} answers`,
      `${place} takes no writes; going on without it. It is a replica: REDIS_URL must name the primary, or sentinels.`,
    ])
  })

  it('because it hangs is not ready, refuses at once what is sent, and serves when it goes on', async () => {
    const { server, redis, lines, until, place } = await openWith()
    expect(redis.isReady()).toBe(true)
    server.pause()
    await until(false)
    await expect(redis.client.get('a')).rejects.toThrow('does not answer')
    expect(lines).toEqual([`${place} answers`, `${place} does not answer; going on without it.`])
    server.resume()
    await until(true)
    expect(await redis.client.get('a')).toBe(null)
    expect(lines.at(-1)).toBe(`${place} answers`)
  })

  it('because it is killed serves again once it is started', async () => {
    const { server, redis, until } = await openWith()
    await server.kill()
    await until(false)
    await server.start()
    await until(true)
    expect(await redis.client.set('a', '1')).toBe('OK')
  })

  it('from the database that is named ends the start: the client would go on in another one', async () => {
    await expect(openWith([], '/99')).rejects.toThrow(
      'REDIS_URL names database 99, which that Redis does not have.',
    )
  })
})

describe('a Redis address', () => {
  it('names one server, with TLS, user, password and database where it says so', () => {
    expect(parseRedisAddress('redis://cache')).toEqual({
      ...PLAIN,
      kind: 'single',
      hosts: [{ host: 'cache', port: 6379 }],
    })
    expect(parseRedisAddress('rediss://me:p%40ss:word@[::1]:7000/3')).toEqual({
      kind: 'single',
      hosts: [{ host: '::1', port: 7000 }],
      tls: true,
      username: 'me',
      password: 'p@ss:word',
      database: 3,
      sentinelMaster: null,
    })
    expect(parseRedisAddress('redis://:secret@cache')).toMatchObject({ username: null, password: 'secret' })
  })

  it('with several hosts, or with ?cluster, names a Redis Cluster', () => {
    const hosts = [
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
    ]
    expect(parseRedisAddress('redis://a:7000,b')).toEqual({ ...PLAIN, kind: 'cluster', hosts })
    expect(parseRedisAddress('redis://a?cluster')).toMatchObject({ kind: 'cluster', hosts: [{ host: 'a' }] })
    expect(() => parseRedisAddress('redis://a,b/1')).toThrow('database 0')
  })

  it('with ?sentinel=NAME names a master watched by sentinels', () => {
    expect(parseRedisAddress('redis://:pw@s1,s2:26380/2?sentinel=main')).toMatchObject({
      kind: 'sentinel',
      hosts: [
        { host: 's1', port: 26_379 },
        { host: 's2', port: 26_380 },
      ],
      password: 'pw',
      database: 2,
      sentinelMaster: 'main',
    })
  })

  it('that is none is refused without repeating the password', () => {
    for (const url of [
      '',
      'cache:6379',
      'http://cache',
      'redis://',
      'redis://:hunter2secret@a b',
      'redis://:hunter2secret@a:99999',
      'redis://:hunter2secret%@a',
    ]) {
      expect(() => parseRedisAddress(url)).toThrow(/^REDIS_URL/u)
      expect(() => parseRedisAddress(url)).not.toThrow('hunter2secret')
    }
  })

  it('carries any password, percent-encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
        const url = `redis://:${encodeURIComponent(password)}@cache`
        return parseRedisAddress(url).password === password
      }),
    )
  })
})

describe.skipIf(!hasRedis)('a Redis behind a sentinel', () => {
  const log = createLogger('silent')
  let master: RedisServer
  let replica: RedisServer
  let sentinel: Awaited<ReturnType<typeof startSentinel>>
  beforeAll(async () => {
    master = await startRedis()
    replica = await startRedis(['--replicaof', `127.0.0.1 ${master.port}`])
    await waitUntil(() => {
      if (!master.command('info', 'replication').includes('state=online'))
        throw new Error('not replicated yet')
    })
    sentinel = await startSentinel('main', master)
  })
  afterAll(async () => {
    await Promise.all([sentinel.stop(), replica.stop(), master.stop()])
  })

  it('is followed to its new master after a failover', async () => {
    const redis = await openRedis(sentinel.url, { log })
    expect(redis.isReady()).toBe(true)
    await redis.client.set('a', '1')
    await waitUntil(() => expect(replica.command('get', 'a')).toBe('1'))
    await waitUntil(() =>
      expect(sentinel.command('sentinel', 'replicas', 'main')).toContain(String(replica.port)),
    )
    await master.kill()
    await waitUntil(async () => {
      await redis.client.set('a', '2')
    })
    expect(replica.command('get', 'a')).toBe('2')
    await redis.close()
  })
})

// Replicas whose Redis is watched by a sentinel: its master dies, another is promoted, and the service goes on throughout.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccounts, type Accounts } from '../../src/accounts/accounts.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../support/postgres.ts'
import { waitUntil } from '../support/programs.ts'
import { hasRedis, startRedis, startSentinel, type RedisServer } from '../support/redis.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts'

const PARAGRAPH =
  'An API key is revoked by deleting it on the keys page, and every replica refuses it at once.'
const LIMIT = { points: 40, durationSeconds: 600 }

const untilHeld = (isTrue: () => boolean): Promise<void> =>
  waitUntil(() => {
    if (!isTrue()) throw new Error('not yet')
  })

describe.skipIf(!hasPostgres || !hasRedis)('two replicas with Redis Sentinel', () => {
  let postgres: PostgresServer
  let master: RedisServer
  let follower: RedisServer
  let sentinel: Awaited<ReturnType<typeof startSentinel>>
  let site: SearchSite
  let accounts: Accounts
  const replicas: ServiceProcess[] = []

  beforeAll(async () => {
    ;[postgres, master, site] = await Promise.all([
      startPostgres(),
      startRedis(),
      startSearchSite({ '/keys': { html: article('Keys', [PARAGRAPH]) } }),
    ])
    follower = await startRedis(['--replicaof', `127.0.0.1 ${master.port}`])
    await untilHeld(() => master.command('info', 'replication').includes('state=online'))
    sentinel = await startSentinel('main', master)
    await untilHeld(() => sentinel.command('sentinel', 'replicas', 'main').includes(String(follower.port)))
    const databaseUrl = await postgres.createDatabase()
    const environment = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: sentinel.url,
      REPLICAS: '2',
      RATE_LIMIT_POINTS: String(LIMIT.points),
      RATE_LIMIT_DURATION_SECONDS: String(LIMIT.durationSeconds),
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
    }
    replicas.push(...(await Promise.all([0, 1].map(() => startServiceProcess(environment)))))
    accounts = await openAccounts({
      store: { databaseUrl },
      redis: null,
      rateLimit: LIMIT,
      log: createLogger('silent'),
    })
  })
  afterAll(async () => {
    await accounts?.close()
    await Promise.all(replicas.map((replica) => replica.end('SIGKILL')))
    await Promise.all([sentinel?.stop(), follower?.stop(), master?.stop(), postgres?.stop(), site?.close()])
  })

  const newKey = async (rateLimitPoints: number | null): Promise<string> =>
    (await accounts.keys.create({ name: 'test', ownerId: null, rateLimitPoints })).key
  /** How many of `count` requests, spread over the replicas, the limit lets pass. */
  async function countPassed(key: string, count: number, asking = replicas): Promise<number> {
    const asked = Array.from({ length: count }, (_, index) => asking[index % asking.length]!.search(key))
    return (await Promise.all(asked)).filter(({ status }) => status === 400).length
  }

  test('answer every request while the master dies and another takes over, and then limit together again', async () => {
    const searching = await newKey(100_000)
    const spent = await newKey(null)
    expect(await countPassed(spent, 10)).toBe(10)
    // The follower takes writes in their order: once it has this one, it has what was spent.
    master.command('set', 'mark', 'passed')
    await waitUntil(() => expect(follower.command('get', 'mark')).toBe('passed'))

    const statuses = new Map<number | string, number>()
    const progress = { isOver: false }
    const callers = replicas.map(async (replica) => {
      while (!progress.isOver) {
        const asked = replica.search(searching, { query: 'how is a key revoked' })
        const status = await asked.then((response) => response.status).catch(String)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        await sleep(20)
      }
    })
    await master.kill()
    await waitUntil(() => expect(follower.command('info', 'replication')).toContain('role:master'))
    // Each has counted alone for a while and granted its half of the limit; then each grants all of it again.
    for (const replica of replicas) {
      await waitUntil(async () =>
        expect(await countPassed(await newKey(null), LIMIT.points + 1, [replica])).toBe(LIMIT.points),
      )
    }
    expect(await countPassed(await newKey(null), 90)).toBe(LIMIT.points)
    progress.isOver = true
    await Promise.all(callers)
    expect([...statuses.keys()]).toEqual([200])

    // What was spent before the failover stays spent.
    expect(await countPassed(spent, 60)).toBe(LIMIT.points - 10)
  })
})

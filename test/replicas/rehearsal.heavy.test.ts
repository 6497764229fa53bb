// A rehearsal of what happens to a service of two replicas, PostgreSQL, Redis and a balancer, under a steady load: one
// replica is killed, one drained, Redis stopped, PostgreSQL restarted. No ordinary answer may be lost.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccounts, type Accounts } from '../../src/accounts/accounts.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { hasNginx, startNginx } from '../support/nginx.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../support/postgres.ts'
import { waitUntil } from '../support/programs.ts'
import { hasRedis, startRedis, type RedisServer } from '../support/redis.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts'

const LIMIT = 30
const CALLERS = 3
const PAUSE_MS = 100
/** Answers that must come from every living replica after each event before the next one happens. */
const STEADY = 5
const QUESTION = { query: 'how is a key revoked', include: ['proof'] }
const PARAGRAPH =
  'An API key is revoked by deleting it on the keys page, and every replica refuses it at once.'

describe.skipIf(!hasPostgres || !hasRedis || !hasNginx)('two replicas behind a balancer', () => {
  let postgres: PostgresServer
  let redis: RedisServer
  let site: SearchSite
  let accounts: Accounts
  let balancer: Awaited<ReturnType<typeof startNginx>>
  let environment: NodeJS.ProcessEnv
  const replicas: ServiceProcess[] = []

  beforeAll(async () => {
    ;[postgres, redis, site] = await Promise.all([startPostgres(), startRedis(), startSite()])
    const databaseUrl = await postgres.createDatabase()
    environment = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      REPLICAS: '2',
      RATE_LIMIT_POINTS: String(LIMIT),
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
    }
    replicas.push(...(await Promise.all([0, 1].map(() => startServiceProcess(environment)))))
    accounts = await openAccounts({
      store: { databaseUrl },
      redis: null,
      rateLimit: { points: LIMIT, durationSeconds: 60 },
      log: createLogger('silent'),
    })
    balancer = await startNginx(replicas.map(({ port }) => port))
  })
  afterAll(async () => {
    await balancer?.stop()
    await accounts?.close()
    await Promise.all(replicas.map((replica) => replica.end('SIGKILL')))
    await Promise.all([postgres?.stop(), redis?.stop(), site?.close()])
  })

  const newKey = async (rateLimitPoints: number | null = 1_000_000): Promise<string> =>
    (await accounts.keys.create({ name: 'rehearsal', ownerId: null, rateLimitPoints })).key

  /**
   * Callers who ask again and again until `end`. `whenSteady` waits until each of `living` has answered often enough
   * after now, so that no replica goes before the other is truly back.
   */
  function startLoad(key: string) {
    const failures: string[] = []
    const answered = new Map<string, number>()
    const progress = { isOver: false }
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const ask = () =>
      fetch(`${balancer.url}/v1/search`, { method: 'POST', headers, body: JSON.stringify(QUESTION) })
    const call = async (): Promise<void> => {
      while (!progress.isOver) {
        try {
          const response = await ask()
          const text = await response.text()
          const replica = response.headers.get('Replica')?.split(', ').at(-1) ?? 'nobody'
          if (response.status === 200) answered.set(replica, (answered.get(replica) ?? 0) + 1)
          else failures.push(`${response.status} ${text}`)
        } catch (error) {
          failures.push(String(error))
        }
        await sleep(PAUSE_MS)
      }
    }
    const calls = Array.from({ length: CALLERS }, call)
    return {
      failures,
      async whenSteady(living: readonly ServiceProcess[] = replicas) {
        answered.clear()
        const counts = () => living.map(({ port }) => answered.get(`127.0.0.1:${port}`) ?? 0)
        await waitUntil(() => expect(Math.min(...counts())).toBeGreaterThanOrEqual(STEADY), 120_000)
      },
      async end() {
        progress.isOver = true
        await Promise.all(calls)
      },
    }
  }

  const restart = async (index: number): Promise<void> => {
    replicas[index] = await startServiceProcess({ ...environment, PORT: String(replicas[index]!.port) })
  }

  test('lose no answer while one is killed, one drained, Redis stopped and PostgreSQL restarted', async () => {
    const load = startLoad(await newKey())
    try {
      await load.whenSteady()
      await replicas[0]!.end('SIGKILL')
      await load.whenSteady([replicas[1]!])
      await restart(0)
      await load.whenSteady()
      expect(await replicas[1]!.end('SIGTERM')).toBe(0)
      await load.whenSteady([replicas[0]!])
      await restart(1)
      await load.whenSteady()
      await redis.kill()
      await load.whenSteady()
      await redis.start()
      await load.whenSteady()
      await postgres.kill('SIGINT')
      await postgres.start()
      await load.whenSteady()
    } finally {
      await load.end()
    }
    expect(load.failures).toEqual([])
  })

  test('prove on each replica what any of them has answered', async () => {
    const key = await newKey()
    const response = await replicas[0]!.search(key, QUESTION)
    const { results } = (await response.json()) as {
      results: { content_sha256: string; snippets: { text: string }[] }[]
    }
    const [page] = results
    const body = { content_sha256: page!.content_sha256, quotes: [page!.snippets[0]!.text] }
    await waitUntil(async () => {
      for (const replica of replicas) {
        const proof = await replica.post('/v1/verify', { key, body })
        expect([proof.status, await proof.text()]).toEqual([200, expect.stringContaining('"match":"exact"')])
      }
    })
  })

  test('refuse a revoked key everywhere within a second', async () => {
    const key = await newKey()
    const statuses = () => Promise.all(replicas.map(async (one) => (await one.search(key)).status))
    expect(await statuses()).toEqual([400, 400])
    await accounts.keys.revoke(key, { userId: null })
    await sleep(1_000)
    expect(await statuses()).toEqual([401, 401])
  })

  test('keep a limit to the point while Redis lives, and never let pass twice as much while it is away', async () => {
    const passed = async (key: string): Promise<number> => {
      const asked = Array.from({ length: 4 * LIMIT }, (_, index) => replicas[index % 2]!.search(key))
      const answers = await Promise.all(asked)
      return answers.filter(({ status }) => status === 400).length
    }
    await waitUntil(() => {
      for (const replica of replicas) expect(replica.output()).toMatch(/Redis at .+ answers/u)
    })
    expect(await passed(await newKey(null))).toBe(LIMIT)
    await redis.kill()
    const alone = await passed(await newKey(null))
    await redis.start()
    expect(alone).toBeGreaterThan(0)
    expect(alone).toBeLessThanOrEqual(2 * LIMIT)
  })
})

async function startSite(): Promise<SearchSite> {
  const site = await startSearchSite({
    '/keys': {
      answer: (_, response) => {
        response.setHeader('Content-Type', 'text/html').end(article('Keys', [PARAGRAPH, PARAGRAPH.repeat(2)]))
      },
    },
  })
  site.find('/keys')
  return site
}

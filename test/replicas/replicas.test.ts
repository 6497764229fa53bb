// Three identical processes, one PostgreSQL, one Redis Cluster of three masters: together they are one service.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccounts, type Accounts } from '../../src/accounts/accounts.ts'
import { createLogger } from '../../src/telemetry.ts'
import { createVisitorClient } from '../http/dashboard/visitor-client.ts'
import { hasNginx, startNginx } from '../support/nginx.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../support/postgres.ts'
import { hasRedis, startRedisCluster } from '../support/redis.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts'

const PASSWORD = 'correct horse battery staple 7'
const SLOW_MS = 1_500
const PARAGRAPH =
  'An API key is revoked by deleting it on the keys page, and every replica refuses it at once.'

describe.skipIf(!hasPostgres || !hasRedis)('three replicas', () => {
  let postgres: PostgresServer
  let redis: Awaited<ReturnType<typeof startRedisCluster>>
  let site: SearchSite
  let accounts: Accounts
  let environment: NodeJS.ProcessEnv
  const replicas: ServiceProcess[] = []

  beforeAll(async () => {
    ;[postgres, redis, site] = await Promise.all([startPostgres(), startRedisCluster(), startSite()])
    const databaseUrl = await postgres.createDatabase()
    environment = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      REPLICAS: '3',
      RATE_LIMIT_POINTS: '40',
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
    }
    replicas.push(...(await Promise.all([0, 1, 2].map(() => startServiceProcess(environment)))))
    accounts = await openAccounts({
      store: { databaseUrl },
      redis: null,
      rateLimit: { points: 40, durationSeconds: 60 },
      log: createLogger('silent'),
    })
  })
  afterAll(async () => {
    await accounts?.close()
    await Promise.all(replicas.map((replica) => replica.end('SIGKILL')))
    await Promise.all([postgres?.stop(), redis?.stop(), site?.close()])
  })

  /** A key that no limit of this test stops. */
  const newKey = async (rateLimitPoints: number | null = 100_000): Promise<string> =>
    (await accounts.keys.create({ name: 'test', ownerId: null, rateLimitPoints })).key
  const statuses = (key: string): Promise<number[]> =>
    Promise.all(replicas.map(async (replica) => (await replica.search(key)).status))

  test('that start together on an empty database make one first key and one invitation', () => {
    const output = replicas.map((replica) => replica.output()).join('')
    expect(output.match(/vbt_[0-9A-Za-z]{36}$/gmu)).toHaveLength(1)
    expect(output.match(/\/invitations\/vbi_/gu)).toHaveLength(1)
  })

  test('grant exactly the limit together, not one point more', async () => {
    const key = await newKey(null)
    const asked = Array.from({ length: 90 }, (_, index) => replicas[index % 3]!.search(key))
    const answered = (await Promise.all(asked)).map(({ status }) => status)
    // An empty body is refused with 400 and costs a point like any other request.
    expect(answered.filter((status) => status === 400)).toHaveLength(40)
    expect(answered.filter((status) => status === 429)).toHaveLength(50)
  })

  test('know each other’s people and keys: made on one, good on all, refused by all once revoked on another', async () => {
    const [first, second] = replicas
    const output = replicas.map((replica) => replica.output()).join('')
    const invitation = /(\/invitations\/vbi_\S+)/u.exec(output)?.[1] ?? ''
    const onFirst = createVisitorClient(first!.url)
    await onFirst.post(invitation, invitation, { name: 'Ada', email: 'ada@example.org', password: PASSWORD })
    const page = await (await onFirst.post('/keys', '/keys', { name: 'Website' })).text()
    const key = /vbt_[0-9A-Za-z]{36}/u.exec(page)?.[0] ?? ''
    expect(await statuses(key)).toEqual([400, 400, 400])

    const onSecond = createVisitorClient(second!.url)
    for (const [name, value] of onFirst.cookies) onSecond.cookies.set(name, value)
    expect(await onSecond.text('/keys')).toContain('Website')
    await accounts.keys.revoke(key, { userId: null })
    expect(await statuses(key)).toEqual([401, 401, 401])
    await onSecond.post('/keys', '/sign-out')
    expect((await onFirst.get('/keys')).status).toBe(303)
  })

  test('lose nothing but its own request when one of them is killed in the midst of it', async () => {
    const key = await newKey()
    const spent = await newKey(null)
    await Promise.all(Array.from({ length: 30 }, (_, index) => replicas[index % 3]!.search(spent)))
    const underWay = replicas.map((replica) => replica.search(key, { query: 'slow keys' }))
    const outcomes = Promise.allSettled(underWay)
    await sleep(SLOW_MS / 3)
    await replicas[0]!.end('SIGKILL')
    const [lost, ...kept] = await outcomes
    expect(lost?.status).toBe('rejected')
    for (const one of kept) expect(one).toMatchObject({ status: 'fulfilled', value: { status: 200 } })

    replicas[0] = await startServiceProcess({ ...environment, PORT: String(replicas[0]!.port) })
    expect(await statuses(key)).toEqual([400, 400, 400])
    // What was spent before it died stays spent.
    const rest = await Promise.all(
      Array.from({ length: 20 }, (_, index) => replicas[index % 3]!.search(spent)),
    )
    expect(rest.filter(({ status }) => status === 400)).toHaveLength(10)
  })

  test.skipIf(!hasNginx)(
    'are restarted one after the other behind nginx without one failed request',
    async () => {
      const key = await newKey()
      const balancer = await startNginx(replicas.map(({ port }) => port))
      const failures: unknown[] = []
      let answered = 0
      const progress = { isOver: false }
      const caller = async (): Promise<void> => {
        while (!progress.isOver) {
          const response = await fetch(`${balancer.url}/v1/search`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
            body: '{"query":"how is a key revoked"}',
          }).catch((error: unknown) => failures.push(String(error)))
          if (response instanceof Response) {
            const text = await response.text()
            if (response.status === 200) answered += 1
            else failures.push(`${response.status} ${text}`)
          }
          await sleep(20)
        }
      }
      try {
        const callers = [caller(), caller(), caller()]
        for (const [index, replica] of replicas.entries()) {
          const before = answered
          expect(await replica.end('SIGTERM')).toBe(0)
          replicas[index] = await startServiceProcess({ ...environment, PORT: String(replica.port) })
          expect(answered).toBeGreaterThan(before)
        }
        progress.isOver = true
        await Promise.all(callers)
        expect(failures).toEqual([])
      } finally {
        progress.isOver = true
        await balancer.stop()
      }
    },
  )
})

function startSite(): Promise<SearchSite> {
  return startSearchSite({
    '/slow': {
      answer: (_, response) => {
        const html = article('Keys', [PARAGRAPH, PARAGRAPH.toUpperCase()])
        setTimeout(() => response.setHeader('Content-Type', 'text/html').end(html), SLOW_MS)
      },
    },
  })
}

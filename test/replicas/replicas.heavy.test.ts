// Three identical processes, one PostgreSQL, one Redis Cluster of three masters: together they are one service.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccounts, type Accounts } from '../../src/accounts/accounts.ts'
import { createFrontier } from '../../src/library/crawl/frontier.ts'
import { openLibrary } from '../../src/library/library.ts'
import { createLogger } from '../../src/telemetry/log.ts'
import { createVisitorClient } from '../dashboard/visitor-client.ts'
import { manyPages, openSite, shortestPauseMs } from '../library/crawl/loopback-site.ts'
import { QUESTION } from '../providers/engines/provider-contract.ts'
import { hasNginx, startNginx } from '../support/nginx.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../support/postgres.ts'
import { waitUntil } from '../support/programs.ts'
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
    // On a busy machine a replica may be up before Redis has answered it, and counts alone until then.
    await waitUntil(() => {
      if (!replicas.every((replica) => /Redis at .+ answers/u.test(replica.output())))
        throw new Error('not every replica has reached Redis')
    })
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
    // The first request of a process is its slowest, and a Redis that is read late is taken for one that hangs.
    const warm = await newKey()
    for (let request = 0; request < 10; request += 1) await statuses(warm)
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

  test('count together what a key is used for', async () => {
    const { key, record } = await accounts.keys.create({
      name: 'counted',
      ownerId: null,
      rateLimitPoints: 100_000,
    })
    await Promise.all(Array.from({ length: 12 }, (_, index) => replicas[index % 3]!.search(key)))
    const anHourAgo = new Date(Date.now() - 3_600_000)
    await waitUntil(async () => {
      expect((await accounts.usage.requestsSince(anHourAgo)).get(record.id)).toBe(12)
    })
  })

  test('read a page once for all of them', async () => {
    const key = await newKey()
    site.find('/shared')
    const readBy: unknown[] = []
    for (const replica of replicas) {
      const response = await replica.search(key, { query: 'how is a key revoked', include: ['explain'] })
      const { explain } = (await response.json()) as { explain: { pages: { read_by: string }[] } }
      readBy.push(...explain.pages.map((page) => page.read_by))
    }
    expect(readBy).toEqual(['static', 'cache', 'cache'])
    expect(reads).toEqual(['/shared'])
    site.find('/slow')
  })

  test('read a site on, although the command that asked for it was stopped, and all find its pages', async () => {
    const crawled = await openSite(manyPages(12), 10)
    const library = await openLibrary({ databaseUrl: environment['DATABASE_URL']!, dataDir: '/unused' })
    try {
      const command = startCommand(['index', 'add', `${crawled.origin}/`, '--delay', '150'], environment)
      await waitUntil(() => expect(command.output()).toContain('/2\n'))
      command.child.kill('SIGINT')
      expect(await command.ended).toBe(130)
      const finishedAt = async () => (await createFrontier(library).listSites())[0]?.finishedAt
      await waitUntil(async () => expect(await finishedAt()).toEqual(expect.any(String)))
      const paths = crawled.pagePaths()
      expect(new Set(paths)).toEqual(new Set(Object.keys(manyPages(12))))
      // The page that was under way when the command was stopped may have been asked for again.
      expect(paths.length).toBeLessThanOrEqual(14)
      expect(shortestPauseMs(crawled.requests.filter(({ path }) => path !== '/robots.txt'))).toBeGreaterThan(
        148,
      )
      const query = { ...QUESTION, text: 'quokka', count: 30 }
      expect(await library.search(query, AbortSignal.timeout(20_000))).toHaveLength(12)
    } finally {
      await Promise.all([library.close(), crawled.close()])
    }
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

/** The addresses of the shared page that were asked for. */
const reads: string[] = []

async function startSite(): Promise<SearchSite> {
  const site = await startSearchSite({
    '/shared': {
      answer: (request, response) => {
        reads.push(request.url ?? '')
        response.setHeader('Content-Type', 'text/html').end(article('Keys', [PARAGRAPH, PARAGRAPH.repeat(2)]))
      },
    },
    '/slow': {
      answer: (_, response) => {
        const html = article('Keys', [PARAGRAPH, PARAGRAPH.toUpperCase()])
        setTimeout(() => response.setHeader('Content-Type', 'text/html').end(html), SLOW_MS)
      },
    },
  })
  site.find('/slow')
  return site
}

/** A command of the built program. */
function startCommand(words: string[], environment: NodeJS.ProcessEnv) {
  const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
  const settings = { EGRESS_ALLOW: '127.0.0.1', BROWSER: 'off', ...environment }
  const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, ...settings } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, output: () => output }
}

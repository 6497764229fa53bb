import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { openCrawler } from '../../../src/compose/crawl-parts.ts'
import { createFrontier } from '../../../src/library/crawl/frontier.ts'
import { openLibrary } from '../../../src/library/library.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { endProgram, freePort, waitUntil } from '../../support/programs.ts'
import { hasRedis, startRedis, startRedisCluster, type RedisServer } from '../../support/redis.ts'
import { openReplica } from './crawl-replica.ts'
import { describeCrawler } from './crawler-contract.ts'
import { manyPages, openSite, shortestPauseMs } from './loopback-site.ts'

const DELAY_MS = 60
/** A pause as the site sees it: a request that travels slowly and one that travels fast come closer together. */
const ARRIVING_MS = 0.8 * DELAY_MS
const BOUNDS = { pageLimit: 100, depthLimit: 10, delayMs: DELAY_MS }

describe.skipIf(!hasPostgres || !hasRedis)('crawls shared by replicas', () => {
  let postgres: PostgresServer
  let single: RedisServer
  let redis: Awaited<ReturnType<typeof startRedisCluster>>
  beforeAll(async () => {
    ;[postgres, single, redis] = await Promise.all([startPostgres(), startRedis(), startRedisCluster()])
  })
  afterAll(() => Promise.all([postgres?.stop(), single?.stop(), redis?.stop()]))
  const closers: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  describeCrawler('over a queue on one Redis', async () => {
    const replica = await openReplica('alone', await postgres.createDatabase(), single.url)
    return { crawler: replica.queue, library: replica.library, close: () => replica.close() }
  })

  /** Replicas as processes of their own, and one here that follows. */
  async function startReplicas(...names: string[]) {
    const databaseUrl = await postgres.createDatabase()
    const processes = new Map<string, ChildProcess>()
    await Promise.all(
      names.map(async (name) => {
        const child = spawn(
          process.execPath,
          ['--import', 'tsx', join(import.meta.dirname, 'crawl-replica.ts'), name, databaseUrl, redis.url],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        )
        processes.set(name, child)
        closers.push(() => endProgram(child, 'SIGKILL'))
        await new Promise((resolve) => child.stdout.once('data', resolve))
      }),
    )
    return { databaseUrl, processes }
  }

  async function joinHere(databaseUrl: string, name = 'here') {
    const replica = await openReplica(name, databaseUrl, redis.url)
    closers.push(() => replica.close())
    return replica
  }

  async function startSite(pages: number) {
    const site = await openSite(manyPages(pages), 10)
    closers.push(() => site.close())
    return site
  }

  test('several sites are read by several replicas, no page twice, each host politely', async () => {
    const { databaseUrl } = await startReplicas('b', 'c')
    const sites = await Promise.all([12, 12, 12, 12, 12, 12].map(startSite))
    const { queue, library } = await joinHere(databaseUrl, 'a')
    await Promise.all(
      sites.map(({ origin }) => queue.crawl(`${origin}/`, BOUNDS, AbortSignal.timeout(50_000))),
    )
    for (const site of sites) {
      expect(site.pagePaths()).toHaveLength(13)
      expect(new Set(site.pagePaths()).size).toBe(13)
      expect(shortestPauseMs(site.requests)).toBeGreaterThanOrEqual(ARRIVING_MS)
    }
    expect(await library.countPages()).toBe(6 * 13)
    const agents = sites.flatMap(({ requests }) => requests.map(({ agent }) => agent))
    expect(new Set(agents)).toEqual(new Set(['a', 'b', 'c']))
  })

  test('a site that several replicas are asked for is read once, and all of them are told', async () => {
    const { databaseUrl } = await startReplicas()
    const [first, second] = [await joinHere(databaseUrl, 'a'), await joinHere(databaseUrl, 'b')]
    const site = await startSite(10)
    const told = { a: new Set<string>(), b: new Set<string>() }
    const follow = ({ queue }: typeof first, urls: Set<string>) =>
      queue.crawl(
        `${site.origin}/`,
        { ...BOUNDS, onProgress: ({ url }) => void urls.add(url) },
        AbortSignal.timeout(50_000),
      )
    const summaries = await Promise.all([follow(first, told.a), follow(second, told.b)])
    for (const summary of summaries) expect(summary).toMatchObject({ pagesRead: 11, end: 'complete' })
    expect(site.pagePaths()).toHaveLength(11)
    expect(told.a.size).toBe(11)
    expect(told.b.size).toBe(11)
  })

  test('a replica killed in the midst of a crawl is replaced by another, which asks for nothing that was read', async () => {
    const { databaseUrl, processes } = await startReplicas('killed')
    const site = await startSite(20)
    const { queue, library } = await joinHere(databaseUrl, 'survivor')
    // This replica is busy with two other sites until the other one has taken the third.
    const others = await Promise.all([startSite(30), startSite(30)])
    const busy = others.map(({ origin }) => queue.crawl(`${origin}/`, BOUNDS, AbortSignal.timeout(50_000)))
    const crawl = queue.crawl(`${site.origin}/`, BOUNDS, AbortSignal.timeout(50_000))
    const all = [site, ...others]
    const readByKilled = () =>
      all.find(
        ({ requests }) =>
          requests.filter(({ agent, path }) => agent === 'killed' && path.length < 5).length > 5,
      )
    await waitUntil(() => expect(readByKilled()).toBeDefined())
    await endProgram(processes.get('killed')!, 'SIGKILL')
    await Promise.all([crawl, ...busy])
    for (const { pagePaths, requests } of all) {
      const paths = pagePaths()
      const twice = paths.filter((path, index) => paths.indexOf(path) !== index)
      // The page that was under way when it died was read by nobody.
      expect(twice.length).toBeLessThanOrEqual(1)
      for (const path of twice)
        expect(requests.findLast(({ agent }) => agent === 'killed')).toMatchObject({ path })
      expect(shortestPauseMs(requests)).toBeGreaterThanOrEqual(ARRIVING_MS)
    }
    expect(await library.countPages()).toBe(21 + 31 + 31)
  })

  test('a replica that closes gives its crawl back, and no page is asked for twice', async () => {
    const { databaseUrl } = await startReplicas()
    const first = await openReplica('first', databaseUrl, redis.url)
    const site = await startSite(15)
    const gone = new AbortController()
    const following = first.queue.crawl(`${site.origin}/`, BOUNDS, gone.signal).catch(() => 'gone')
    await waitUntil(() => expect(site.pagePaths().length).toBeGreaterThan(4))
    gone.abort(new Error('the caller goes away'))
    expect(await following).toBe('gone')
    await first.close()
    const second = await joinHere(databaseUrl, 'second')
    const summary = await second.queue.crawl(`${site.origin}/`, BOUNDS, AbortSignal.timeout(50_000))
    expect(summary).toMatchObject({ pagesRead: 16, end: 'complete', isResumed: true })
    expect(site.requests.at(-1)?.agent).toBe('second')
    const twice = site.pagePaths().filter((path, index, paths) => paths.indexOf(path) !== index)
    // Aborted while it was loaded, a page is loaded by the next.
    expect(twice.length).toBeLessThanOrEqual(1)
  })

  test('a Redis that is away keeps nobody from joining and closing, and is joined when it is back', async () => {
    const databaseUrl = await postgres.createDatabase()
    const away = await startRedis()
    await away.kill()
    const leaving = await openReplica('leaving', databaseUrl, away.url)
    expect(leaving.queue.isReady()).toBe(false)
    await leaving.close()
    expect(leaving.errors).toEqual([])
    const staying = await openReplica('staying', databaseUrl, away.url)
    closers.push(() => Promise.all([staying.close(), away.stop()]))
    await away.start()
    const site = await startSite(3)
    const summary = await staying.queue.crawl(`${site.origin}/`, BOUNDS, AbortSignal.timeout(50_000))
    expect(summary).toMatchObject({ pagesRead: 4, end: 'complete' })
  })

  test('a crawl that Redis loses goes on when it is back, without anybody asking, and reads no page anew', async () => {
    const databaseUrl = await postgres.createDatabase()
    const losing = await startRedis()
    const replica = await openReplica('staying', databaseUrl, losing.url)
    closers.push(() => Promise.all([replica.close(), losing.stop()]))
    const site = await startSite(15)
    const crawl = replica.queue.crawl(`${site.origin}/`, BOUNDS, AbortSignal.timeout(50_000))
    await waitUntil(() => expect(site.pagePaths().length).toBeGreaterThan(4))
    await losing.kill()
    await losing.start()
    expect(await crawl).toMatchObject({ pagesRead: 16, end: 'complete' })
    const twice = site.pagePaths().filter((path, index, paths) => paths.indexOf(path) !== index)
    // Whose turn it was Redis has forgotten, too: the page that was under way may be taken by another.
    expect(twice.length).toBeLessThanOrEqual(1)
    expect(await replica.library.countPages()).toBe(16)
  })

  test('a command that would wait for a Redis that is away says so instead', async () => {
    const databaseUrl = await postgres.createDatabase()
    const library = await openLibrary({ databaseUrl, dataDir: '/unused' })
    closers.push(() => library.close())
    const config = loadConfig({
      DATABASE_URL: databaseUrl,
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      BROWSER: 'off',
    })
    const opening = openCrawler(config, { library, log: createLogger('silent') })
    await expect(opening).rejects.toThrow('The Redis of REDIS_URL does not answer')
  })

  test('what Redis has lost goes on when a replica joins', async () => {
    const { databaseUrl } = await startReplicas()
    const site = await startSite(3)
    const { queue, library } = await joinHere(databaseUrl)
    const frontier = createFrontier(library)
    await frontier.openSite(`${site.origin}/`, BOUNDS)
    await queue.addUnfinished(await frontier.listSites())
    await waitUntil(async () => expect((await frontier.listSites())[0]?.finishedAt).not.toBeNull())
    expect(await library.countPages()).toBe(4)
  })
})

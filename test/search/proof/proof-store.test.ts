import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresProofStore } from '../../../src/search/proof/postgres-proof-store.ts'
import {
  contentSha256,
  createForgivingProofStore,
  createMemoryProofStore,
  type ProofStore,
  type ProofStoreOptions,
} from '../../../src/search/proof/proof-store.ts'
import { createRedisProofStore } from '../../../src/search/proof/redis-proof-store.ts'
import { openSqliteProofStore } from '../../../src/search/proof/sqlite-proof-store.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { hasRedis, startRedis, type RedisServer } from '../../support/redis.ts'

const PAGE = {
  url: 'http://a.test/',
  title: null,
  text: 'A key can be revoked.',
  fetchedAt: '2026-01-05T08:00:00Z',
}
const MINUTE_MS = 60_000
const ROOMY = { maxBytes: 10_000_000, maxAgeMs: MINUTE_MS }

/** Text that no compression makes small. */
const noise = (seed: number, length: number): string => {
  let state = seed
  const letters = Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return String.fromCodePoint(0x4e00 + (state % 20_000))
  })
  return letters.join('')
}

function describeProofStore(name: string, open: (options: ProofStoreOptions) => Promise<ProofStore>): void {
  describe(`pages kept in ${name}`, () => {
    test('are found by the digest of their text for as long as is set, and no longer', async () => {
      const pages = await open({ ...ROOMY, maxAgeMs: 1_500 })
      const digest = await pages.keep(PAGE)
      expect(digest).toBe(contentSha256(PAGE.text))
      expect(await pages.find(digest)).toEqual(PAGE)
      await expect.poll(() => pages.find(digest), { timeout: 20_000 }).toBeNull()
    })

    test.each([{}, { language: 'de' }])('are kept with how they were opened: %o', async (asked) => {
      const pages = await open(ROOMY)
      const page = { ...PAGE, opening: { rendering: 'auto', scroll: false, ...asked } as const }
      expect(await pages.find(await pages.keep(page))).toEqual(page)
    })

    test('are told apart by their text alone, and the latest reading of it counts', async () => {
      const pages = await open(ROOMY)
      const digest = await pages.keep(PAGE)
      await pages.keep({ ...PAGE, text: 'Another text.' })
      expect(await pages.keep({ ...PAGE, url: 'http://b.test/' })).toBe(digest)
      expect(await pages.find(digest)).toEqual({ ...PAGE, url: 'http://b.test/' })
      expect(await pages.find(contentSha256('never read'))).toBeNull()
    })

    test('are none where nothing is to be kept, and digests are told all the same', async () => {
      const pages = await open({ ...ROOMY, maxAgeMs: 0 })
      expect(await pages.find(await pages.keep(PAGE))).toBeNull()
    })

    test('larger than the whole store are not kept', async () => {
      const pages = await open({ ...ROOMY, maxBytes: 1_000 })
      expect(await pages.find(await pages.keep({ ...PAGE, text: noise(7, 50_000) }))).toBeNull()
    })
  })
}

const memory = async (options: ProofStoreOptions): Promise<ProofStore> => createMemoryProofStore(options)
describeProofStore('memory', memory)

test('pages in memory make room for newer ones, the least lately used first', async () => {
  const pages = await memory({ maxBytes: 100, maxAgeMs: MINUTE_MS })
  const first = await pages.keep(PAGE)
  const second = await pages.keep({ ...PAGE, text: 'Another text of that length.' })
  expect(await pages.find(second)).not.toBeNull()
  await pages.keep({ ...PAGE, text: 'The third.' })
  const left = await Promise.all([first, second].map((digest) => pages.find(digest)))
  expect(left.filter((page) => page !== null)).toHaveLength(1)
})

describe('in a file', () => {
  const opened: { dataDir: string; store: Awaited<ReturnType<typeof openSqliteProofStore>> }[] = []
  afterAll(async () => {
    for (const { dataDir, store } of opened) {
      await store.close()
      rmSync(dataDir, { recursive: true })
    }
  })
  const open = async (options: ProofStoreOptions): Promise<ProofStore> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-proofs-'))
    const store = openSqliteProofStore({ dataDir, ...options })
    opened.push({ dataDir, store })
    return store
  }
  describeProofStore('a file', open)

  test('all pages together stay near their bytes', async () => {
    const pages = await open({ maxBytes: 200_000, maxAgeMs: MINUTE_MS })
    const digests: string[] = []
    for (let seed = 1; seed <= 12; seed += 1)
      digests.push(await pages.keep({ ...PAGE, text: noise(seed, 20_000) }))
    const kept = await Promise.all(digests.map((digest) => pages.find(digest)))
    expect(kept[0]).toBeNull()
    expect(kept.at(-1)).not.toBeNull()
  })
})

test('a store that cannot be reached costs nobody their answer, and is told as such to who asks for a digest', async () => {
  const told: unknown[] = []
  const broken: ProofStore = {
    keep: () => Promise.reject(new Error('away')),
    find: () => Promise.reject(new Error('away')),
  }
  const reserve = createMemoryProofStore({ maxBytes: 10_000, maxAgeMs: 60_000 })
  const pages = createForgivingProofStore(broken, reserve, (error) => told.push(error))
  for (const _ of [1, 2]) expect(await pages.keep(PAGE)).toBe(contentSha256(PAGE.text))
  expect(told).toHaveLength(1)
  await expect(pages.find('0')).rejects.toMatchObject({ status: 503, code: 'store_unavailable' })
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
  const open = async (options: ProofStoreOptions): Promise<ProofStore> => {
    await redis.flushall()
    return createRedisProofStore({ redis, ...options })
  }
  describeProofStore('Redis', open)

  test('what one replica kept another one finds, also after a restart of both', async () => {
    const digest = await (await open(ROOMY)).keep(PAGE)
    const elsewhere = new Redis(server.url)
    expect(await createRedisProofStore({ redis: elsewhere, ...ROOMY }).find(digest)).toEqual(PAGE)
    elsewhere.disconnect()
  })

  test('all pages together stay within their bytes, and nothing of them outlives its age', async () => {
    const pages = await open({ maxBytes: 200_000, maxAgeMs: MINUTE_MS })
    const digests: string[] = []
    for (let seed = 1; seed <= 12; seed += 1)
      digests.push(await pages.keep({ ...PAGE, text: noise(seed, 20_000) }))
    const kept = await Promise.all(digests.map((digest) => pages.find(digest)))
    expect(kept[0]).toBeNull()
    expect(kept.at(-1)).not.toBeNull()
    const sizes = await Promise.all(digests.map((digest) => redis.strlen(`{verbatim-proof}:page:${digest}`)))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(total).toBeLessThanOrEqual(200_000)
    expect(Number(await redis.get('{verbatim-proof}:total'))).toBe(total)
    for (const key of await redis.keys('*')) expect(await redis.pttl(key)).toBeGreaterThan(0)
  })

  test('a value that is no page is no page', async () => {
    const pages = await open(ROOMY)
    await redis.set('{verbatim-proof}:page:0', 'garbage')
    expect(await pages.find('0')).toBeNull()
  })
})

describe.skipIf(!hasPostgres)('with a real PostgreSQL', () => {
  let server: PostgresServer
  const opened: { close: () => Promise<void> }[] = []
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await server.stop()
  })
  const openAt = async (databaseUrl: string, options: ProofStoreOptions): Promise<ProofStore> => {
    const store = await openPostgresProofStore({ databaseUrl, ...options, onConnectionLost: () => undefined })
    opened.push(store)
    return store
  }
  const open = async (options: ProofStoreOptions): Promise<ProofStore> =>
    openAt(await server.createDatabase(), options)
  describeProofStore('PostgreSQL', open)

  test('replicas that start at once share one store, and it outlives a restart of the server', async () => {
    const databaseUrl = await server.createDatabase()
    const replicas = await Promise.all([1, 2, 3].map(() => openAt(databaseUrl, ROOMY)))
    const digest = await replicas[0]?.keep(PAGE)
    expect(await replicas[2]?.find(digest ?? '')).toEqual(PAGE)
    await server.kill('SIGINT')
    await server.start()
    expect(await (await openAt(databaseUrl, ROOMY)).find(digest ?? '')).toEqual(PAGE)
  })

  test('all pages together stay near their bytes', async () => {
    const pages = await open({ maxBytes: 200_000, maxAgeMs: MINUTE_MS })
    const digests: string[] = []
    for (let seed = 1; seed <= 12; seed += 1)
      digests.push(await pages.keep({ ...PAGE, text: noise(seed, 20_000) }))
    const kept = await Promise.all(digests.map((digest) => pages.find(digest)))
    expect(kept[0]).toBeNull()
    expect(kept.at(-1)).not.toBeNull()
  })
})

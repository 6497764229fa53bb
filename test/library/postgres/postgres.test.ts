import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLibrary } from '../../../src/library/library.ts'
import { QUESTION } from '../../providers/engines/provider-contract.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { describeLibrary } from '../library-contract.ts'

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  const open = (databaseUrl: string) => openLibrary({ databaseUrl, dataDir: '/unused' })

  describeLibrary('PostgreSQL', async () => open(await server.createDatabase()))

  test('replicas that start at once share one library and each page is in it once', async () => {
    const databaseUrl = await server.createDatabase()
    const replicas = await Promise.all(Array.from({ length: 3 }, () => open(databaseUrl)))
    const facts = { title: 'Quokka', text: 'It smiles', language: 'en', publishedAt: null, updatedAt: null }
    const pages = Array.from({ length: 10 }, (_, index) => ({
      url: `https://example.org/${index}`,
      ...facts,
    }))
    await Promise.all(replicas.map((replica) => replica.addLocalPages(pages)))
    const query = { ...QUESTION, text: 'quokka', count: 30 }
    for (const replica of replicas) {
      expect(await replica.countPages()).toBe(10)
      expect(await replica.search(query, AbortSignal.timeout(10_000))).toHaveLength(10)
    }
    await Promise.all(replicas.map((replica) => replica.close()))
  })

  test('a restarted server costs one failed search at most', async () => {
    const library = await open(await server.createDatabase())
    await library.putPage(
      {
        url: 'https://example.org/',
        title: 'Quokka',
        text: 'It smiles',
        language: 'en',
        publishedAt: null,
        updatedAt: null,
      },
      'https://example.org/',
    )
    await server.kill('SIGINT')
    await server.start()
    const find = () => library.search({ ...QUESTION, text: 'quokka' }, AbortSignal.timeout(10_000))
    await find().catch(() => [])
    expect(await find()).toHaveLength(1)
    await library.close()
  })
})

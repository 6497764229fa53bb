import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresLibrary } from '../../src/library/postgres/postgres.ts'
import { createReplicatedIndex } from '../../src/library/replicated-index.ts'
import type { SearchIndex } from '../../src/library/schema.ts'
import { QUESTION } from '../providers/engines/provider-contract.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../support/postgres.ts'
import { waitUntil } from '../support/programs.ts'

const page = (name: string) => ({
  url: `https://example.org/${name}`,
  title: name,
  text: `All about the ${name}.`,
  language: 'en',
  publishedAt: null,
  updatedAt: null,
})

describe.skipIf(!hasPostgres)('a library with a streaming replica of its PostgreSQL', () => {
  let primary: PostgresServer
  beforeAll(async () => {
    primary = await startPostgres()
  })
  afterAll(() => primary?.stop())

  /** A library that holds one page, searched on a replica that has it, too. */
  async function openReplicated() {
    const databaseUrl = await primary.createDatabase()
    const writer = await openPostgresLibrary({ databaseUrl })
    await writer.putPage(page('quokka'), 'https://example.org/')
    await writer.close()
    const replica = await primary.startReplica()
    const lost: unknown[] = []
    const library = await openPostgresLibrary({
      databaseUrl,
      readUrl: replica.urlOf(databaseUrl),
      onReplicaLost: (error) => lost.push(error),
    })
    const find = (text: string) => library.search({ ...QUESTION, text }, AbortSignal.timeout(20_000))
    return { library, replica, lost, find }
  }

  test('is searched on the replica, written on the primary, and searched on the primary while the replica is gone', async () => {
    const { library, replica, lost, find } = await openReplicated()
    try {
      await library.putPage(page('wombat'), 'https://example.org/')
      await waitUntil(async () => expect(await find('wombat')).toHaveLength(1))
      // Only the replica can have answered.
      await primary.kill()
      expect(await find('quokka')).toHaveLength(1)
      expect(lost).toEqual([])
      await primary.start()

      await replica.kill()
      await library.putPage(page('numbat'), 'https://example.org/').catch(() => undefined)
      await library.putPage(page('numbat'), 'https://example.org/')
      for (let search = 0; search < 5; search += 1) expect(await find('numbat')).toHaveLength(1)
      expect(lost).toHaveLength(1)
    } finally {
      await library.close()
    }
  })

  test('is searched on the primary when the replica hangs', async () => {
    const { library, replica, lost, find } = await openReplicated()
    try {
      replica.pause()
      expect(await find('quokka')).toHaveLength(1)
      expect(lost).toMatchObject([{ message: 'the read replica took longer than 2000 ms' }])
    } finally {
      await replica.stop()
      await library.close()
    }
  })
})

describe('an index whose searches are read from a replica', () => {
  const [primary, replica] = [{ name: 'primary' }, { name: 'replica' }] as never[]
  const query = {} as Parameters<SearchIndex['search']>[1]

  function openIndex(fail: () => Promise<void>) {
    const asked: string[] = []
    const lost: unknown[] = []
    const search = async (database: unknown) => {
      asked.push((database as { name: string }).name)
      if (database === replica) await fail()
      return { pages: [] }
    }
    const index = createReplicatedIndex({ search } as unknown as SearchIndex, replica!, {
      restMs: 20,
      replicaMsMax: 50,
      onReplicaLost: (error) => lost.push(error),
    })
    return { asked, lost, find: () => index.search(primary!, query) }
  }

  test('a replica that failed is left alone for a while, and asked again after it', async () => {
    let isBroken = true
    const { asked, lost, find } = openIndex(async () => {
      if (isBroken) throw new Error('gone')
    })
    await find()
    await find()
    expect(asked).toEqual(['replica', 'primary', 'primary'])
    await new Promise((resolve) => setTimeout(resolve, 30))
    await find()
    expect(lost).toHaveLength(1)
    isBroken = false
    await new Promise((resolve) => setTimeout(resolve, 30))
    asked.length = 0
    await find()
    await find()
    expect(asked).toEqual(['replica', 'replica'])
    isBroken = true
    await find()
    expect(lost).toHaveLength(2)
  })
})

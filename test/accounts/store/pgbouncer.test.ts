// Accounts and library behind PgBouncer in transaction mode, where clients share connections from statement to statement.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccounts, type Accounts } from '../../../src/accounts/accounts.ts'
import { openLibrary } from '../../../src/library/library.ts'
import { QUESTION } from '../../providers/engines/provider-contract.ts'
import { hasPgbouncer, startPgbouncer } from '../../support/pgbouncer.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { silent } from '../each-store.ts'

describe.skipIf(!hasPostgres || !hasPgbouncer)(
  'behind PgBouncer in transaction mode, with two connections for all',
  () => {
    let postgres: PostgresServer
    let bouncer: Awaited<ReturnType<typeof startPgbouncer>>
    const replicas: Accounts[] = []

    beforeAll(async () => {
      postgres = await startPostgres()
      bouncer = await startPgbouncer(await postgres.createDatabase())
      const open = () =>
        openAccounts({
          store: { databaseUrl: bouncer.url },
          redis: null,
          rateLimit: { points: 10, durationSeconds: 60 },
          log: silent,
        })
      replicas.push(...(await Promise.all([open(), open()])))
    })
    afterAll(async () => {
      await Promise.all(replicas.map((accounts) => accounts.close()))
      await bouncer?.stop()
      await postgres?.stop()
    })

    test('replicas that start at once make the tables once, and keys of one are those of the other', async () => {
      const [first, second] = replicas
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? first : second)!.keys.create({ name: `key ${index}`, ownerId: null }),
        ),
      )
      const found = await Promise.all(made.map(({ key }) => second!.keys.verify(key)))
      expect(found.every((record) => record !== null)).toBe(true)
      await first!.keys.revoke(made[0]!.key, { userId: null })
      expect(await second!.keys.verify(made[0]!.key)).toBeNull()
    })

    test('the library keeps and finds pages', async () => {
      const library = await openLibrary({ databaseUrl: bouncer.url, dataDir: '/unused' })
      try {
        for (const [name, text] of [
          ['quokka', 'A quokka smiles.'],
          ['b', 'Nothing of it.'],
          ['c', 'Nor here.'],
        ] as const) {
          const facts = { language: 'en', publishedAt: null, updatedAt: null }
          await library.putPage(
            { url: `https://${name}.example/`, title: name, text, ...facts },
            'https://example.org/',
          )
        }
        const hits = await library.search(
          { ...QUESTION, text: 'quokka', count: 5 },
          AbortSignal.timeout(20_000),
        )
        expect(hits.map(({ url }) => url)).toEqual(['https://quokka.example/'])
      } finally {
        await library.close()
      }
    })
  },
)

import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { OperatorError } from '../../../src/errors.ts'
import { openProofStore } from '../../../src/search/proof/open-proof-store.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { createDatabase } from '../../support/suite-postgres.ts'
import { hasRedis, startRedis } from '../../support/redis.ts'

const PAGE = { url: 'http://a.test/', title: null, text: 'Shown once.', fetchedAt: '2026-01-05T08:00:00Z' }
const NOWHERE = {
  redis: null,
  databaseUrl: null,
  dataDir: null,
  maxAgeMs: 60_000,
  log: createLogger('silent'),
}

test.skipIf(!hasRedis)('a digest from one replica is known to another that shares its Redis', async () => {
  const server = await startRedis()
  const [here, there] = [new Redis(server.url), new Redis(server.url)]
  const one = await openProofStore({ ...NOWHERE, redis: here })
  const other = await openProofStore({ ...NOWHERE, redis: there })
  expect(await other.store.find(await one.store.keep(PAGE))).toEqual(PAGE)
  await Promise.all([one.close(), other.close()])
  here.disconnect()
  there.disconnect()
  await server.stop()
})

test.skipIf(!hasPostgres)(
  'a digest from one replica is known to another that shares its PostgreSQL',
  async () => {
    const databaseUrl = await createDatabase()
    const one = await openProofStore({ ...NOWHERE, databaseUrl })
    const other = await openProofStore({ ...NOWHERE, databaseUrl })
    expect(await other.store.find(await one.store.keep(PAGE))).toEqual(PAGE)
    await Promise.all([one.close(), other.close()])
  },
)

test('without either, a digest is known after a restart, also when the file was damaged meanwhile', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-proofs-'))
  const open = () => openProofStore({ ...NOWHERE, dataDir })
  const before = await open()
  const digest = await before.store.keep(PAGE)
  await before.close()
  const after = await open()
  expect(await after.store.find(digest)).toEqual(PAGE)
  await after.close()

  writeFileSync(join(dataDir, 'proofs.sqlite'), 'no database any more'.repeat(400))
  const anew = await open()
  expect(await anew.store.find(digest)).toBeNull()
  expect(await anew.store.find(await anew.store.keep(PAGE))).toEqual(PAGE)
  await anew.close()
  rmSync(dataDir, { recursive: true })
})

test('the texts of pages are for the owner of their file alone to read', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-proofs-'))
  const proofs = await openProofStore({ ...NOWHERE, dataDir })
  await proofs.store.keep(PAGE)
  for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  await proofs.close()
  rmSync(dataDir, { recursive: true })
})

test('with nowhere at all, and where nothing is to be kept, no connection is opened', async () => {
  const alone = await openProofStore(NOWHERE)
  expect(await alone.store.find(await alone.store.keep(PAGE))).toEqual(PAGE)
  const none = await openProofStore({ ...NOWHERE, databaseUrl: 'postgres://127.0.0.1:1/none', maxAgeMs: 0 })
  expect(await none.store.find(await none.store.keep(PAGE))).toBeNull()
})

test('a digest given while Redis is away is known to the replica that gave it, and no other is said to be gone', async () => {
  const away = new Redis(1, { enableOfflineQueue: false, retryStrategy: () => null })
  away.on('error', () => undefined)
  const proofs = await openProofStore({ ...NOWHERE, redis: away })
  expect(await proofs.store.find(await proofs.store.keep(PAGE))).toEqual(PAGE)
  await expect(proofs.store.find('0'.repeat(64))).rejects.toThrow()
  await proofs.close()
  away.disconnect()
})

test('a file that cannot be used ends the opening with one sentence that names it and what to do', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'verbatim-proofs-'))
  mkdirSync(join(dataDir, 'proofs.sqlite'))
  const failure: unknown = await openProofStore({ ...NOWHERE, dataDir }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(OperatorError)
  expect(String(failure)).toContain(
    `The texts behind proofs in ${join(dataDir, 'proofs.sqlite')} cannot be kept`,
  )
  rmSync(dataDir, { recursive: true })
})

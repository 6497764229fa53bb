import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { OperatorError } from '../../../src/errors.ts'
import { KEY_FILE } from '../../../src/search/bundles/key-file.ts'
import { openKeyStore, openSigning } from '../../../src/search/bundles/open-signing.ts'
import type { KeyStore } from '../../../src/search/bundles/signing-key.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { createDatabase } from '../../support/suite-postgres.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')
const log = createLogger('silent')
const folder = mkdtempSync(join(tmpdir(), 'verbatim-signing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** `open` opens the same place again and again; every test has its own. */
function describeKeyStore(name: string, open: (place: string) => Promise<KeyStore>): void {
  describe(`signing keys in ${name}`, () => {
    test('are the same for all who make the first one at once, and after a restart', async () => {
      const stores = await Promise.all(Array.from({ length: 4 }, () => open('first')))
      const [first, ...others] = await Promise.all(stores.map((store) => store.load()))
      expect(first).toHaveLength(1)
      for (const other of others) expect(other).toEqual(first)
      await Promise.all(stores.map((store) => store.close()))
      const again = await open('first')
      expect(await again.load()).toEqual(first)
      await again.close()
    })

    test('keep the public half of each that was replaced, until they are not trusted', async () => {
      const store = await open('replaced')
      const [before] = await store.load()
      await store.replace(true)
      const [now, then] = await store.load()
      expect(then).toMatchObject({ kid: before?.kid, x: before?.x, d: null })
      expect(now?.kid).not.toBe(before?.kid)
      expect(now?.d).not.toBeNull()
      await store.replace(false)
      expect(await store.load()).toHaveLength(1)
      await store.close()
    })
  })
}

describeKeyStore('a file', async (place) =>
  openKeyStore({ databaseUrl: null, dataDir: join(folder, place), log }),
)

describe.skipIf(!hasPostgres)('with a real PostgreSQL', () => {
  const databases = new Map<string, Promise<string>>()
  describeKeyStore('PostgreSQL', async (place) => {
    const database = databases.get(place) ?? createDatabase()
    databases.set(place, database)
    return openKeyStore({ databaseUrl: await database, dataDir: folder, log })
  })
})

describe('the file of the signing keys', () => {
  test('is named in one sentence, not in a stack, where it cannot be read or made', async () => {
    const unreadable = join(folder, 'unreadable')
    mkdirSync(join(unreadable, KEY_FILE), { recursive: true })
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    for (const dataDir of [unreadable, file]) {
      const store = openKeyStore({ databaseUrl: null, dataDir, log })
      const sentence = new OperatorError(
        `${join(dataDir, KEY_FILE)} cannot be read or written. Check the owner and mode of the file and of its folder, and that the disk is neither full nor read-only.`,
      )
      await expect(store.load()).rejects.toThrow(sentence)
      await expect(store.replace(true)).rejects.toThrow(sentence)
    }
  })

  test('is for its owner alone to read', async () => {
    const dataDir = join(folder, 'private')
    await openKeyStore({ databaseUrl: null, dataDir, log }).load()
    expect(statSync(join(dataDir, KEY_FILE)).mode & 0o777).toBe(0o600)
  })

  test('is never mended by a new key when it is damaged, and says so', async () => {
    const dataDir = join(folder, 'private')
    writeFileSync(join(dataDir, KEY_FILE), '{"keys":[')
    const store = openKeyStore({ databaseUrl: null, dataDir, log })
    await expect(store.load()).rejects.toThrow('is damaged')
    await expect(store.replace(true)).rejects.toThrow('is damaged')
    expect(readFileSync(join(dataDir, KEY_FILE), 'utf8')).toBe('{"keys":[')
  })
})

/** Mounting a small file system needs root and its own mount namespace. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

test.skipIf(!canMount)('on a full disk no part of a signing key is left beside the file', () => {
  const place = join(folder, 'full')
  mkdirSync(place)
  const replace = `"${process.execPath}" "${MAIN}" signing-keys replace`
  const script = `mount -t tmpfs -o size=16k none "$DATA_DIR" && dd if=/dev/zero of="$DATA_DIR/filler" status=none 2>&-; ${replace}; ls "$DATA_DIR"`
  const env = { PATH: process.env['PATH'], DATA_DIR: place }
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], { env, encoding: 'utf8' })
  expect(stderr).toContain('the disk is neither full nor read-only')
  expect(stdout.trim()).toBe('filler')
})

test('a running service follows a replaced key within a minute, and signs on while the keys cannot be read', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const store = openKeyStore({ databaseUrl: null, dataDir: join(folder, 'running'), log })
    let isAway = true
    const load = () => (isAway ? Promise.reject(new Error('away')) : store.load())
    const signing = openSigning({ ...store, load }, log)
    const newest = async (): Promise<string | undefined> => (await signing.publicKeys()).keys[0]?.kid
    await expect(newest()).rejects.toThrow('away')
    isAway = false
    const first = await newest()
    expect(first).toBeDefined()
    isAway = true
    await store.replace(true)
    vi.advanceTimersByTime(61_000)
    expect(await newest()).toBe(first)
    isAway = false
    vi.advanceTimersByTime(61_000)
    expect(await newest()).toBe((await store.load())[0]?.kid)
    expect((await signing.publicKeys()).keys).toHaveLength(2)
    await signing.close()
  } finally {
    vi.useRealTimers()
  }
})

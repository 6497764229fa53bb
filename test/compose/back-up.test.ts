import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openAccounts } from '../../src/accounts/accounts.ts'
import { backUp } from '../../src/compose/back-up.ts'
import { OperatorError } from '../../src/errors.ts'
import { openLibrary } from '../../src/library/library.ts'
import { createKeyFile } from '../../src/search/bundles/key-file.ts'
import { createLogger } from '../../src/telemetry/log.ts'

const folder = mkdtempSync(join(tmpdir(), 'verbatim-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const signal = new AbortController().signal

const NAMES = ['accounts.sqlite', 'library.sqlite', 'signing-keys.json']

test.skipIf(!existsSync('/proc/self'))(
  'a folder that nobody can make is told in one sentence, and no attempt goes on for ever',
  async () => {
    const dataDir = join(folder, 'for-proc')
    const accounts = await open(dataDir)
    await accounts.close()
    await expect(backUp(dataDir, '/proc/copies/of/today', signal)).rejects.toThrow(
      new OperatorError(
        'The folder /proc/copies/of/today cannot be made. Name one where this user may write.',
      ),
    )
    await expect(openLibrary({ databaseUrl: null, dataDir: '/proc/data' })).rejects.toThrow(OperatorError)
    await expect(open('/proc/data')).rejects.toThrow(/cannot be written/u)
  },
)

const open = (dataDir: string) =>
  openAccounts({
    store: { dataDir },
    redis: null,
    rateLimit: { points: 10, durationSeconds: 60 },
    log: createLogger('silent'),
  })

test('a copy made while keys are written opens as a data folder and holds all that was there before', async () => {
  const [dataDir, copies] = [join(folder, 'data'), join(folder, 'copies')]
  const [accounts, library] = await Promise.all([open(dataDir), openLibrary({ databaseUrl: null, dataDir })])
  const facts = { language: 'en', publishedAt: null, updatedAt: null }
  await library.putPage(
    { url: 'https://a.example/', title: 'A', text: 'A quokka.', ...facts },
    'https://a.example/',
  )
  await createKeyFile(dataDir).load()
  const before = await accounts.keys.create({ name: 'before', ownerId: null })
  const progress = { isOver: false }
  const writing = (async () => {
    while (!progress.isOver) {
      await accounts.keys.create({ name: 'meanwhile', ownerId: null })
      await setImmediate()
    }
  })()
  const made = await backUp(dataDir, copies, signal)
  await backUp(dataDir, copies, signal)
  progress.isOver = true
  await writing
  await Promise.all([accounts.close(), library.close()])

  expect(made.map((path) => path.slice(copies.length + 1))).toEqual(NAMES)
  expect(readdirSync(copies).toSorted()).toEqual(NAMES)
  for (const path of made) expect(statSync(path).mode & 0o777).toBe(0o600)
  const [restored, pages] = await Promise.all([
    open(copies),
    openLibrary({ databaseUrl: null, dataDir: copies }),
  ])
  expect((await restored.keys.verify(before.key))?.id).toBe(before.record.id)
  expect(await pages.countPages()).toBe(1)
  expect(readFileSync(join(copies, 'signing-keys.json'))).toEqual(
    readFileSync(join(dataDir, 'signing-keys.json')),
  )
  await Promise.all([restored.close(), pages.close()])
})

test('backups into one folder at the same time spoil no copy, and what a killed one left behind goes in time', async () => {
  const [dataDir, copies] = [join(folder, 'data-of-two'), join(folder, 'copies-of-two')]
  const accounts = await open(dataDir)
  const { key } = await accounts.keys.create({ name: 'kept', ownerId: null })
  await createKeyFile(dataDir).load()
  mkdirSync(copies)
  const parts = [1, 2].map((day) =>
    join(copies, `accounts.sqlite.${randomUUID()}.part${day === 1 ? '' : '-wal'}`),
  )
  for (const part of parts) writeFileSync(part, '')
  const long = new Date(Date.now() - 2 * 86_400_000)
  for (const part of parts) utimesSync(part, long, long)
  await Promise.all(Array.from({ length: 4 }, () => backUp(dataDir, copies, signal)))
  await accounts.close()
  expect(readdirSync(copies).toSorted()).toEqual(['accounts.sqlite', 'signing-keys.json'])
  const restored = await open(copies)
  expect(await restored.keys.verify(key)).not.toBeNull()
  await restored.close()
})

test('a folder without a database is named, and nothing is made', async () => {
  await expect(backUp(join(folder, 'nowhere'), join(folder, 'none'), signal)).rejects.toThrow(OperatorError)
  expect(readdirSync(folder)).not.toContain('none')
})

test('the data folder is never copied onto itself, by whatever name: what a service writes would be lost with the file it has open', async () => {
  const [dataDir, link] = [join(folder, 'in-use'), join(folder, 'link')]
  symlinkSync(dataDir, link)
  const accounts = await open(dataDir)
  const { ino } = statSync(join(dataDir, 'accounts.sqlite'))
  for (const target of [dataDir, link, join(dataDir, '..', 'in-use')])
    await expect(backUp(dataDir, target, signal)).rejects.toThrow(/data folder itself/u)
  expect(statSync(join(dataDir, 'accounts.sqlite')).ino).toBe(ino)
  await accounts.close()
})

test('what cannot be copied is told in one sentence that names the file, and no part of a copy stays', async () => {
  const copies = join(folder, 'of-damaged')
  for (const [name, damage] of [
    ['no-database', { at: 0, length: 2_000 }],
    ['damaged-page', { at: 4 * 4_096, length: 8 * 4_096 }],
  ] as const) {
    const dataDir = join(folder, name)
    const accounts = await open(dataDir)
    await accounts.close()
    const path = join(dataDir, 'accounts.sqlite')
    const content = readFileSync(path)
    writeFileSync(path, content.fill(0xa5, damage.at, damage.at + damage.length))
    await expect(backUp(dataDir, copies, signal)).rejects.toThrow(
      new OperatorError(`${path} is damaged and is not copied. Restore it from an earlier backup.`),
    )
    expect(readdirSync(copies)).toEqual([])
  }
  const dataDir = join(folder, 'whole')
  const accounts = await open(dataDir)
  await accounts.close()
  const path = join(dataDir, 'accounts.sqlite')
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  mkdirSync(join(folder, 'taken', 'accounts.sqlite'), { recursive: true })
  for (const target of [file, join(folder, 'taken')])
    await expect(backUp(dataDir, target, signal)).rejects.toThrow(
      new OperatorError(`${path} cannot be copied there. Name a folder where this user may write.`),
    )
  await expect(backUp(dataDir, '', signal)).rejects.toThrow(OperatorError)
})

test('nobody but its owner may read a copy, also while it is made in a folder that others may read', async () => {
  const [dataDir, copies] = [join(folder, 'private'), join(folder, 'shared')]
  const accounts = await open(dataDir)
  await accounts.close()
  mkdirSync(copies, { recursive: true })
  chmodSync(copies, 0o755)
  const modes: number[] = []
  const watcher = watch(copies, (_, name) => {
    const path = join(copies, String(name))
    if (existsSync(path)) modes.push(statSync(path).mode & 0o777)
  })
  await backUp(dataDir, copies, signal)
  watcher.close()
  expect(modes.length).toBeGreaterThan(0)
  expect(modes.filter((mode) => mode !== 0o600)).toEqual([])
})

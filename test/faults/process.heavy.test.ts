// Ending the process at bad moments, and starting it in bad places: the built service, as an operator runs it.
import SqliteDatabase from 'better-sqlite3'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { endProgram, freePort, waitUntil } from '../support/programs.ts'
import { startServiceProcess } from '../support/service-process.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
const KEY = /vbt_[0-9A-Za-z]{36}/u
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-faults-'))
  folders.push(folder)
  return folder
}

/** Starts `serve` without waiting for it, and ends it `afterMs` later. */
async function endDuringStart(dataDir: string, afterMs: number, signal: 'SIGTERM' | 'SIGKILL') {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DATA_DIR: dataDir, BROWSER: 'off', PORT: String(await freePort()) },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.resume()
  await sleep(afterMs)
  await endProgram(child, signal)
  return { output, exitCode: child.exitCode }
}

describe('a process that is ended while it starts', () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s leaves a store that the next start can use',
    async (signal) => {
      const dataDir = newFolder()
      let printed = ''
      for (const afterMs of [150, 700, 1_500]) {
        const ended = await endDuringStart(dataDir, afterMs, signal)
        printed += ended.output
        // SIGTERM before the service listens for it ends the process as the system does; after, it ends itself with 0.
        if (signal === 'SIGTERM') expect([0, null]).toContain(ended.exitCode)
      }
      const service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
      const made = spawnSync(process.execPath, [MAIN, 'keys', 'create', 'after'], {
        env: { ...process.env, DATA_DIR: dataDir },
        encoding: 'utf8',
      })
      const keys = [KEY.exec(printed + service.output())?.[0], KEY.exec(made.stdout)?.[0]]
      for (const key of keys.filter((one) => one !== undefined))
        expect((await service.search(key)).status).toBe(400)
      expect(keys[1]).toBeDefined()
      expect(await service.end('SIGTERM')).toBe(0)
    },
  )
})

/** Whether a key stands in the store, be it told or not. */
function hasKey(dataDir: string): boolean {
  try {
    const file = new SqliteDatabase(join(dataDir, 'accounts.sqlite'), { readonly: true })
    try {
      return file.prepare('select id from api_keys').get() !== undefined
    } finally {
      file.close()
    }
  } catch {
    return false // The file, or the table, is yet to be made.
  }
}

describe('a first start that is killed between making its key and printing it', () => {
  test('leaves the next start to print one, and the one after it to print none', async () => {
    const dataDir = newFolder()
    const child = spawn(process.execPath, [MAIN, 'serve'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, DATA_DIR: dataDir, BROWSER: 'off', PORT: String(await freePort()) },
    })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    await waitUntil(() => {
      if (!hasKey(dataDir)) throw new Error('no key was made')
    }, 60_000)
    await endProgram(child, 'SIGKILL')
    const second = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
    const key = KEY.exec(printed + second.output())?.[0] ?? 'none was printed'
    expect((await second.search(key)).status).toBe(400)
    expect(await second.end('SIGTERM')).toBe(0)
    const third = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
    expect(third.output()).not.toMatch(KEY)
    expect((await third.search(key)).status).toBe(400)
    expect(await third.end('SIGTERM')).toBe(0)
  })
})

describe('a process that is killed while it answers', () => {
  test('keeps every key it had handed out, over many kills', async () => {
    const dataDir = newFolder()
    let service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
    const key = KEY.exec(service.output())?.[0] ?? ''
    for (const afterMs of [0, 100]) {
      const underWay = Promise.allSettled(
        Array.from({ length: 6 }, () => service.search(key, { query: 'How do I revoke an API key?' })),
      )
      await sleep(afterMs)
      await service.end('SIGKILL')
      await underWay
      service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
      expect((await service.search(key, { query: 'How do I revoke an API key?' })).status).toBe(200)
    }
    expect(await service.end('SIGTERM')).toBe(0)
  })
})

describe('a place that cannot hold the data', () => {
  const serveIn = (dataDir: string) =>
    spawnSync(process.execPath, [MAIN, 'serve'], {
      env: { ...process.env, DATA_DIR: dataDir, BROWSER: 'off', PORT: '0' },
      encoding: 'utf8',
      timeout: 60_000,
    })

  test('a file where the folder should be ends the start with one sentence that names it', () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const { status, stderr } = serveIn(join(file, 'data'))
    expect(status).toBe(1)
    expect(stderr).toContain(file)
    expect(stderr).not.toMatch(/\n\s+at /u)
  })

  test('a damaged database ends the start with one sentence, and is not overwritten', () => {
    const dataDir = newFolder()
    const { status } = spawnSync(process.execPath, [MAIN, 'keys', 'create', 'k'], {
      env: { ...process.env, DATA_DIR: dataDir },
    })
    expect(status).toBe(0)
    const file = join(dataDir, 'accounts.sqlite')
    const damaged = 'this is no database, whatever its name says'.repeat(200)
    writeFileSync(file, damaged)
    const ended = serveIn(dataDir)
    expect(ended.status).toBe(1)
    expect(ended.stderr).toMatch(/damaged|no database/iu)
    expect(ended.stderr).not.toMatch(/\n\s+at /u)
    expect(readFileSync(file, 'utf8')).toBe(damaged)
  })

  const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
  test.skipIf(!canMount)('a read-only disk ends the start with one sentence', () => {
    const dataDir = newFolder()
    const script = 'mount -t tmpfs -o size=1m,ro none "$DATA_DIR" && exec "$@"'
    const { status, stderr } = spawnSync(
      'unshare',
      ['-m', 'sh', '-c', script, 'sh', process.execPath, MAIN, 'serve'],
      { env: { ...process.env, DATA_DIR: dataDir, BROWSER: 'off', PORT: '0' }, encoding: 'utf8' },
    )
    expect(status).toBe(1)
    expect(stderr).toContain('cannot be written')
    expect(stderr).not.toMatch(/\n\s+at /u)
  })
})

/** Loaded into the process before the service: a signal then brings about what no caller can. */
const FAILS_ON_SIGNAL = [
  "process.on('SIGUSR2', () => void Promise.reject(new Error('a promise of nobody')))",
  "process.on('SIGWINCH', () => { throw new Error('an exception of nobody') })",
].join(';')

describe('a failure that nobody took', () => {
  const startFaulty = () =>
    startServiceProcess({
      DATA_DIR: newFolder(),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAILS_ON_SIGNAL)}`,
    })

  test('of a promise is logged and counted, and the service stays up', async () => {
    const service = await startFaulty()
    service.child.kill('SIGUSR2')
    await expect
      .poll(async () => (await fetch(`${service.url}/metrics`)).text())
      .toContain('\nverbatim_unhandled_rejections_total 1\n')
    expect(service.output()).toContain('a promise of nobody')
    const key = KEY.exec(service.output())?.[0] ?? ''
    expect((await service.search(key, { query: 'How do I revoke an API key?' })).status).toBe(200)
    expect(await service.end('SIGTERM')).toBe(0)
  })

  test('of an exception ends the service in order: searches under way are answered, the log tells why, exit code 1', async () => {
    const service = await startFaulty()
    const key = KEY.exec(service.output())?.[0] ?? ''
    const underWay = service.search(key, { query: 'How do I revoke an API key?', search_depth: 'exhaustive' })
    await expect
      .poll(async () => (await fetch(`${service.url}/metrics`)).text(), { interval: 5 })
      .toContain('\nverbatim_searches_running 1\n')
    const ended = once(service.child, 'exit')
    service.child.kill('SIGWINCH')
    expect((await underWay).status).toBe(200)
    expect(await ended).toEqual([1, null])
    expect(service.output()).toContain('an exception of nobody')
  })
})

describe('a log that nobody takes any more', () => {
  test('costs no answer: the service goes on and ends in order', async () => {
    const service = await startServiceProcess({ DATA_DIR: newFolder() })
    for (const stream of [service.child.stdout, service.child.stderr]) stream.destroy()
    const statuses = []
    for (let turn = 0; turn < 5; turn += 1) statuses.push((await fetch(`${service.url}/nowhere`)).status)
    expect(statuses).toEqual([404, 404, 404, 404, 404])
    expect(await service.end('SIGTERM')).toBe(0)
  })
})

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)
describe.skipIf(!hasIpv6)('a service that listens on every address of both kinds', () => {
  test('reads its own documentation', async () => {
    const service = await startServiceProcess({ DATA_DIR: newFolder(), HOST: '::' })
    const key = KEY.exec(service.output())?.[0] ?? ''
    const answer = await service.search(key, { query: 'How do I revoke an API key?' })
    expect(await answer.json()).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({
          url: expect.stringMatching(/^http:\/\/\[::1\]:\d+\/docs\//u),
          warning: null,
          snippets: expect.arrayContaining([
            expect.objectContaining({ text: expect.stringMatching(/revoke/iu) }),
          ]),
        }),
      ]),
    })
    expect(await service.end('SIGTERM')).toBe(0)
  })
})

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startServiceProcess } from '../support/service-process.ts'

/** What a service with a browser keeps there while it runs. */
const PROFILE = /^playwright_chromiumdev_profile-/u

describe.runIf(process.platform === 'linux')('the temporary folder of a service', () => {
  let shared = ''
  beforeEach(() => {
    shared = mkdtempSync(join(tmpdir(), 'verbatim-shared-'))
  })
  afterEach(() => rmSync(shared, { recursive: true, force: true }))

  const start = (environment: NodeJS.ProcessEnv = {}) =>
    startServiceProcess({ DATA_DIR: join(shared, 'data'), TMPDIR: shared, LOG_LEVEL: 'warn', ...environment })
  const folders = (): string[] => readdirSync(shared).filter((name) => name !== 'data')

  test('goes with a service that ends, and with the next one when it was killed, its browser’s profile included', async () => {
    const killed = await start({ BROWSER: 'auto' })
    const left = folders()
    expect(left).toEqual([expect.stringMatching(/^verbatim-process-\d+-\d+-\d+$/u)])
    expect(readdirSync(join(shared, left[0] ?? ''))).toContainEqual(expect.stringMatching(PROFILE))
    await killed.end('SIGKILL')
    expect(folders()).toEqual(left)

    const next = await start()
    expect(folders()).toHaveLength(1)
    expect(folders()).not.toEqual(left)
    expect(await next.end('SIGTERM')).toBe(0)
    expect(folders()).toEqual([])
  })

  test('is left alone by others while its service runs, and so is what belongs to processes of another container', async () => {
    const first = await start({ DATA_DIR: join(shared, 'data') })
    const own = folders()
    const namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/gu, '')
    const elsewhere = `verbatim-process-${Number(namespace) + 1}-1-1`
    // A number that came again: this process has it, and began at another time.
    const reused = `verbatim-process-${namespace}-${process.pid}-1`
    for (const name of [elsewhere, reused]) {
      mkdirSync(join(shared, name))
      writeFileSync(join(shared, name, 'file'), 'kept')
    }
    const second = await start({ DATA_DIR: join(shared, 'data', 'second') })
    expect(folders()).toEqual(expect.arrayContaining([...own, elsewhere]))
    expect(folders()).not.toContain(reused)
    expect(readFileSync(join(shared, elsewhere, 'file'), 'utf8')).toBe('kept')
    await Promise.all([first.end(), second.end()])
    expect(folders()).toEqual([elsewhere])
  })
})

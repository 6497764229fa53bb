import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { TimeLimitError } from '../../src/concurrency/deadline.ts'
import { startWorker } from '../../src/concurrency/worker-thread.ts'
import { startWorkerProcess } from '../../src/concurrency/worker-process.ts'
import type { WorkerEnd } from '../../src/concurrency/worker-errors.ts'
import { openWorkerPool, WorkerLostError, type WorkerPoolOptions } from '../../src/concurrency/worker-pool.ts'
import type { Task } from './tasks-worker.ts'

const FOR_EVER_MS = 600_000
const never = new AbortController().signal
const patient = { isUrgent: false }
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

const startThread = () => startWorker(import.meta.url, 'tasks-worker', { memoryMb: 256 })
const startProcess = () => startWorkerProcess(import.meta.url, 'tasks-worker', { memoryMb: 64 })

async function openPool(options: Partial<WorkerPoolOptions> = {}) {
  const ends: WorkerEnd[] = []
  const pool = await openWorkerPool<Task, string>({
    start: startThread,
    workers: 1,
    tasksPerWorker: 1,
    queueLimit: 100,
    isKillable: true,
    onWorkerEnd: (reason) => ends.push(reason),
    ...options,
  })
  closers.push(pool.close)
  const run = (task: Task, deadlineMs?: number, signal = never): Promise<string> => {
    const [result] = pool.submit(
      [task],
      deadlineMs === undefined ? patient : { ...patient, deadlineMs },
      signal,
    )
    return result ?? Promise.reject(new Error('no task'))
  }
  return { ...pool, run, ends }
}

const counter = (): SharedArrayBuffer => new SharedArrayBuffer(4)
const countOf = (cell: SharedArrayBuffer): number => Atomics.load(new Int32Array(cell), 0)
const echo = (text: string): Task => ({ kind: 'echo', text })

describe('a task that is not done when its turn is over', () => {
  test('gives its worker up to those that wait, and is done after them', async () => {
    const pool = await openPool({ turnMs: 200 })
    const tries = counter()
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const slow = pool.run({ kind: 'spin', ms: 1_000, tries }).then(note('slow'))
    const quick = ['one', 'two'].map((name) => pool.run(echo(name)).then(note(name)))
    await Promise.all([slow, ...quick])
    expect(order).toEqual(['one', 'two', 'slow'])
    expect([pool.ends, countOf(tries)]).toEqual([['turn'], 2])
  })

  test('goes on while nobody waits, and gives way once', async () => {
    const pool = await openPool({ turnMs: 100 })
    const alone = counter()
    await pool.run({ kind: 'spin', ms: 500, tries: alone })
    const tries = counter()
    const slow = pool.run({ kind: 'spin', ms: 1_500, tries })
    expect(await pool.run(echo('first'))).toBe('first')
    const later = pool.run(echo('later'))
    expect(await Promise.race([slow, later])).toBe('spun')
    expect([pool.ends, countOf(alone), countOf(tries)]).toEqual([['turn'], 1, 2])
  })

  test('leaves a worker to newcomers, however many such tasks there are', async () => {
    const pool = await openPool({ workers: 2, turnMs: 200 })
    const endless = Array.from({ length: 5 }, () =>
      pool.run({ kind: 'spin', ms: FOR_EVER_MS }, Date.now() + 6_000),
    )
    const ended = Promise.allSettled(endless)
    expect(await pool.run(echo('the last one is answered'))).toBe('the last one is answered')
    expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
  })
})

describe('a task past its deadline', () => {
  test('is given up, its thread ended and replaced, and it is never tried again', async () => {
    const pool = await openPool()
    const tries = counter()
    const stuck = pool.run({ kind: 'spin', ms: FOR_EVER_MS, tries }, Date.now() + 300)
    await expect(stuck).rejects.toThrow(TimeLimitError)
    expect(await pool.run(echo('well again'))).toBe('well again')
    expect(pool.ends).toEqual(['deadline'])
    expect(countOf(tries)).toBe(1)
  })

  test('does not end a thread that holds models', async () => {
    const pool = await openPool({ isKillable: false })
    const before = await pool.run({ kind: 'who' })
    await expect(pool.run({ kind: 'spin', ms: 1_500 }, Date.now() + 50)).rejects.toThrow(TimeLimitError)
    expect(await pool.run({ kind: 'who' })).toBe(before)
    expect(pool.ends).toEqual([])
  })

  test('is told so, and a thread that heeds it is kept', async () => {
    const pool = await openPool({ tasksPerWorker: 2 })
    const before = await pool.run({ kind: 'who' })
    const heard = counter()
    const left = new AbortController()
    const waiting = pool.run({ kind: 'turns', heard }, undefined, left.signal)
    await pool.run(echo('the other one takes its turn'))
    left.abort(new Error('the caller left'))
    await expect(waiting).rejects.toThrow('the caller left')
    await expect.poll(() => countOf(heard)).toBe(1)
    expect(await pool.run({ kind: 'who' })).toBe(before)
  })

  test('was over before it began: no worker hears of it', async () => {
    const pool = await openPool()
    const tries = counter()
    const late = pool.run({ kind: 'spin', ms: 0, tries }, Date.now() - 1)
    await expect(late).rejects.toThrow(TimeLimitError)
    await pool.run(echo('after'))
    expect(countOf(tries)).toBe(0)
  })
})

test('a task that never gives its thread back costs those that share it a second, and newcomers nothing', async () => {
  const pool = await openPool({ workers: 2, tasksPerWorker: 4 })
  const tries = counter()
  const stuck = pool.run({ kind: 'spin', ms: FOR_EVER_MS, tries }, Date.now() + 15_000)
  const sharing = Array.from({ length: 7 }, (_, index) => pool.run(echo(`shared ${index}`)))
  expect(await Promise.all(sharing)).toEqual(sharing.map((_, index) => `shared ${index}`))
  for (let index = 0; index < 20; index += 1) expect(await pool.run(echo('newcomer'))).toBe('newcomer')
  await expect(stuck).rejects.toThrow(TimeLimitError)
  expect(pool.ends.filter((end) => end === 'deadline')).toHaveLength(1)
  expect(countOf(tries)).toBeLessThanOrEqual(2)
})

test('several tasks that never end leave a worker to the others', async () => {
  const pool = await openPool({ workers: 2, tasksPerWorker: 4 })
  const spin = (): Promise<string> => pool.run({ kind: 'spin', ms: FOR_EVER_MS }, Date.now() + 20_000)
  const stuck = Promise.allSettled([spin(), spin(), spin()])
  // By now those that shared a worker were found out, and want one to themselves.
  await expect.poll(() => pool.ends.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(1)
  expect(await pool.run(echo('an ordinary page'))).toBe('an ordinary page')
  expect((await stuck).every(({ status }) => status === 'rejected')).toBe(true)
})

describe('a worker in a process of its own', () => {
  test('is ended when it outgrows its memory, alone, and what did it is not tried again', async () => {
    const pool = await openPool({ start: startProcess })
    const grown = pool.run({ kind: 'grow' })
    await expect(grown).rejects.toThrow(WorkerLostError)
    expect(pool.ends).toEqual(['memory'])
    expect(await pool.run(echo('well again'))).toBe('well again')
  })

  test('is ended for a task past its deadline', async () => {
    const pool = await openPool({ start: startProcess })
    const stuck = pool.run({ kind: 'spin', ms: FOR_EVER_MS }, Date.now() + 300)
    await expect(stuck).rejects.toThrow(TimeLimitError)
    expect(await pool.run(echo('well again'))).toBe('well again')
  })

  test.skipIf(process.platform !== 'linux')(
    'rests when it has nothing to do, and is woken by the next task',
    async () => {
      const pool = await openPool({ start: startProcess, restMs: 50 })
      const [pid = ''] = (await pool.run({ kind: 'who' })).split('/')
      await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
      const woken = await pool.run({ kind: 'who' })
      expect(woken.split('/')[0]).not.toBe(pid)
      expect(pool.ends).toEqual([])
    },
  )

  test('is begun by a thread, never by the one that serves', async () => {
    const pool = await openPool({ start: startProcess })
    expect(await pool.run(echo('well'))).toBe('well')
    expect(process.getActiveResourcesInfo()).not.toContain('ProcessWrap')
  })

  test.skipIf(process.platform !== 'linux')('knows none of our settings', async () => {
    const pool = await openPool({ start: startProcess })
    const [pid = ''] = (await pool.run({ kind: 'who' })).split('/')
    const { readFileSync } = await import('node:fs')
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((pair) => pair.split('=')[0])
    expect(names.filter((name) => name !== '' && !name?.startsWith('NODE_CHANNEL'))).toEqual([])
  })

  test('does not outlive a pool that is closed in the middle of its work', async () => {
    const pool = await openPool({ start: startProcess })
    const [pid = ''] = (await pool.run({ kind: 'who' })).split('/')
    const stuck = pool.run({ kind: 'spin', ms: FOR_EVER_MS })
    stuck.catch(() => undefined)
    await sleep(50)
    await pool.close()
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
    await expect(stuck).rejects.toThrow(WorkerLostError)
  })
})

import { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { runForOwner } from '../../src/concurrency/turns/task-owner.ts'
import {
  openWorkerPool,
  QueueFullError,
  TaskFailedError,
  WorkerLostError,
  type WorkerPool,
} from '../../src/concurrency/worker-pool.ts'
import type { PoolWorker } from '../../src/concurrency/worker-holder.ts'

/** Tasks of the worker below. `die` ends the thread while `left` (shared) is above 0. */
type Task =
  | { echo: string }
  | { wait: number; echo: string }
  | { throws: string }
  | { die: SharedArrayBuffer }

const WORKER = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ id, task }) => {
    if (task.throws) return parentPort.postMessage({ id, failure: task.throws })
    if (task.die && Atomics.sub(new Int32Array(task.die), 0, 1) > 0) process.exit(7)
    if (task.wait) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, task.wait)
    parentPort.postMessage({ id, result: task.echo ?? 'alive' })
  })
  parentPort.postMessage({ ready: true })
`
const asked = (): AbortSignal => new AbortController().signal
const never = asked()
const patient = { isUrgent: false }
const pools: WorkerPool<Task, string>[] = []
/** Every one that the pools of the running test have started. */
let started: Worker[] = []

interface PoolOptions {
  workers?: number
  rest?: { awakeMin: number; restMs: number }
  queueLimit?: number
  code?: string
}
async function openPool({ workers = 1, rest, queueLimit = 100, code = WORKER }: PoolOptions = {}) {
  const start = () => {
    const worker = new Worker(code, { eval: true })
    started.push(worker)
    return worker
  }
  const pool = await openWorkerPool<Task, string>({ start, workers, ...rest, tasksPerWorker: 2, queueLimit })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
  started = []
})

const slowTasks = (count: number, wait = 10): Task[] =>
  Array.from({ length: count }, (_, index) => ({ wait, echo: `${index}` }))

describe('the worker pool', () => {
  it('answers every task with its own result', async () => {
    const pool = await openPool({ workers: 2 })
    const tasks = Array.from({ length: 50 }, (_, index): Task => ({ echo: `${index}` }))
    const results = await Promise.all(pool.submit(tasks, patient, never))
    expect(results).toEqual(tasks.map((_, index) => `${index}`))
  })

  it('refuses, all or nothing, what finds no room', async () => {
    const pool = await openPool({ queueLimit: 3 })
    const accepted = pool.submit(slowTasks(5), patient, never)
    expect(() => pool.submit([{ echo: 'one more' }], patient, never)).toThrow(QueueFullError)
    await Promise.all(accepted)
    await expect(Promise.all(pool.submit(slowTasks(5), patient, never))).resolves.toHaveLength(5)
  })

  it('lets urgent work overtake what waits', async () => {
    const pool = await openPool()
    const order: string[] = []
    const slow = pool
      .submit(slowTasks(10), patient, never)
      .map((done) => done.then((echo) => order.push(echo)))
    const [urgent] = pool.submit([{ echo: 'urgent' }], { isUrgent: true }, never)
    await urgent?.then((echo) => order.push(echo))
    await Promise.all(slow)
    expect(order.indexOf('urgent')).toBeLessThanOrEqual(2)
  })

  it('gives turns: a short request does not wait for a long one', async () => {
    const pool = await openPool()
    let longDone = 0
    const long = pool.submit(slowTasks(40, 5), patient, never).map((done) => done.then(() => longDone++))
    await Promise.all(pool.submit(slowTasks(3, 5), patient, never))
    expect(longDone).toBeLessThan(15)
    await Promise.all(long)
  })

  it('gives turns by owner: the twenty requests of one hold up the single one of another by no more than one each', async () => {
    const pool = await openPool()
    const order: string[] = []
    const request = (owner: string, count: number): Promise<unknown>[] =>
      runForOwner(owner, () => pool.submit(slowTasks(count, 1), patient, asked())).map((done) =>
        done.then(() => order.push(owner)),
      )
    const many = Array.from({ length: 20 }, () => request('many', 4)).flat()
    const few = request('one', 4)
    await Promise.all([...many, ...few])
    // The two that the worker held already, and one for each of its own.
    expect(order.lastIndexOf('one')).toBeLessThan(2 + 2 * 4)
  })

  it('gives turns by owner to what is urgent, too, and to what was asked for in the midst of its work', async () => {
    const pool = await openPool()
    const order: string[] = []
    const request = (owner: string) =>
      runForOwner(owner, async () => {
        await Promise.resolve()
        await Promise.all(pool.submit(slowTasks(1, 1), { isUrgent: true }, asked()))
        order.push(owner)
      })
    const many = Array.from({ length: 20 }, () => request('many'))
    await Promise.all([...many, request('one')])
    expect(order.indexOf('one')).toBeLessThan(4)
  })

  it('finds room for an owner where another has taken all there is, and no more for that other', async () => {
    const pool = await openPool({ queueLimit: 10 })
    const request = (owner: string, count: number) =>
      runForOwner(owner, () => pool.submit(slowTasks(count, 1), patient, never))
    const accepted = [...request('many', 12), ...request('one', 5)]
    expect(() => request('many', 1)).toThrow(QueueFullError)
    expect(() => request('one', 1)).toThrow(QueueFullError)
    accepted.push(...request('another', 5))
    // Twice what may wait does, however many they are.
    expect(() => request('yet another', 1)).toThrow(QueueFullError)
    await expect(Promise.all(accepted)).resolves.toHaveLength(22)
  })

  it('stops what waits when its signal is aborted, and leaves the rest alone', async () => {
    const pool = await openPool()
    const controller = new AbortController()
    const stopped = pool.submit(slowTasks(20), patient, controller.signal)
    const kept = pool.submit(slowTasks(2), patient, never)
    controller.abort(new Error('no longer wanted'))
    const outcomes = await Promise.allSettled(stopped)
    expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true)
    await expect(Promise.all(kept)).resolves.toEqual(['0', '1'])
    expect(() => pool.submit([{ echo: 'x' }], patient, controller.signal)).toThrow('no longer wanted')
  })

  it('hands the tasks of a dead worker to its replacement, once', async () => {
    const pool = await openPool()
    const diesOnce = new SharedArrayBuffer(4)
    new Int32Array(diesOnce)[0] = 1
    const results = pool.submit([{ die: diesOnce }, { echo: 'after' }, { echo: 'later' }], patient, never)
    await expect(Promise.all(results)).resolves.toEqual(['alive', 'after', 'later'])
  })

  it('gives up on a task that kills its worker twice, and works on', async () => {
    const pool = await openPool()
    const kills = new SharedArrayBuffer(4)
    new Int32Array(kills)[0] = 1_000
    await expect(Promise.all(pool.submit([{ die: kills }], patient, never))).rejects.toThrow(WorkerLostError)
    await expect(Promise.all(pool.submit([{ echo: 'well' }], patient, never))).resolves.toEqual(['well'])
  })

  it('tells a task that failed from a worker that is lost', async () => {
    const pool = await openPool()
    await expect(Promise.all(pool.submit([{ throws: 'bad input' }], patient, never))).rejects.toThrow(
      TaskFailedError,
    )
  })

  it('reaches every worker with a broadcast', async () => {
    const pool = await openPool({ workers: 3 })
    await expect(Promise.all(pool.broadcast({ echo: 'hello' }, never))).resolves.toEqual([
      'hello',
      'hello',
      'hello',
    ])
  })

  it('fails what is not done when it is closed, and takes nothing more', async () => {
    const pool = await openPool()
    const open = Promise.allSettled(pool.submit(slowTasks(10), patient, never))
    await pool.close()
    expect((await open).at(-1)?.status).toBe('rejected')
    expect(() => pool.submit([{ echo: 'x' }], patient, never)).toThrow(WorkerLostError)
  })

  it('ends no worker in the midst of a task when it is closed', async () => {
    const pool = await openPool()
    const [begun] = pool.submit(slowTasks(1, 300), patient, never)
    await pool.close()
    await expect(begun).resolves.toBe('0')
  })

  it('keeps one worker up, starts another when it has more than a task, and lets that one rest again', async () => {
    const pool = await openPool({ workers: 2, rest: { awakeMin: 1, restMs: 100 } })
    await Promise.all(pool.submit([{ echo: 'alone' }], patient, never))
    expect(started).toHaveLength(1)
    await expect(Promise.all(pool.submit(slowTasks(8, 100), patient, never))).resolves.toHaveLength(8)
    expect(started).toHaveLength(2)
    const [kept, resting] = started
    await expect.poll(() => resting?.threadId).toBe(-1)
    expect(kept?.threadId).not.toBe(-1)
    expect(pool.isUp()).toBe(true)
    await expect(Promise.all(pool.submit(slowTasks(8), patient, never))).resolves.toHaveLength(8)
    expect(started).toHaveLength(3)
  })

  it('gives no worker large tasks alone: what takes a moment does not wait for all that came before it', async () => {
    const pool = await openPool()
    const order: string[] = []
    const large = ['large', 'second large', 'third large'].map((echo) =>
      Promise.all(pool.submit([{ wait: 50, echo }], { isUrgent: true, isLarge: true }, never)),
    )
    const small = Promise.all(pool.submit([{ echo: 'small' }], patient, never))
    for (const done of [...large, small]) void done.then(([echo = '']) => order.push(echo))
    await Promise.all([...large, small])
    expect(order).toEqual(['large', 'small', 'second large', 'third large'])
  })

  it('has one worker in place of one that was lost, and leaves none behind, however many are lost', async () => {
    const pool = await openPool({ workers: 2, rest: { awakeMin: 1, restMs: 60_000 } })
    for (let round = 0; round < 3; round++) {
      const left = new SharedArrayBuffer(4)
      new Int32Array(left)[0] = 1
      const tasks: Task[] = [{ die: left }, ...slowTasks(8, 100)]
      await expect(Promise.all(pool.submit(tasks, patient, never))).resolves.toHaveLength(9)
    }
    await pool.close()
    expect(started.filter(({ threadId }) => threadId !== -1)).toEqual([])
  })

  it('tries again what shared a worker that was ended over a task that was given up, though that ended before it', async () => {
    const workers: (PoolWorker & { sent: unknown[] })[] = []
    const start = (): PoolWorker => {
      const sent: unknown[] = []
      const worker = Object.assign(new EventEmitter(), {
        sent,
        postMessage: (message: unknown): void => void sent.push(message),
        /** The last word of the task that was given up comes while its worker is on its way out. */
        async terminate(): Promise<void> {
          worker.emit('message', { id: 0, failure: 'given up' })
          worker.emit('exit')
        },
      })
      workers.push(worker)
      queueMicrotask(() => worker.emit('message', { ready: true, hearsCancel: true }))
      return worker
    }
    const options = { start, workers: 1, tasksPerWorker: 2, queueLimit: 10, isKillable: true }
    const pool = await openWorkerPool<Task, string>(options)
    const gone = new AbortController()
    const [left] = pool.submit([{ echo: 'left' }], patient, gone.signal)
    const [wanted] = pool.submit([{ echo: 'wanted' }], patient, never)
    gone.abort(new Error('the client went away'))
    await expect(left).rejects.toThrow('the client went away')
    await expect.poll(() => workers.at(1)?.sent.length).toBe(1)
    workers[1]?.emit('message', { id: 1, result: 'wanted' })
    await expect(wanted).resolves.toBe('wanted')
    await pool.close()
  })

  it('does not open when its workers do not start', async () => {
    await expect(openPool({ code: 'throw new Error("broken")' })).rejects.toThrow(WorkerLostError)
  })
})

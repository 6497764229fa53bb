// Holds one worker of a pool for as long as the pool lives: starts it, starts another when it has gone, and says why it
// did.
import type { EventEmitter } from 'node:events'
import type { WorkerReply, WorkerRequest } from './serve-tasks.ts'
import { WorkerLostError, WorkerMemoryError, type WorkerEnd } from './worker-errors.ts'

/** A thread, or a process of its own (worker-process.ts). */
export interface PoolWorker extends EventEmitter {
  postMessage(message: unknown, transfer: []): void
  terminate(): Promise<unknown>
}

export interface HolderRules {
  start: () => PoolWorker
  /** Whether the worker may be ended for a task that does not end; not where it holds models that are slow to load. */
  isKillable: boolean
  /** When set, a worker that has gone is not replaced before it is asked for. */
  restMs?: number
}

interface HolderEvents<Result> {
  /** Every message, `ready` included. */
  onReply(reply: WorkerReply<Result>): void
  onEnd(end: { cause: unknown; reason: WorkerEnd }): void
}

const START_TIMEOUT_MS = 60_000
/** A worker that dies again and again is restarted after 50 ms, 100 ms, 200 ms … and at most this. */
const FIRST_RESTART_DELAY_MS = 50
const RESTART_DELAY_MS_MAX = 30_000

export function createHolder<Result>(rules: HolderRules, events: HolderEvents<Result>) {
  /** Null until it is ready. */
  let worker: PoolWorker | null = null
  let started: PoolWorker | null = null
  let hearsCancel = false
  let isStarting = false
  let isClosed = false
  /** Since the last answer. */
  let deaths = 0
  let endReason: WorkerEnd = 'crash'
  let ending: PoolWorker | null = null

  function lose(cause: unknown): void {
    const wasReady = worker !== null
    worker = null
    isStarting = false
    const reason = cause instanceof WorkerMemoryError ? 'memory' : endReason
    endReason = 'crash'
    events.onEnd({ cause, reason })
    if (isClosed || rules.restMs !== undefined) return
    // One that does not start either comes back here through its exit, and is tried again later.
    setTimeout(() => void (isClosed || start().catch(() => undefined)), restartDelayMs(deaths)).unref()
    // One that was ended over what it was given starts anew at once, however often that happens.
    if (!(rules.isKillable && wasReady)) deaths += 1
  }

  /** Starts a worker. Resolves when it is ready; rejects when it ends before that. */
  function start(): Promise<void> {
    isStarting = true
    return new Promise((resolve, reject) => {
      const starting = rules.start()
      started = starting
      follow<Result>(starting, {
        onReply(reply) {
          if ('ready' in reply) {
            worker = starting
            isStarting = false
            hearsCancel = reply.hearsCancel === true
            resolve()
          } else if ('id' in reply) deaths = 0
          events.onReply(reply)
        },
        onExit(cause) {
          reject(new WorkerLostError('A worker could not be started.', { cause }))
          lose(cause)
        },
      })
    })
  }

  return {
    start,
    isReady: (): boolean => worker !== null,
    /** Whether it must be started before it can take a task: one that does not rest is replaced unasked. */
    isAtRest: (): boolean => rules.restMs !== undefined && worker === null && !isStarting && !isClosed,
    /** Whether the worker that runs listens when a task is given up. */
    hearsCancel: (): boolean => hearsCancel,
    send: (request: WorkerRequest<unknown>): void => worker?.postMessage(request, []),
    /** Ends the worker, for another one to take its place. */
    end(reason: WorkerEnd): void {
      // One that is on its way out takes as long as what it is in the midst of; who asks again need not end it again.
      if (worker === null || worker === ending) return
      ending = worker
      endReason = reason
      void worker.terminate()
    },
    /** Ends the worker for good. */
    close: async (): Promise<void> => {
      isClosed = true
      await started?.terminate()
    },
  }
}

/** What becomes of a worker: its replies, then its end and the last error. One that is not ready in time is ended. */
function follow<Result>(
  worker: PoolWorker,
  tell: { onReply(reply: WorkerReply<Result>): void; onExit(cause: unknown): void },
): void {
  const startTimer = setTimeout(() => void worker.terminate(), START_TIMEOUT_MS)
  let cause: unknown = new Error('The worker ended without an error.')
  worker.on('message', (reply: WorkerReply<Result>) => {
    if ('ready' in reply) clearTimeout(startTimer)
    tell.onReply(reply)
  })
  worker.on('error', (error: Error) => {
    cause = asMemoryError(error)
  })
  worker.on('exit', () => {
    clearTimeout(startTimer)
    tell.onExit(cause)
  })
}

const restartDelayMs = (deaths: number): number =>
  Math.min(RESTART_DELAY_MS_MAX, FIRST_RESTART_DELAY_MS * 2 ** deaths)

const asMemoryError = (error: Error): Error =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new WorkerMemoryError('The worker reached its limit of memory.', { cause: error })
    : error

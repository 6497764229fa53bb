// A pool of worker threads that replaces the dead, gives urgent work precedence and says when its queue is full.
// Own code rather than piscina, because aborting there kills the thread (and the models it loaded) and its queue lets
// a long request hold up a short one; the throughput is the same.
import type { Worker } from 'node:worker_threads'
import { createWorkQueue, type Job } from './task-queue.ts'

/** The queue cannot take the work: the caller must be told to come back later. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

/** The worker died or hung twice over the same task, could not be started, or the pool was closed. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError'
}

/** The task itself failed in the worker; the worker is well. */
export class TaskFailedError extends Error {
  override readonly name = 'TaskFailedError'
}

/** What a worker sends: `ready` once, then an answer to each `{ id, task }` it is given. */
export type WorkerReply<Result> =
  | { ready: true }
  | { id: number; result: Result }
  | { id: number; failure: string }

export interface WorkerPoolOptions {
  start: () => Worker
  workers: number
  /** Tasks handed to a worker at a time; the second hides the way between the threads. */
  tasksPerWorker: number
  /** Tasks that may wait. */
  queueLimit: number
}

/** A worker that does not answer for this long is replaced. */
const TASK_TIMEOUT_MS = 60_000
const START_TIMEOUT_MS = 60_000
/** A worker that dies again and again is restarted after 50 ms, 100 ms, 200 ms … and at most this. */
const FIRST_RESTART_DELAY_MS = 50
const MAX_RESTART_DELAY_MS = 30_000
const CLOSE_TIMEOUT_MS = 5_000
/** Times a task is handed out: once more after its worker was lost. */
const MAX_TRIES = 2

/** A place in the pool: its worker may be replaced, its number stays. */
interface Seat<Task, Result> {
  number: number
  worker: Worker | null
  jobs: Map<number, Job<Task, Result>>
  watchdog: NodeJS.Timeout | undefined
  /** Deaths since the last answer. */
  deaths: number
}

interface SeatEvents<Task, Result> {
  onReady(): void
  onReply(seat: Seat<Task, Result>, reply: Exclude<WorkerReply<Result>, { ready: true }>): void
  onLost(seat: Seat<Task, Result>, cause: unknown): void
}

/** Starts a worker for the seat. Resolves when it is ready; rejects when it ends before that. */
function startSeat<Task, Result>(
  seat: Seat<Task, Result>,
  start: () => Worker,
  events: SeatEvents<Task, Result>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = start()
    const startTimer = setTimeout(() => void worker.terminate(), START_TIMEOUT_MS)
    let cause: unknown = new Error('The worker ended without an error.')
    worker.on('message', (reply: WorkerReply<Result>) => {
      if (!('ready' in reply)) {
        events.onReply(seat, reply)
        return
      }
      clearTimeout(startTimer)
      seat.worker = worker
      resolve()
      events.onReady()
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      clearTimeout(startTimer)
      clearTimeout(seat.watchdog)
      seat.worker = null
      reject(new WorkerLostError('A scoring worker could not be started.', { cause }))
      events.onLost(seat, cause)
    })
  })
}

/** Restarts the timer that ends a worker which holds tasks and does not answer. */
function watch<Task, Result>(seat: Seat<Task, Result>): void {
  clearTimeout(seat.watchdog)
  if (seat.jobs.size > 0) seat.watchdog = setTimeout(() => void seat.worker?.terminate(), TASK_TIMEOUT_MS)
}

/** Ends the workers, waiting at most five seconds for them. */
async function endSeats<Task, Result>(seats: readonly Seat<Task, Result>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)
  })
  await Promise.race([Promise.all(seats.map(async (seat) => seat.worker?.terminate())), timeout])
  clearTimeout(timer)
}

/** Hands waiting jobs to the seats, the least busy first, so that no worker idles while another holds two tasks. */
function handOut<Task, Result>(
  seats: readonly Seat<Task, Result>[],
  queue: ReturnType<typeof createWorkQueue<Task, Result>>,
  tasksPerWorker: number,
): void {
  for (let depth = 0; depth < tasksPerWorker; depth++) {
    for (const seat of seats) {
      if (seat.worker === null || seat.jobs.size > depth) continue
      const job = queue.take(seat.number)
      if (!job) continue
      seat.jobs.set(job.id, job)
      watch(seat)
      seat.worker.postMessage({ id: job.id, task: job.task }, [])
    }
  }
}

function createWorkerPool<Task, Result>(options: WorkerPoolOptions) {
  const queue = createWorkQueue<Task, Result>()
  const seats: Seat<Task, Result>[] = Array.from({ length: options.workers }, (_, number) => ({
    number,
    worker: null,
    jobs: new Map(),
    watchdog: undefined,
    deaths: 0,
  }))
  let isClosed = false
  const pump = (): void => handOut(seats, queue, options.tasksPerWorker)

  const events: SeatEvents<Task, Result> = {
    onReady: pump,
    onReply(seat, reply) {
      const job = seat.jobs.get(reply.id)
      seat.jobs.delete(reply.id)
      seat.deaths = 0
      watch(seat)
      pump()
      job?.settle(
        'result' in reply ? { result: reply.result } : { error: new TaskFailedError(reply.failure) },
      )
    },
    onLost(seat, cause) {
      for (const job of Array.from(seat.jobs.values()).toReversed()) {
        if (isClosed || job.tries >= MAX_TRIES) {
          job.settle({ error: new WorkerLostError('The worker was lost while it scored.', { cause }) })
        } else queue.putBack({ ...job, tries: job.tries + 1 })
      }
      seat.jobs.clear()
      if (isClosed) return
      const delayMs = Math.min(MAX_RESTART_DELAY_MS, FIRST_RESTART_DELAY_MS * 2 ** seat.deaths)
      seat.deaths += 1
      setTimeout(() => {
        // One that does not start either comes back here through its exit, and is tried again later.
        if (!isClosed) startSeat(seat, options.start, events).catch(() => {})
      }, delayMs).unref()
      pump()
    },
  }

  function submit(
    tasks: readonly { task: Task; seat: number | null }[],
    isUrgent: boolean,
    signal: AbortSignal,
  ) {
    signal.throwIfAborted()
    if (isClosed) throw new WorkerLostError('The pool is closed.')
    const free = seats.reduce((sum, seat) => sum + options.tasksPerWorker - seat.jobs.size, 0)
    if (queue.size + tasks.length > options.queueLimit + free)
      throw new QueueFullError('The scoring queue is full.')
    const promises = queue.add(tasks, isUrgent, signal)
    pump()
    return promises
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const job of queue.drain()) job.settle({ error: new WorkerLostError('The pool is closed.') })
    await endSeats(seats)
  }

  return {
    seats,
    submit,
    close,
    waiting: () => queue.size,
    isUp: () => seats.some(({ worker }) => worker !== null),
    started: Promise.all(seats.map((seat) => startSeat(seat, options.start, events))),
  }
}

export type WorkerPool<Task, Result> = Awaited<ReturnType<typeof openWorkerPool<Task, Result>>>

/**
 * Starts the workers and waits until each said that it is ready.
 * @throws {WorkerLostError} when one of them does not start.
 */
export async function openWorkerPool<Task, Result>(options: WorkerPoolOptions) {
  const { seats, submit, close, waiting, isUp, started } = createWorkerPool<Task, Result>(options)
  try {
    await started
  } catch (error) {
    await close()
    throw error
  }
  return {
    /**
     * Hands over tasks that belong together; their promises settle in any order. Urgent ones overtake the others.
     * Aborting rejects all that are not done and takes those that wait out of the queue.
     * @throws {QueueFullError} when not all of them find room; {WorkerLostError} when the pool is closed.
     */
    submit: (tasks: readonly Task[], lane: { isUrgent: boolean }, signal: AbortSignal): Promise<Result>[] =>
      submit(
        tasks.map((task) => ({ task, seat: null })),
        lane.isUrgent,
        signal,
      ),

    /** Hands the same task to every worker, ahead of what waits. */
    broadcast: (task: Task, signal: AbortSignal): Promise<Result>[] =>
      submit(
        seats.map((seat) => ({ task, seat: seat.number })),
        true,
        signal,
      ),

    /** Tasks that no worker has taken yet. */
    waiting,

    /** Whether any worker is there to take one; false while all that died are started anew. */
    isUp,

    /** Ends the workers; tasks that are not done fail. Takes at most five seconds. */
    close,
  }
}

// A pool of workers that replaces the dead, gives urgent work precedence, ends what goes on past its deadline where that
// is allowed, and says when its queue is full.
// Own code rather than piscina, because aborting there kills the thread (and the models it loaded) and its queue lets
// a long request hold up a short one; the throughput is the same.
import { openDeadline, withDeadline } from './deadline.ts'
import { taskOwner } from './turns/task-owner.ts'
import { createWorkQueue, type Job, type WorkQueue } from './turns/task-queue.ts'
import { QueueFullError, TaskFailedError, WorkerLostError, type WorkerEnd } from './worker-errors.ts'
import { createSeat, type SeatEvents, type SeatRules, type WorkerSeat } from './worker-seat.ts'

export { QueueFullError, TaskFailedError, WorkerLostError } from './worker-errors.ts'
export type { WorkerReply } from './serve-tasks.ts'

export interface WorkerPoolOptions extends Omit<SeatRules, 'isKillable' | 'largeMax'> {
  workers: number
  /**
   * Of them, those that are up from the start and stay; the others start when these have more than a task each, and end
   * after `restMs`. Left out: all, or none where `restMs` is given.
   */
  awakeMin?: number
  /** Tasks handed to a worker at a time; the second hides the way between the threads. */
  tasksPerWorker: number
  /** Tasks that may wait; of an owner that finds them all taken by others, half as many more. */
  queueLimit: number
  /**
   * True: a worker that pays no heed when a task is given up, or keeps the tasks that share it from their turns, is ended;
   * to be served by `serveTasks`. False, the default: it holds models, and is replaced only when it is dead or hangs.
   */
  isKillable?: boolean
  /** Told when a worker was ended or died, for the log. */
  onWorkerEnd?: (reason: WorkerEnd, cause: unknown) => void
}

export interface Lane {
  /** Overtakes what is patient. */
  isUrgent: boolean
  /**
   * The tasks take their worker for long. Of the tasks that share a worker at most half are so, and those that take a moment
   * need not wait for the end of one. False when left out.
   */
  isLarge?: boolean
  /** Epoch milliseconds after which the tasks are given up with a TimeLimitError; none when left out. */
  deadlineMs?: number
}

const CLOSE_TIMEOUT_MS = 5_000
/** Times a task is handed out: once more after its worker was lost. */
const TRIES_MAX = 2

/** Hands waiting jobs to the seats, the least busy first, so that no worker idles while another holds two tasks. */
function handOut<Task, Result>(
  seats: readonly WorkerSeat<Task, Result>[],
  queue: WorkQueue<Task, Result>,
  tasksPerWorker: number,
): void {
  // Tasks that need a worker to themselves leave one to the others.
  const reservedMax = Math.max(1, seats.length - 1)
  for (let most = 1; most <= tasksPerWorker; most++) {
    for (const seat of seats) {
      if (!seat.hasRoom(most)) continue
      const mayReserve = seats.filter((other) => other.isReserved()).length < reservedMax
      const job = queue.take((waiting) => seat.accepts(waiting) && (mayReserve || !waiting.needsOwnWorker))
      if (job) seat.give(job)
    }
  }
}

/**
 * Whether a task whose worker was lost gets another: not when it was alone with it and the worker had to be ended over it.
 * One that is over a deadline was ended over a task that was given up, and whatever else it held is not to blame.
 */
const mayTryAgain = ({ tries }: { tries: number }, wasAlone: boolean, reason: WorkerEnd): boolean =>
  tries < TRIES_MAX && !(wasAlone && reason !== 'crash' && reason !== 'deadline')

/** Puts a task whose worker is gone where it waits for another; false when it has none to hope for. */
function isTriedAgain<Task, Result>(
  job: Job<Task, Result>,
  { wasAlone, reason, isKillable }: { wasAlone: boolean; reason: WorkerEnd; isKillable: boolean },
  queue: WorkQueue<Task, Result>,
): boolean {
  if (reason !== 'turn' && !mayTryAgain(job, wasAlone, reason)) return false
  job.needsOwnWorker = isKillable
  if (reason === 'turn') {
    job.hadTurn = true
    queue.putBehind(job)
  } else {
    job.tries += 1
    queue.putBack(job)
  }
  return true
}

/** Starts a worker that rests when there is more to do than the others take, or than one task each. */
function wake<Task, Result>(
  seats: readonly WorkerSeat<Task, Result>[],
  queue: WorkQueue<Task, Result>,
): void {
  const isMuch = queue.size > 0 || seats.some((seat) => seat.size() > 1)
  const resting = isMuch ? seats.find((seat) => seat.isAtRest()) : undefined
  resting?.start().catch((error: unknown) => {
    if (seats.some((seat) => !seat.isAtRest())) return
    for (const job of queue.drain()) job.settle({ error })
  })
}

/** Where all workers are up and tasks wait that had no turn, those whose turn is over give way. */
function endTurns<Task, Result>(
  seats: readonly WorkerSeat<Task, Result>[],
  queue: WorkQueue<Task, Result>,
): void {
  if (!queue.some((job) => !job.hadTurn) || !seats.every((seat) => seat.isUp())) return
  for (const seat of seats) seat.endTurn()
}

/**
 * Whether so many tasks of an owner may wait: as long as there is room, and beyond that where the room was filled by
 * others while this one has less than half of it. Of all together never more than twice the limit waits.
 */
function hasRoom<Task, Result>(
  queue: WorkQueue<Task, Result>,
  count: number,
  owner: string,
  limit: number,
): boolean {
  const waiting = queue.size + count
  if (waiting <= limit) return true
  return waiting <= 2 * limit && queue.sizeOf(owner) + count <= limit / 2
}

function openLaneDeadline({ deadlineMs }: Lane, signal: AbortSignal) {
  const limit = deadlineMs === undefined ? {} : { limitMs: deadlineMs - Date.now() }
  return openDeadline({ what: 'a task', signal, ...limit })
}

/** A seat for each worker; the first of them are `awake` and never rest. */
function createSeats<Task, Result>(options: WorkerPoolOptions, events: SeatEvents<Task, Result>) {
  const { start, isKillable = false, workers, restMs, turnMs, tasksPerWorker } = options
  const largeMax = Math.max(1, Math.floor(tasksPerWorker / 2))
  const { awakeMin = restMs === undefined ? workers : 0 } = options
  const seats = Array.from({ length: workers }, (_, number) => {
    const rest = number < awakeMin || restMs === undefined ? {} : { restMs }
    const turn = turnMs === undefined ? {} : { turnMs }
    return createSeat<Task, Result>(number, { start, isKillable, largeMax, ...rest, ...turn }, events)
  })
  return { seats, awake: seats.slice(0, awakeMin) }
}

function createWorkerPool<Task, Result>(options: WorkerPoolOptions) {
  const { isKillable = false, restMs } = options
  const queue = createWorkQueue<Task, Result>()
  let isClosed = false

  function pump(): void {
    handOut(seats, queue, options.tasksPerWorker)
    if (restMs !== undefined) wake(seats, queue)
    endTurns(seats, queue)
  }

  const events: SeatEvents<Task, Result> = {
    onRoom: pump,
    onReply(job, reply) {
      job.settle('result' in reply ? { result: reply.result } : { error: new TaskFailedError(reply.failure) })
    },
    onLost(jobs, { cause, reason }) {
      if (!isClosed && reason !== 'rest') options.onWorkerEnd?.(reason, cause)
      const wasAlone = jobs.length === 1 && isKillable
      for (const job of jobs) {
        if (job.isSettled) continue
        if (!isClosed && isTriedAgain(job, { wasAlone, reason, isKillable }, queue)) continue
        job.settle({ error: new WorkerLostError(`The worker was lost (${reason}).`, { cause }) })
      }
      pump()
    },
  }
  const { seats, awake } = createSeats(options, events)

  function submit(tasks: readonly { task: Task; seat: number | null }[], lane: Lane, signal: AbortSignal) {
    signal.throwIfAborted()
    if (isClosed) throw new WorkerLostError('The pool is closed.')
    const owner = taskOwner()
    const free = seats.reduce((sum, seat) => sum + options.tasksPerWorker - seat.size(), 0)
    if (!hasRoom(queue, tasks.length - free, owner, options.queueLimit))
      throw new QueueFullError('The queue is full.')
    const deadline = openLaneDeadline(lane, signal)
    const giveUp = (jobs: readonly Job<Task, Result>[]): void => {
      for (const seat of seats) for (const job of jobs) seat.giveUp(job)
    }
    const { isUrgent, isLarge = false } = lane
    const promises = queue.add(tasks, { isUrgent, isLarge, owner }, deadline.signal, giveUp)
    void Promise.allSettled(promises).then(() => deadline.release())
    pump()
    return promises
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const job of queue.drain()) job.settle({ error: new WorkerLostError('The pool is closed.') })
    const limit = { what: 'ending the workers', limitMs: CLOSE_TIMEOUT_MS }
    await withDeadline(limit, () => Promise.all(seats.map((seat) => seat.close()))).catch(() => undefined)
  }

  return {
    seats,
    submit,
    close,
    waiting: () => queue.size,
    isUp: () => seats.some((seat) => seat.isUp()),
    started: Promise.all(awake.map((seat) => seat.start())),
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
     * Hands over tasks that belong together; their promises settle in any order. Urgent ones overtake the others, and the
     * owners of what is under way (`runForOwner`) take turns, however much each hands over. Aborting, and the deadline,
     * reject all that are not done, take those that wait out of the queue and tell the workers of those under way. What
     * was given up is never tried again.
     * @throws {QueueFullError} when not all of them find room; {WorkerLostError} when the pool is closed.
     */
    submit: (tasks: readonly Task[], lane: Lane, signal: AbortSignal): Promise<Result>[] =>
      submit(
        tasks.map((task) => ({ task, seat: null })),
        lane,
        signal,
      ),

    /** Hands the same task to every worker, ahead of what waits. */
    broadcast: (task: Task, signal: AbortSignal): Promise<Result>[] =>
      submit(
        seats.map((_, seat) => ({ task, seat })),
        { isUrgent: true },
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

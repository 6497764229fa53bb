// One place in a pool: the tasks its worker holds, and when the worker must be ended over them.
import { withDeadline } from './deadline.ts'
import type { WorkerReply } from './serve-tasks.ts'
import type { Job } from './turns/task-queue.ts'
import type { WorkerEnd } from './worker-errors.ts'
import { createHolder, type HolderRules } from './worker-holder.ts'

export interface SeatRules extends HolderRules {
  /** Most tasks at a time that take the worker for long. */
  largeMax: number
  /** A worker without a task for this long is ended, and started again by the next one; left out: it stays. */
  restMs?: number
  /**
   * Of workers that hold one task at a time and may be killed: while others wait, a task that is not done after this long
   * gives its worker up, once, and begins anew behind them.
   */
  turnMs?: number
}

export interface SeatEvents<Task, Result> {
  /** The seat may take more than before. */
  onRoom(): void
  onReply(job: Job<Task, Result>, reply: { result: Result } | { failure: string }): void
  /** The worker is gone, and these tasks with it, the last given first. */
  onLost(jobs: readonly Job<Task, Result>[], end: { cause: unknown; reason: WorkerEnd }): void
}

/** A worker that holds tasks and answers none of them for this long is replaced. */
const TASK_TIMEOUT_MS = 60_000
/** A task that was given up may take this long to notice before its worker is ended. */
const CANCEL_GRACE_MS = 500
/**
 * How often a worker that several tasks share is asked whether it still takes turns, and when it is ended if it does
 * not.
 */
const PING_MS = 250
const STALLED_MS = 1_000
/** What a worker that may not be killed has to end its tasks when it is closed. */
const FINISHING_MS = 3_000

export type WorkerSeat<Task, Result> = ReturnType<typeof createSeat<Task, Result>>

/** A seat without a worker yet. `number` is its own for as long as the pool lives. */
export function createSeat<Task, Result>(number: number, rules: SeatRules, events: SeatEvents<Task, Result>) {
  const jobs = createHeldJobs<Task, Result>()
  const holder = createHolder<Result>(rules, { onReply: hear, onEnd: lose })
  const watchdog = createWatchdog(rules.restMs, (reason) => holder.end(reason))
  const turn = createTurn(rules.turnMs, () => events.onRoom())
  const endStalled = (): void => void (jobs.size() > 1 && holder.end('stalled'))
  const pulse = createPulse({ ping: () => holder.send({ ping: 0 }), onStalled: endStalled })

  function hear(reply: WorkerReply<Result>): void {
    pulse.heard()
    if ('id' in reply) {
      const job = jobs.remove(reply.id)
      turn.end()
      if (job) events.onReply(job, reply)
    }
    watch()
    events.onRoom()
  }

  function watch(): void {
    watchdog.restart(jobs.size())
    pulse.run(rules.isKillable && holder.hearsCancel() && jobs.size() > 0)
  }

  function lose(end: { cause: unknown; reason: WorkerEnd }): void {
    const lost = jobs.removeAll()
    watchdog.stop()
    turn.end()
    pulse.run(false)
    events.onLost(lost, end)
  }

  return {
    start: holder.start,
    isUp: holder.isReady,
    isAtRest: holder.isAtRest,
    /** Ends the worker for good. Within a model's native code its end would be that of the whole process (N-API aborts). */
    async close(): Promise<void> {
      if (!rules.isKillable && jobs.size() > 0) await jobs.untilNone()
      await holder.close()
    },
    /** Tasks it holds. */
    size: jobs.size,
    /** Whether it holds a task that must not share its worker, or that does not give it back. */
    isReserved: (): boolean => jobs.areReserved() || pulse.isLate(),
    /** Whether it takes another task when it may hold `most`. */
    hasRoom: (most: number): boolean =>
      holder.isReady() && jobs.size() < most && !pulse.isLate() && !jobs.areReserved(),
    /** Whether the job may be given to a seat that has room. */
    accepts: (job: Job<Task, Result>): boolean =>
      (job.seat === null || job.seat === number) && jobs.mayShareWith(job, rules.largeMax),
    /** Ends the worker when its task has had its turn, so that what waits comes before it. */
    endTurn: (): void => void (turn.isOver() && holder.end('turn')),
    give(job: Job<Task, Result>): void {
      jobs.add(job)
      if (!job.hadTurn) turn.begin()
      watch()
      holder.send({ id: job.id, task: job.task })
    },
    /** Nobody waits for the job any more: the worker is told, and ended if it may be and pays no heed. */
    giveUp(job: Job<Task, Result>): void {
      if (!jobs.holds(job)) return
      if (holder.hearsCancel()) holder.send({ cancel: job.id })
      if (!rules.isKillable) return
      setTimeout(() => {
        if (jobs.holds(job)) holder.end('deadline')
      }, CANCEL_GRACE_MS).unref()
    },
  }
}

/** The tasks that a worker holds, in the order in which it was given them. */
function createHeldJobs<Task, Result>() {
  const jobs = new Map<number, Job<Task, Result>>()
  let onNone: (() => void) | undefined
  const emptied = (): Promise<void> =>
    new Promise((resolve) => {
      onNone = resolve
    })
  return {
    size: (): number => jobs.size,
    /** Whether a job may come to those that are here, of which at most `largeMax` may be large. */
    mayShareWith({ needsOwnWorker, isLarge }: Job<Task, Result>, largeMax: number): boolean {
      const large = Array.from(jobs.values()).filter((job) => job.isLarge).length
      return !(needsOwnWorker && jobs.size > 0) && !(isLarge && large >= largeMax)
    },
    holds: (job: Job<Task, Result>): boolean => jobs.get(job.id) === job,
    /** Whether one of them must not share its worker. */
    areReserved: (): boolean => Array.from(jobs.values()).some((job) => job.needsOwnWorker),
    add: (job: Job<Task, Result>): void => void jobs.set(job.id, job),
    remove(id: number): Job<Task, Result> | undefined {
      const job = jobs.get(id)
      jobs.delete(id)
      if (jobs.size === 0) onNone?.()
      return job
    },
    /** The last given first. */
    removeAll(): Job<Task, Result>[] {
      const held = Array.from(jobs.values()).toReversed()
      jobs.clear()
      onNone?.()
      return held
    },
    /** Waits for the end of them all, or of FINISHING_MS. */
    async untilNone(): Promise<void> {
      const limit = { what: 'ending the tasks', limitMs: FINISHING_MS }
      await withDeadline(limit, emptied).catch(() => undefined)
    },
  }
}

/** Ends a worker that holds tasks and does not answer, or has nothing to do. */
function createWatchdog(restMs: number | undefined, end: (reason: 'hung' | 'rest') => void) {
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => clearTimeout(timer)
  return {
    stop,
    restart(held: number): void {
      stop()
      if (held > 0) timer = setTimeout(() => end('hung'), TASK_TIMEOUT_MS)
      else if (restMs !== undefined) timer = setTimeout(() => end('rest'), restMs).unref()
    },
  }
}

/** The time that a task has for itself, of which `onOver` is told the end. */
function createTurn(turnMs: number | undefined, onOver: () => void) {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  return {
    isOver: (): boolean => isOver,
    begin(): void {
      if (turnMs === undefined) return
      timer = setTimeout(() => {
        isOver = true
        onOver()
      }, turnMs)
    },
    end(): void {
      clearTimeout(timer)
      isOver = false
    },
  }
}

/** Asks again and again whether the worker still answers, and tells when it has not for a second. */
function createPulse({ ping, onStalled }: { ping: () => void; onStalled: () => void }) {
  let timer: NodeJS.Timeout | undefined
  let askedAt: number | null = null
  function beat(): void {
    if (askedAt === null) {
      askedAt = performance.now()
      ping()
    } else if (performance.now() - askedAt > STALLED_MS) onStalled()
  }
  return {
    heard: (): void => void (askedAt = null),
    /** Whether the last question is not answered although there was time. */
    isLate: (): boolean => askedAt !== null && performance.now() - askedAt > PING_MS,
    run(isWanted: boolean): void {
      if (isWanted === (timer !== undefined)) return
      clearInterval(timer)
      timer = isWanted ? setInterval(beat, PING_MS) : undefined
      timer?.unref()
      askedAt = null
    },
  }
}

// What waits for a worker: a lane that is urgent, and one that is patient.
import { createLane, type Group, type Job } from './task-lane.ts'

export type { Job } from './task-lane.ts'

type Outcome<Result> = { result: Result } | { error: unknown }

function createJob<Task, Result>(
  facts: Pick<Job<Task, Result>, 'id' | 'task' | 'owner' | 'seat' | 'isLarge'>,
  onSettled: (outcome: Outcome<Result>) => void,
): Job<Task, Result> {
  const job: Job<Task, Result> = {
    ...facts,
    tries: 1,
    needsOwnWorker: false,
    hadTurn: false,
    isSettled: false,
    settle(outcome) {
      job.isSettled = true
      onSettled(outcome)
    },
  }
  return job
}

export function createWorkQueue<Task, Result>() {
  const urgent = createLane<Task, Result>()
  const patient = createLane<Task, Result>()
  let nextId = 0

  const count = (isCounted: (owner: string) => boolean): number =>
    urgent.count(isCounted) + patient.count(isCounted)

  return {
    /** Tasks that wait. */
    get size(): number {
      return count(() => true)
    },

    /** Tasks that wait of one owner. */
    sizeOf: (owner: string): number => count((other) => other === owner),

    /** Whether a task waits of which that is true. */
    some(isTrue: (job: Job<Task, Result>) => boolean): boolean {
      const isOne = (job: Job<Task, Result>): boolean => !job.isSettled && isTrue(job)
      return urgent.some(isOne) || patient.some(isOne)
    },

    /**
     * Lets tasks wait that belong together. Aborting rejects all that are not settled, takes out those that still wait,
     * and hands the others to `onGivenUp`, because a worker may be busy with them.
     */
    add(
      tasks: readonly { task: Task; seat: number | null }[],
      { isUrgent, isLarge, owner }: { isUrgent: boolean; isLarge: boolean; owner: string },
      signal: AbortSignal,
      onGivenUp: (jobs: readonly Job<Task, Result>[]) => void,
    ): Promise<Result>[] {
      const lane = isUrgent ? urgent : patient
      const group: Group<Task, Result> = []
      const promises = tasks.map(
        ({ task, seat }) =>
          new Promise<Result>((resolve, reject) => {
            const settle = (outcome: Outcome<Result>): void =>
              'result' in outcome ? resolve(outcome.result) : reject(outcome.error)
            group.push(createJob({ id: nextId++, task, owner, seat, isLarge }, settle))
          }),
      )
      const all = [...group]
      const abort = (): void => {
        const left = new Set(group)
        lane.remove(owner, group)
        const open = all.filter((job) => !job.isSettled)
        for (const job of open) job.settle({ error: signal.reason })
        onGivenUp(open.filter((job) => !left.has(job)))
      }
      signal.addEventListener('abort', abort, { once: true })
      void Promise.allSettled(promises).then(() => signal.removeEventListener('abort', abort))
      if (group.length > 0) lane.append(owner, group)
      if (signal.aborted) abort()
      return promises
    },

    /** Puts a job before everything else. */
    putBack: (job: Job<Task, Result>): void => urgent.putFirst(job),

    /** Puts a job behind what else waits of its owner, and its owner behind the others. */
    putBehind: (job: Job<Task, Result>): void => patient.putLast(job),

    /** The next job that fits: urgent ones first, then of each owner in turn. Those given up meanwhile are gone. */
    take: (fits: (job: Job<Task, Result>) => boolean): Job<Task, Result> | undefined =>
      urgent.take(fits) ?? patient.take(fits),

    /** Empties the queue and returns what waited. */
    drain: (): Job<Task, Result>[] => [...urgent.drain(), ...patient.drain()],
  }
}

export type WorkQueue<Task, Result> = ReturnType<typeof createWorkQueue<Task, Result>>

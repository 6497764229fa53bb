// What waits for a worker: an urgent lane, and groups of tasks that take turns, so that a request with two hundred
// passages does not hold up one with ten.

/** One task on its way. */
export interface Job<Task, Result> {
  id: number
  task: Task
  /** Times it was handed to a worker or is about to be. */
  tries: number
  /** The one seat that may take it; null for any. */
  seat: number | null
  /** Its worker was lost while others shared it: it is tried again with a worker to itself. */
  needsOwnWorker: boolean
  /** It takes its worker for long, where others take it for a moment. */
  isLarge: boolean
  /** It had a turn, was not done, and gave its worker up to others. */
  hadTurn: boolean
  isSettled: boolean
  settle(outcome: Outcome<Result>): void
}

/** The tasks one caller handed over together. */
type Group<Task, Result> = Job<Task, Result>[]

type Outcome<Result> = { result: Result } | { error: unknown }

function createJob<Task, Result>(
  { id, task, seat, isLarge }: Pick<Job<Task, Result>, 'id' | 'task' | 'seat' | 'isLarge'>,
  onSettled: (outcome: Outcome<Result>) => void,
): Job<Task, Result> {
  const job: Job<Task, Result> = {
    id,
    task,
    tries: 1,
    seat,
    needsOwnWorker: false,
    isLarge,
    hadTurn: false,
    isSettled: false,
    settle(outcome) {
      job.isSettled = true
      onSettled(outcome)
    },
  }
  return job
}

/** Of the first lane that has one that fits; its group goes to the lane's end. Those that are settled are taken out. */
function takeFrom<Task, Result>(
  lanes: readonly Group<Task, Result>[][],
  fits: (job: Job<Task, Result>) => boolean,
): Job<Task, Result> | undefined {
  for (const lane of lanes) {
    for (const group of lane) {
      const at = group.findIndex((job) => job.isSettled || fits(job))
      if (at < 0) continue
      const [job] = group.splice(at, 1)
      lane.splice(lane.indexOf(group), 1)
      if (group.length > 0) lane.push(group)
      if (job?.isSettled === false) return job
      // The lane has changed under this loop.
      return takeFrom(lanes, fits)
    }
  }
  return undefined
}

export function createWorkQueue<Task, Result>() {
  const urgent: Group<Task, Result>[] = []
  const patient: Group<Task, Result>[] = []
  let nextId = 0

  function remove(group: Group<Task, Result>): void {
    for (const lane of [urgent, patient]) {
      const position = lane.indexOf(group)
      if (position >= 0) lane.splice(position, 1)
    }
    group.length = 0
  }

  return {
    /** Tasks that wait. */
    get size(): number {
      return [...urgent, ...patient].reduce((sum, group) => sum + group.length, 0)
    },

    /** Whether a task waits of which that is true. */
    some: (isTrue: (job: Job<Task, Result>) => boolean): boolean =>
      [...urgent, ...patient].some((group) => group.some((job) => !job.isSettled && isTrue(job))),

    /**
     * Lets tasks wait that belong together. Aborting rejects all that are not settled, takes out those that still wait,
     * and hands the others to `onGivenUp`, because a worker may be busy with them.
     */
    add(
      tasks: readonly { task: Task; seat: number | null }[],
      { isUrgent, isLarge }: { isUrgent: boolean; isLarge: boolean },
      signal: AbortSignal,
      onGivenUp: (jobs: readonly Job<Task, Result>[]) => void,
    ): Promise<Result>[] {
      const group: Group<Task, Result> = []
      const promises = tasks.map(
        ({ task, seat }) =>
          new Promise<Result>((resolve, reject) => {
            const settle = (outcome: Outcome<Result>): void =>
              'result' in outcome ? resolve(outcome.result) : reject(outcome.error)
            group.push(createJob({ id: nextId++, task, seat, isLarge }, settle))
          }),
      )
      const all = [...group]
      const abort = (): void => {
        const waiting = new Set(group)
        remove(group)
        const open = all.filter((job) => !job.isSettled)
        for (const job of open) job.settle({ error: signal.reason })
        onGivenUp(open.filter((job) => !waiting.has(job)))
      }
      signal.addEventListener('abort', abort, { once: true })
      void Promise.allSettled(promises).then(() => signal.removeEventListener('abort', abort))
      if (group.length > 0) (isUrgent ? urgent : patient).push(group)
      if (signal.aborted) abort()
      return promises
    },

    /** Puts a job before everything else. */
    putBack(job: Job<Task, Result>): void {
      urgent.unshift([job])
    },

    /** Puts a job behind everything else. */
    putBehind(job: Job<Task, Result>): void {
      patient.push([job])
    },

    /** The next job that fits: urgent groups first, then one of each group in turn. Those given up meanwhile are gone. */
    take(fits: (job: Job<Task, Result>) => boolean): Job<Task, Result> | undefined {
      return takeFrom([urgent, patient], fits)
    },

    /** Empties the queue and returns what waited. */
    drain(): Job<Task, Result>[] {
      return [...urgent.splice(0), ...patient.splice(0)].flat()
    },
  }
}

export type WorkQueue<Task, Result> = ReturnType<typeof createWorkQueue<Task, Result>>

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
  settle(outcome: { result: Result } | { error: unknown }): void
}

/** The tasks one caller handed over together. */
type Group<Task, Result> = Job<Task, Result>[]

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

    /**
     * Lets tasks wait that belong together. Aborting rejects all that are not settled, whoever works on them, and takes
     * out those that still wait.
     */
    add(
      tasks: readonly { task: Task; seat: number | null }[],
      isUrgent: boolean,
      signal: AbortSignal,
    ): Promise<Result>[] {
      const group: Group<Task, Result> = []
      const promises = tasks.map(
        ({ task, seat }) =>
          new Promise<Result>((resolve, reject) => {
            const settle: Job<Task, Result>['settle'] = (outcome) =>
              'result' in outcome ? resolve(outcome.result) : reject(outcome.error)
            group.push({ id: nextId++, task, tries: 1, seat, settle })
          }),
      )
      const all = [...group]
      const abort = (): void => {
        remove(group)
        for (const job of all) job.settle({ error: signal.reason })
      }
      signal.addEventListener('abort', abort, { once: true })
      void Promise.allSettled(promises).then(() => signal.removeEventListener('abort', abort))
      if (group.length > 0) (isUrgent ? urgent : patient).push(group)
      return promises
    },

    /** Puts a job before everything else. */
    putBack(job: Job<Task, Result>): void {
      urgent.unshift([job])
    },

    /** The next job for a seat: urgent groups first, then one of each group in turn. */
    take(seat: number): Job<Task, Result> | undefined {
      for (const lane of [urgent, patient]) {
        for (const [position, group] of lane.entries()) {
          const at = group.findIndex((job) => job.seat === null || job.seat === seat)
          if (at < 0) continue
          const [job] = group.splice(at, 1)
          lane.splice(position, 1)
          if (group.length > 0) lane.push(group)
          return job
        }
      }
      return undefined
    },

    /** Empties the queue and returns what waited. */
    drain(): Job<Task, Result>[] {
      return [...urgent.splice(0), ...patient.splice(0)].flat()
    },
  }
}

// A lane of tasks that wait: owners take turns, and of each owner the groups it handed over, so that a request with two
// hundred passages does not hold up one with ten, nor a caller with twenty requests another with one.

/** One task on its way. */
export interface Job<Task, Result> {
  id: number
  task: Task
  /** Whose it is. */
  owner: string
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
  settle(outcome: { result: Result } | { error: unknown }): void
}

/** The tasks of one owner that were handed over together. */
export type Group<Task, Result> = Job<Task, Result>[]

/** What waits of one owner, in the order of its turns; never without a group. */
interface Line<Task, Result> {
  owner: string
  groups: Group<Task, Result>[]
}

export function createLane<Task, Result>() {
  /** One of each owner, in the order of their turns. */
  const lines: Line<Task, Result>[] = []

  /** Takes the owner's line out; an empty one where it has none. */
  function pull(owner: string): Line<Task, Result> {
    const at = lines.findIndex((line) => line.owner === owner)
    return (at < 0 ? undefined : lines.splice(at, 1)[0]) ?? { owner, groups: [] }
  }

  /** Takes a task out; what is left of its group waits behind its owner's others, and its owner behind all others. */
  function takeOut(line: Line<Task, Result>, group: Group<Task, Result>, at: number) {
    const [job] = group.splice(at, 1)
    line.groups.splice(line.groups.indexOf(group), 1)
    if (group.length > 0) line.groups.push(group)
    lines.splice(lines.indexOf(line), 1)
    if (line.groups.length > 0) lines.push(line)
    return job
  }

  /** The next job in turn that fits; those on the way that are settled are taken out. */
  function take(fits: (job: Job<Task, Result>) => boolean): Job<Task, Result> | undefined {
    for (const line of lines) {
      for (const group of line.groups) {
        const at = group.findIndex((job) => job.isSettled || fits(job))
        if (at < 0) continue
        const job = takeOut(line, group, at)
        // The lines have changed under this loop.
        return job?.isSettled === false ? job : take(fits)
      }
    }
    return undefined
  }

  return {
    /** Whether one waits of which that is true. */
    some: (isTrue: (job: Job<Task, Result>) => boolean): boolean =>
      lines.some(({ groups }) => groups.some((group) => group.some(isTrue))),

    /** How many wait of those whose owner `isCounted`. */
    count(isCounted: (owner: string) => boolean): number {
      let count = 0
      for (const { owner, groups } of lines)
        if (isCounted(owner)) for (const group of groups) count += group.length
      return count
    },

    /** Lets a group wait behind its owner's others. */
    append(owner: string, group: Group<Task, Result>): void {
      const line = lines.find((other) => other.owner === owner)
      if (line === undefined) lines.push({ owner, groups: [group] })
      else line.groups.push(group)
    },

    /** Lets a job wait before everything else. */
    putFirst(job: Job<Task, Result>): void {
      const { owner, groups } = pull(job.owner)
      lines.unshift({ owner, groups: [[job], ...groups] })
    },

    /** Lets a job wait behind its owner's others, and its owner behind all others. */
    putLast(job: Job<Task, Result>): void {
      const { owner, groups } = pull(job.owner)
      lines.push({ owner, groups: [...groups, [job]] })
    },

    /** Takes a group out, where it waits here. */
    remove(owner: string, group: Group<Task, Result>): void {
      const line = lines.find((other) => other.owner === owner)
      if (line === undefined || !line.groups.includes(group)) return
      line.groups = line.groups.filter((other) => other !== group)
      if (line.groups.length === 0) pull(owner)
    },

    take,

    /** Empties the lane and returns what waited. */
    drain: (): Job<Task, Result>[] => lines.splice(0).flatMap(({ groups }) => groups.flat()),
  }
}

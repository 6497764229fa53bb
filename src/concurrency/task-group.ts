// No promise without an owner: tasks that end with whoever started them, and work nobody waits for whose failure still
// has somewhere to go.
import { setMaxListeners } from 'node:events'

export interface TaskGroup {
  /** Aborted when the caller's signal is, or as soon as a task or the body fails. */
  readonly signal: AbortSignal
  /** Starts a task; its failure ends the group. A task is expected to end when the signal aborts. */
  readonly start: (work: (signal: AbortSignal) => Promise<void>) => void
}

/**
 * Runs `body` and the tasks it starts. Settles only when all of them have ended: with the body's value, or with the
 * first failure among them, which aborts the others.
 */
export async function runTaskGroup<T>(
  signal: AbortSignal,
  body: (group: TaskGroup) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const groupSignal = AbortSignal.any([signal, ending.signal])
  // As many may listen as there are tasks and parts of them; they leave with the group.
  setMaxListeners(0, groupSignal)
  const failures: unknown[] = []
  const running = new Set<Promise<void>>()
  const fail = (error: unknown): undefined => {
    failures.push(error)
    ending.abort(error)
  }
  const start: TaskGroup['start'] = (work) => {
    const task: Promise<void> = guarded(() => work(groupSignal))
      .catch(fail)
      .then(() => void running.delete(task))
    running.add(task)
  }
  const outcome = await guarded(() => body({ signal: groupSignal, start })).then((value) => ({ value }), fail)
  while (running.size > 0) await Promise.all(running)
  if (outcome === undefined || failures.length > 0) throw failures[0]
  return outcome.value
}

/** What throws at once rejects instead. */
const guarded = async <T>(work: () => Promise<T>): Promise<T> => work()

/** Lets `work` run without anybody waiting for it; its failure goes to `onFailure`, which must not throw. */
export function detach(work: Promise<unknown>, onFailure: (error: unknown) => void): void {
  work.catch(onFailure)
}

// What can become of a task that was handed to a worker, besides its result.

/** The queue cannot take the work: the caller must be told to come back later. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

/** The worker died or hung twice over the same task, could not be started, or the pool was closed. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError'
}

/** The worker used more memory than it may. */
export class WorkerMemoryError extends Error {
  override readonly name = 'WorkerMemoryError'
}

/** The task itself failed in the worker; the worker is well. */
export class TaskFailedError extends Error {
  override readonly name = 'TaskFailedError'
}

/**
 * Why a worker is gone: it ended by itself, was out of memory, did not answer for a minute, held up the tasks that
 * shared it, went on with one that was given up, was not done when others waited for its turn, or had nothing to do.
 */
export type WorkerEnd = 'crash' | 'memory' | 'hung' | 'stalled' | 'deadline' | 'turn' | 'rest'

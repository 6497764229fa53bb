// The worker's side of a pool, on a thread or in a process of its own: takes tasks, answers each, hears when one is
// given up, and shows that it still answers while several share it.
import { parentPort } from 'node:worker_threads'

/** What a pool sends to a worker. */
export type WorkerRequest<Task> = { id: number; task: Task } | { cancel: number } | { ping: number }

/** What a worker sends: `ready` once, then an answer to each `{ id, task }` it is given. */
export type WorkerReply<Result> =
  | { ready: true; hearsCancel?: true }
  | { id: number; result: Result }
  | { id: number; failure: string }
  | { pong: number }

/** The task was given up by whoever asked for it. */
class TaskCancelledError extends Error {}

/**
 * Serves the pool that started this worker. `perform` is called for each task as it comes, so several may be under way;
 * its signal is aborted when nobody waits for the result any more. What it throws fails the task, not the worker.
 */
export function serveTasks(perform: (task: never, signal: AbortSignal) => Promise<unknown>): void {
  const running = new Map<number, AbortController>()
  const send = openChannel((request) => {
    if ('ping' in request) send({ pong: request.ping })
    else if ('cancel' in request) running.get(request.cancel)?.abort(new TaskCancelledError())
    else void answer(request.id, request.task)
  })

  async function answer(id: number, task: never): Promise<void> {
    const cancelled = new AbortController()
    running.set(id, cancelled)
    try {
      send({ id, result: await perform(task, cancelled.signal) })
    } catch (error) {
      send({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    } finally {
      running.delete(id)
    }
  }

  send({ ready: true, hearsCancel: true })
}

/** The way to the pool: the port of a thread, else the channel of a process, which ends with its parent. */
function openChannel(
  onRequest: (request: WorkerRequest<never>) => void,
): (reply: WorkerReply<unknown>) => void {
  const port = parentPort
  if (port !== null) {
    port.on('message', onRequest)
    return (reply) => port.postMessage(reply, [])
  }
  if (process.send === undefined) throw new Error('This module runs as a worker.')
  process.on('message', onRequest)
  process.on('disconnect', () => process.exit())
  return (reply) => void process.send?.(reply)
}

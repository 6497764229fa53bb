// A worker in a process of its own, for work that cannot be interrupted and may ask for any amount of memory: it is
// ended from outside and takes nothing with it. A thread could not be: V8 ends the whole process when a thread asks for
// too large a piece at once, and what lies outside its heap is bounded by nothing. A thread starts it (process-worker.ts).
import { EventEmitter } from 'node:events'
import type { ProcessEnd, ProcessRequest, ProcessWorkerOptions } from './process-worker.ts'
import type { WorkerReply, WorkerRequest } from './serve-tasks.ts'
import { WorkerMemoryError } from './worker-errors.ts'
import type { PoolWorker } from './worker-holder.ts'
import { siblingModule, startWorker } from './worker-thread.ts'

/** Of the heap of the thread that speaks with the process: what it passes on, twice. */
const THREAD_MEMORY_MB = 256

export interface ProcessOptions {
  /** Resident memory, in mebibytes, beyond which the process is ended. On Linux; elsewhere only V8's heap is bounded. */
  memoryMb: number
}

/**
 * Starts the sibling module `name` (without extension) as a process without environment variables. It emits what a
 * thread does: `message`, `error` (a WorkerMemoryError when memory ended it) and, last, `exit`.
 */
export function startWorkerProcess(
  moduleUrl: string,
  name: string,
  { memoryMb }: ProcessOptions,
): PoolWorker {
  const { url, execArgv, loaderMemoryMb } = siblingModule(moduleUrl, name)
  const limitMb = memoryMb + loaderMemoryMb
  const workerData: ProcessWorkerOptions = { url: url.href, execArgv, limitMb }
  const thread = startWorker(import.meta.url, 'process-worker', { memoryMb: THREAD_MEMORY_MB, workerData })
  const worker = new EventEmitter()
  thread.on('message', (message: WorkerReply<unknown> | ProcessEnd) => {
    if (!('ended' in message)) worker.emit('message', message)
    else if (message.ended === 'memory')
      worker.emit('error', new WorkerMemoryError(`A worker process used more than ${limitMb} MiB.`))
    else if (message.ended === 'failed') worker.emit('error', new Error(message.reason))
  })
  // The process goes with it: its channel is the thread's.
  thread.on('error', (error) => worker.emit('error', error))
  const exited = new Promise<void>((resolve) => {
    thread.on('exit', () => {
      worker.emit('exit')
      resolve()
    })
  })
  const send = (request: ProcessRequest): void => thread.postMessage(request, [])
  return Object.assign(worker, {
    postMessage: (request: WorkerRequest<unknown>): void => send(request),
    terminate(): Promise<void> {
      send({ end: true })
      return exited
    },
  })
}

// A worker in a process of its own, for work that cannot be interrupted and may ask for any amount of memory: it is
// ended from outside and takes nothing with it. A thread could not be: V8 ends the whole process when a thread asks for
// too large a piece at once, and what lies outside its heap is bounded by nothing.
import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { siblingModule } from './worker-thread.ts'
import type { WorkerReply, WorkerRequest } from './serve-tasks.ts'
import { WorkerMemoryError } from './worker-errors.ts'
import type { PoolWorker } from './worker-holder.ts'

const MEBIBYTE = 2 ** 20
/** How often a process that works is measured; a decompressor fills some 20 MB in that time. */
const MEASURE_MS = 50

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
  const child = fork(url, {
    execArgv: [...execArgv, `--max-old-space-size=${limitMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  })
  const worker = new EventEmitter()
  let hasOutgrown = false
  let measuring: NodeJS.Timeout | undefined
  const rest = (): void => clearInterval(measuring)
  const measure = (): void => {
    if (residentBytes(child.pid) <= limitMb * MEBIBYTE) return
    hasOutgrown = true
    child.kill('SIGKILL')
  }
  child.on('message', (reply: WorkerReply<unknown>) => {
    if ('id' in reply) rest()
    worker.emit('message', reply)
  })
  const exited = endOf(child, (error, signal) => {
    rest()
    // SIGABRT is V8's own way to say that its heap is full.
    if (hasOutgrown || signal === 'SIGABRT')
      worker.emit('error', new WorkerMemoryError(`A worker process used more than ${limitMb} MiB.`))
    else if (error !== null) worker.emit('error', error)
    worker.emit('exit')
  })
  return Object.assign(worker, {
    postMessage(request: WorkerRequest<unknown>): void {
      if ('id' in request) {
        rest()
        measuring = setInterval(measure, MEASURE_MS).unref()
      }
      // One that has gone tells it by its exit.
      if (child.connected) child.send(request, () => undefined)
    },
    terminate(): Promise<void> {
      child.kill('SIGKILL')
      return exited
    },
  })
}

/** Settles when the process has ended or could not be started; `onEnd` is called once, before. */
function endOf(
  child: ChildProcess,
  onEnd: (error: Error | null, signal: NodeJS.Signals | null) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (error: Error | null, signal: NodeJS.Signals | null): void => {
      child.removeAllListeners('exit')
      onEnd(error, signal)
      resolve()
    }
    child.on('error', (error) => {
      if (child.pid === undefined) end(error, null)
    })
    child.on('exit', (code, signal) =>
      end(
        code === 0 || signal !== null ? null : new Error(`A worker process ended with code ${code}.`),
        signal,
      ),
    )
  })
}

/** 0 where it cannot be told: not on Linux, or the process has just ended. */
function residentBytes(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kibibytes ?? 0) * 1024
  } catch {
    return 0
  }
}

// The thread that starts a worker process and speaks with it: a process is begun by copying what this one holds in
// memory and waiting until the copy runs, which kept the serving thread for .3 to .8 s where the cores were taken.
import { fork, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import type { WorkerReply, WorkerRequest } from './serve-tasks.ts'

/** How it ended: `memory` when it was over its limit, else what went wrong, or null. */
export type ProcessEnd = { ended: 'memory' | null } | { ended: 'failed'; reason: string }

/** What the thread is sent: a request for the process, or that it is to be ended. */
export type ProcessRequest = WorkerRequest<unknown> | { end: true }

const MEBIBYTE = 2 ** 20
/** How often a process that works is measured; a decompressor fills some 20 MB in that time. */
const MEASURE_MS = 50

const optionsSchema = z.object({ url: z.string(), execArgv: z.array(z.string()), limitMb: z.number() })
export type ProcessWorkerOptions = z.input<typeof optionsSchema>

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

/** Measures the process while it works, and ends it when it is over its limit. */
function createScales(child: ChildProcess, limitMb: number) {
  let hasOutgrown = false
  let measuring: NodeJS.Timeout | undefined
  const measure = (): void => {
    if (residentBytes(child.pid) <= limitMb * MEBIBYTE) return
    hasOutgrown = true
    child.kill('SIGKILL')
  }
  const rest = (): void => clearInterval(measuring)
  return {
    hasOutgrown: (): boolean => hasOutgrown,
    rest,
    measure(): void {
      rest()
      measuring = setInterval(measure, MEASURE_MS).unref()
    },
  }
}

/** Calls `onEnd` once, when the process has ended or could not be started. */
function whenEnded(child: ChildProcess, onEnd: (failure: string | null, signal: string | null) => void) {
  child.on('error', (error) => {
    if (child.pid === undefined) onEnd(error.message, null)
  })
  child.on('exit', (code, signal) =>
    onEnd(code === 0 || signal !== null ? null : `A worker process ended with code ${code}.`, signal),
  )
}

function holdProcess({ url, execArgv, limitMb }: ProcessWorkerOptions): void {
  const port = parentPort
  if (port === null) throw new Error('This module runs as a worker.')
  const child = fork(new URL(url), {
    execArgv: [...execArgv, `--max-old-space-size=${limitMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  })
  const scales = createScales(child, limitMb)
  child.on('message', (reply: WorkerReply<unknown>) => {
    if ('id' in reply) scales.rest()
    port.postMessage(reply, [])
  })
  port.on('message', (request: ProcessRequest) => {
    if ('end' in request) child.kill('SIGKILL')
    else {
      if ('id' in request) scales.measure()
      // One that has gone tells it by its exit.
      if (child.connected) child.send(request, () => undefined)
    }
  })
  whenEnded(child, (failure, signal) => {
    scales.rest()
    // SIGABRT is V8's own way to say that its heap is full.
    const isFull = scales.hasOutgrown() || signal === 'SIGABRT'
    const end: ProcessEnd =
      isFull || failure === null ? { ended: isFull ? 'memory' : null } : { ended: 'failed', reason: failure }
    port.postMessage(end, [])
    port.close()
  })
}

holdProcess(optionsSchema.parse(workerData))

// A worker for the tests of the pool: tasks that are quick, that take turns, that never give their thread back, that grow.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { serveTasks } from '../../src/concurrency/serve-tasks.ts'

export type Task =
  | { kind: 'echo'; text: string }
  /** Holds the thread; `tries` (shared, threads only) counts how often it was begun. */
  | { kind: 'spin'; ms: number; tries?: SharedArrayBuffer }
  /** Takes turns until it is given up, and then raises `heard` (shared). */
  | { kind: 'turns'; heard: SharedArrayBuffer }
  | { kind: 'grow' }
  | { kind: 'who' }

const raise = (cell: SharedArrayBuffer | undefined): void => {
  if (cell !== undefined) Atomics.add(new Int32Array(cell), 0, 1)
}

function spin(ms: number): string {
  const endsAt = performance.now() + ms
  while (performance.now() < endsAt);
  return 'spun'
}

/** Memory outside V8's heap, as a decompressor takes it. */
function grow(): string {
  const pieces: Uint8Array[] = []
  while (pieces.length < 2_000) pieces.push(new Uint8Array(4 * 2 ** 20).fill(1))
  return String(pieces.length)
}

serveTasks(async (task: Task, signal): Promise<string> => {
  if (task.kind === 'echo') return task.text
  if (task.kind === 'who') return `${process.pid}/${threadId}`
  if (task.kind === 'grow') return grow()
  if (task.kind === 'spin') {
    raise(task.tries)
    return spin(task.ms)
  }
  while (!signal.aborted) await nextTurn()
  raise(task.heard)
  return 'given up'
})

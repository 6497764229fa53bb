// Starts worker threads from a module beside the caller, whether that module is compiled (dist/*.js) or still
// TypeScript (tests, `npm run dev`).
import { getPriority, setPriority } from 'node:os'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Where a sibling worker module lies, and what a thread needs to load it. `moduleUrl` is the caller's
 * `import.meta.url`. While the sources are TypeScript, the address is that of a small module which teaches the thread
 * to load them and passes on the default export; `--import tsx` alone does nothing in a thread.
 */
function workerModule(moduleUrl: string, name: string): { url: URL; execArgv: string[] } {
  if (!moduleUrl.endsWith('.ts')) return { url: new URL(`./${name}.js`, moduleUrl), execArgv: [] }
  const target = new URL(`./${name}.ts`, moduleUrl).href
  const source = [
    `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}`,
    'register()',
    `const loaded = await import(${JSON.stringify(target)})`,
    'export default loaded.default',
  ].join('\n')
  return { url: new URL(`data:text/javascript,${encodeURIComponent(source)}`), execArgv: [] }
}

/** Starts one worker thread from the sibling module `name` (without extension). */
export function startWorker(moduleUrl: string, name: string, options: WorkerOptions = {}): Worker {
  const { url, execArgv } = workerModule(moduleUrl, name)
  return new Worker(url, { ...options, execArgv })
}

/**
 * How much a thread of calculation yields: 3 is half the weight of the serving thread. Measured on two crowded cores
 * while clients ask again the moment they are refused: with 10 the refusals took so much that only 1.6 searches a second
 * were answered, in place of 4.2 without, and were refused no sooner.
 */
const YIELDED_NICENESS = 3
const NICENESS_MAX = 19

/**
 * Called by a worker thread at its start: from now on the thread that serves comes first when there are fewer cores than
 * threads, so that a refusal or a health check does not wait for pages to be parsed. On Linux alone, where a priority
 * belongs to a thread (setpriority(2)); elsewhere it is the whole process's.
 */
export function yieldToServing(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(NICENESS_MAX, getPriority() + YIELDED_NICENESS))
  } catch {
    // Yielding needs no right, but a filter of system calls may know neither call. Then all threads stay equal.
  }
}

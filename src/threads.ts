// Starts worker threads from a module beside the caller, whether that module is compiled (dist/*.js) or still
// TypeScript (tests, `npm run dev`). Apart from the pools, because every pool needs it and Node 20 cannot load .ts.
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Where a sibling worker module lies, and what a thread needs to load it. `moduleUrl` is the caller's `import.meta.url`. */
export function workerModule(moduleUrl: string, name: string): { url: URL; execArgv: string[] } {
  const extension = moduleUrl.endsWith('.ts') ? 'ts' : 'js'
  return {
    url: new URL(`./${name}.${extension}`, moduleUrl),
    execArgv: extension === 'ts' ? ['--import', 'tsx'] : [],
  }
}

/** Starts one worker thread from the sibling module `name` (without extension). */
export function startWorker(moduleUrl: string, name: string, options: WorkerOptions = {}): Worker {
  const { url, execArgv } = workerModule(moduleUrl, name)
  return new Worker(url, { ...options, execArgv })
}

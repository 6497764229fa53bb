// Starts worker threads from a module beside the caller: in the sources that of the same folder (tests, `npm run dev`), in
// the bundle that of the same name, because all of its files lie side by side (scripts/setup/bundle.mjs).
import { getPriority, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Where a sibling module lies, and what Node needs to run it. `moduleUrl` is the caller's `import.meta.url`. */
export function siblingModule(
  moduleUrl: string,
  name: string,
): { url: URL; execArgv: string[]; loaderMemoryMb: number } {
  const isTypeScript = moduleUrl.endsWith('.ts')
  return {
    url: new URL(`./${name}.${isTypeScript ? 'ts' : 'js'}`, moduleUrl),
    execArgv: isTypeScript ? ['--import', import.meta.resolve('tsx')] : [],
    /** What translating TypeScript takes beside the work itself. */
    loaderMemoryMb: isTypeScript ? 512 : 0,
  }
}

/**
 * The address from which a thread loads `module`. While the sources are TypeScript, that of a small module which teaches
 * the thread to load them and passes on the default export; `--import tsx` alone does nothing in a thread.
 */
function threadModule(module: URL): URL {
  if (!module.pathname.endsWith('.ts')) return module
  const source = [
    `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}`,
    'register()',
    `const loaded = await import(${JSON.stringify(module.href)})`,
    'export default loaded.default',
  ].join('\n')
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`)
}

export interface StartOptions {
  /**
   * Of the thread's own heap, in mebibytes: far above what it needs, so that it is a net and not a tool. A thread that
   * reaches it in small steps ends alone; one that asks for a large piece at once takes the process with it (V8 aborts),
   * so what may grow without bound belongs in a process of its own (worker-process.ts).
   */
  memoryMb: number
  /**
   * Of that, for what is new and mostly soon gone; V8 keeps three times the third of it that is in use, and takes 48 while
   * a thread's modules load, which it never gives back. Less makes the thread tidy up more often.
   */
  youngMemoryMb?: number
  workerData?: unknown
}

/** Enough for a thread that mostly waits for native code, or works on arrays. */
const YOUNG_MEMORY_MB = 6

/** Starts one worker thread from the sibling module `name` (without extension). */
export function startWorker(
  moduleUrl: string,
  name: string,
  { memoryMb, youngMemoryMb = YOUNG_MEMORY_MB, workerData }: StartOptions,
): Worker {
  const module = threadModule(siblingModule(moduleUrl, name).url)
  return new Worker(module, {
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMemoryMb },
  })
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

// Keeps one healthy Chromium: starts it again when it has died or hangs, replaces it before it grows old, and ends
// tabs that eat memory.
import type { Logger } from '../../telemetry/log.ts'
import { launchBrowser, privateMemoryBytes, type BrowserTarget, type RunningBrowser } from './launch.ts'

const MEBIBYTE = 2 ** 20

/** When a browser is replaced and a tab is ended; measured: ~200 MB after 100 pages, growing slowly. */
export const BROWSER_LIMITS = {
  pages: 300,
  ageMs: 30 * 60_000,
  memoryBytes: 1_500 * MEBIBYTE,
  rendererMemoryBytes: 600 * MEBIBYTE,
} as const

export type BrowserLimits = { readonly [name in keyof typeof BROWSER_LIMITS]: number }

const WATCH_MS = 250
/** An idle browser is looked at this much less often. */
const IDLE_WATCH_EVERY = 20
/** A browser that does not tell its processes within this time hangs. */
const HANG_MS = 3_000
const SUSPECT_MS = 1_000
/** After a failed start, pages fail at once for this long instead of each waiting for another failure. */
const RELAUNCH_PAUSE_MS = 3_000

/** A browser with the count of pages it serves now and has served. */
interface KeptBrowser {
  readonly running: RunningBrowser
  active: number
  pages: number
  retiring: boolean
}

export interface SupervisorOptions {
  target: BrowserTarget
  /** The browser that detection has already started. */
  first: RunningBrowser
  limits: BrowserLimits
  logger: Logger
}

export type BrowserSupervisor = ReturnType<typeof createBrowserSupervisor>

export function createBrowserSupervisor({ target, first, limits, logger }: SupervisorOptions) {
  const roster = createRoster(limits, logger)
  const launch = createLauncher(target, logger)
  let launching: Promise<KeptBrowser> | null = null
  let closed = false
  let starts = 1
  roster.keep(first)

  async function relaunch(): Promise<KeptBrowser> {
    const running = await launch()
    starts += 1
    if (!closed) return roster.keep(running)
    await running.stop()
    throw new Error('the browser is closed')
  }

  async function inspect(kept: KeptBrowser): Promise<void> {
    const health = await examine(kept.running, limits, logger)
    if (health === 'hangs') roster.end(kept)
    if (health === 'heavy') roster.retire(kept)
  }

  const stopWatching = every(WATCH_MS, async (tick) => {
    const due = roster.all().filter((kept) => kept.active > 0 || tick % IDLE_WATCH_EVERY === 0)
    await Promise.all(due.map((kept) => inspect(kept)))
  })

  return {
    /** How often a browser was started so far. */
    starts: () => starts,
    /** A usable browser, started again if need be. Rejects when none can be started. Give it back with `release`. */
    async lease(): Promise<KeptBrowser> {
      if (closed) throw new Error('the browser is closed')
      const kept = roster.usable() ?? (await (launching ??= relaunch().finally(() => (launching = null))))
      kept.active += 1
      kept.pages += 1
      return kept
    },
    release: (kept: KeptBrowser): void => {
      kept.active -= 1
      if (kept.retiring && kept.active === 0) roster.retire(kept)
    },
    /** Ends a browser that a page found unresponsive, if it really answers nothing. */
    async suspect(kept: KeptBrowser): Promise<void> {
      if (!kept.running.isRunning()) return
      await kept.running.processes(SUSPECT_MS).catch(() => roster.end(kept))
    },
    async close(): Promise<void> {
      closed = true
      stopWatching()
      await launching?.catch(() => undefined)
      await Promise.all(roster.all().map((kept) => kept.running.stop()))
    },
  }
}

/** The browsers that run: one that takes new pages, and old ones that finish theirs. */
function createRoster(limits: BrowserLimits, logger: Logger) {
  const all = new Set<KeptBrowser>()
  let current: KeptBrowser | null = null

  function leave(kept: KeptBrowser): void {
    kept.retiring = true
    if (current === kept) current = null
  }
  /** No new pages; stopped as soon as the last one is done. */
  function retire(kept: KeptBrowser): void {
    leave(kept)
    if (kept.active === 0) void kept.running.stop().then(() => all.delete(kept))
  }
  return {
    retire,
    all: () => [...all],
    keep(running: RunningBrowser): KeptBrowser {
      const kept = { running, active: 0, pages: 0, retiring: false }
      all.add(kept)
      current = kept
      running.browser.on('disconnected', () => {
        if (running.isUnasked()) logger.warn({ pid: running.pid }, 'the browser has gone')
        leave(kept)
        all.delete(kept)
        // Playwright has seen only the first process go; its children must not stay behind.
        void running.kill()
      })
      return kept
    },
    /** The browser that takes new pages; null when one must be started. */
    usable(): KeptBrowser | null {
      const isSpent = (kept: KeptBrowser) =>
        kept.pages >= limits.pages || performance.now() - kept.running.startedAt > limits.ageMs
      if (current && isSpent(current)) retire(current)
      return current?.running.isRunning() === true ? current : null
    },
    /** Ends a hung browser at once. Its pages fail now and may try again elsewhere. */
    end(kept: KeptBrowser): void {
      if (!kept.running.isRunning()) return
      logger.warn({ pid: kept.running.pid }, 'the browser hangs and is ended')
      leave(kept)
      void kept.running.kill().then(() => all.delete(kept))
    },
  }
}

function createLauncher(target: BrowserTarget, logger: Logger): () => Promise<RunningBrowser> {
  let failedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - failedAt < RELAUNCH_PAUSE_MS)
      throw new Error('the browser could not be started just before')
    try {
      return await launchBrowser(target)
    } catch (error) {
      failedAt = performance.now()
      logger.error({ err: error }, 'the browser cannot be started')
      throw error
    }
  }
}

/** Runs `work` at this interval, never twice at once, until the returned function is called. */
function every(intervalMs: number, work: (tick: number) => Promise<void>): () => void {
  let ticks = 0
  let isWorking = false
  const timer = setInterval(() => {
    ticks += 1
    if (isWorking) return
    isWorking = true
    void work(ticks).finally(() => (isWorking = false))
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Measures a browser and ends tabs of it that use too much memory. */
async function examine(
  running: RunningBrowser,
  limits: BrowserLimits,
  logger: Logger,
): Promise<'healthy' | 'hangs' | 'heavy'> {
  const processes = await running.processes(HANG_MS).catch(() => null)
  if (processes === null) return 'hangs'
  if (running.pid === null) return 'healthy'
  const sizes = await Promise.all(processes.map(({ pid }) => privateMemoryBytes(pid)))
  for (const [index, { type, pid }] of processes.entries()) {
    const bytes = sizes[index] ?? 0
    if (type === 'renderer' && bytes > limits.rendererMemoryBytes) endRenderer(pid, bytes, logger)
  }
  const totalBytes = sizes.reduce((sum, bytes) => sum + bytes, 0)
  return totalBytes > limits.memoryBytes ? 'heavy' : 'healthy'
}

function endRenderer(pid: number, bytes: number, logger: Logger): void {
  logger.warn({ pid, mebibytes: Math.round(bytes / MEBIBYTE) }, 'a tab uses too much memory; it is ended')
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It may have ended by itself since it was measured.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

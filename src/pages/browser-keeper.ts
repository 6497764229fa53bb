// Keeps one healthy Chromium: starts it again when it has died or hangs, replaces it before it grows old, and ends tabs
// that eat memory. Apart from rendering, because a page needs a browser and should not know which, or since when.
import type { Logger } from '../telemetry.ts'
import {
  launchBrowser,
  privateMemoryBytes,
  type BrowserTarget,
  type RunningBrowser,
} from './browser-launch.ts'

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

export interface KeeperOptions {
  target: BrowserTarget
  /** The browser that detection has already started. */
  first: RunningBrowser
  limits: BrowserLimits
  logger: Logger
}

export type BrowserKeeper = ReturnType<typeof createBrowserKeeper>

export function createBrowserKeeper(options: KeeperOptions) {
  const { limits, logger } = options
  const all = new Set<KeptBrowser>()
  let current: KeptBrowser | null = keep(options.first)
  let launching: Promise<KeptBrowser> | null = null
  let failedAt = 0
  let closed = false
  let ticks = 0
  let watching = false

  function keep(running: RunningBrowser): KeptBrowser {
    const kept: KeptBrowser = { running, active: 0, pages: 0, retiring: false }
    all.add(kept)
    running.browser.on('disconnected', () => {
      if (!kept.retiring && !closed)
        logger.warn({ pid: running.pid }, 'the browser has gone; it is started again')
      retire(kept, true)
    })
    return kept
  }

  /** Takes a browser out of use; it is stopped now, or as soon as its last page is done. */
  function retire(kept: KeptBrowser, now: boolean): void {
    kept.retiring = true
    if (current === kept) current = null
    if (!now && kept.active > 0) return
    void kept.running.stop().then(() => all.delete(kept))
  }

  async function launch(): Promise<KeptBrowser> {
    if (Date.now() - failedAt < RELAUNCH_PAUSE_MS)
      throw new Error('the browser could not be started just before')
    try {
      const running = await launchBrowser(options.target)
      const kept = keep(running)
      if (closed) retire(kept, true)
      else current = kept
      return kept
    } catch (error) {
      failedAt = Date.now()
      logger.error({ err: error }, 'the browser cannot be started')
      throw error
    }
  }

  function isSpent(kept: KeptBrowser): boolean {
    return kept.pages >= limits.pages || Date.now() - kept.running.startedAt > limits.ageMs
  }

  async function lease(): Promise<KeptBrowser> {
    if (closed) throw new Error('the browser is closed')
    if (current && isSpent(current)) retire(current, false)
    const usable = current?.running.isRunning() ? current : null
    const kept = usable ?? (await (launching ??= launch().finally(() => (launching = null))))
    kept.active += 1
    kept.pages += 1
    return kept
  }

  function release(kept: KeptBrowser): void {
    kept.active -= 1
    if (kept.retiring && kept.active === 0) retire(kept, true)
  }

  /** Stops a browser that a page found unresponsive, when it really answers nothing. True when it was stopped. */
  async function suspect(kept: KeptBrowser): Promise<boolean> {
    if (!kept.running.isRunning()) return true
    try {
      await kept.running.processes(SUSPECT_MS)
      return false
    } catch {
      logger.warn({ pid: kept.running.pid }, 'the browser hangs; it is replaced')
      retire(kept, true)
      return true
    }
  }

  async function inspect(kept: KeptBrowser): Promise<void> {
    if (!kept.running.isRunning()) return
    const processes = await kept.running.processes(HANG_MS).catch(() => null)
    if (processes === null) {
      if (kept.running.isRunning())
        logger.warn({ pid: kept.running.pid }, 'the browser hangs; it is replaced')
      return retire(kept, true)
    }
    if (kept.running.pid === null) return
    let totalBytes = 0
    for (const { type, pid } of processes) {
      const bytes = await privateMemoryBytes(pid)
      totalBytes += bytes
      if (type === 'renderer' && bytes > limits.rendererMemoryBytes) endRenderer(pid, bytes, logger)
    }
    if (totalBytes > limits.memoryBytes && !kept.retiring) retire(kept, false)
  }

  async function watch(): Promise<void> {
    ticks += 1
    if (watching) return
    watching = true
    const due = [...all].filter((kept) => kept.active > 0 || ticks % IDLE_WATCH_EVERY === 0)
    await Promise.all(due.map((kept) => inspect(kept)))
    watching = false
  }

  const timer = setInterval(() => void watch(), WATCH_MS)
  timer.unref()

  return {
    /** A usable browser, started again if need be. Rejects when none can be started. Give it back with `release`. */
    lease,
    release,
    suspect,
    async close(): Promise<void> {
      closed = true
      clearInterval(timer)
      await launching?.catch(() => undefined)
      await Promise.all([...all].map((kept) => kept.running.stop()))
    },
  }
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

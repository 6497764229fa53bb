// Rendering as a service: a few slots, each with its own guarded proxy, a fresh context for every page, one retry when
// the browser itself fails.
import type { BrowserContext } from 'playwright'
import type { Logger } from '../../telemetry/log.ts'
import { CLOSE_LIMIT_MS, openContext, reachesProxy, shutWebRtc, silenceConsole } from './browser-contexts.ts'
import { detectBrowser, type BrowserDescription, type DetectionOptions } from './detection.ts'
import {
  BROWSER_LIMITS,
  createBrowserSupervisor,
  type BrowserSupervisor,
  type BrowserLimits,
} from './supervisor.ts'
import { PageError } from '../capture.ts'
import type { Egress } from '../egress/egress.ts'
import { createSlots, SlotsBusyError } from '../../concurrency/slots.ts'
import { renderPage, type RenderedPage } from './page-rendering.ts'
import type { EgressProxy } from '../egress/browser-proxy.ts'
import { withDeadline } from '../../concurrency/deadline.ts'

/** Three tabs keep two cores busy (measured: 2.8 pages/s with 3–4, 3.0 with 8 at twice the latency). */
const RENDERING_LIMITS = {
  tabs: 3,
  waiting: 24,
  pageBytes: 15 * 2 ** 20,
} as const

/** What a service without a browser is busy with. */
const NO_LOAD = { tabs: 0, busy: 0, waiting: 0, starts: 0 } as const

const CONTEXT_LIMIT_MS = 2_000
/** Less time than this is not worth a second try. */
const RETRY_LEFT_MS = 1_200

export interface BrowserOptions extends DetectionOptions {
  userAgent: string
  /** Opens the guarded proxy that is one tab's only way out. */
  listenProxy: Egress['listenProxy']
  logger: Logger
  limits?: Partial<BrowserLimits & { [name in keyof typeof RENDERING_LIMITS]: number }>
}

export interface RenderOptions {
  deadlineMs: number
  scroll: boolean
  /** BCP 47 tag that the page is asked for and its scripts see; English when left out. */
  language?: string | undefined
}

/** One tab's place, with its own proxy. */
interface Lane {
  readonly proxy: EgressProxy
  /** Settles when the last page's context is closed. */
  closing: Promise<unknown>
}

export type BrowserReader = Awaited<ReturnType<typeof openBrowser>>

/** Finds and starts a browser. Never throws for a missing one: `describe()` says so and `render` is null. */
export async function openBrowser(options: BrowserOptions) {
  const detection = await detectBrowser(options)
  if (detection.running === null) {
    return without(detection.description)
  }
  const limits = { ...BROWSER_LIMITS, ...RENDERING_LIMITS, ...options.limits }
  const lanes = await openLanes(options.listenProxy, limits)
  const { running: first, target } = detection
  if (target.kind === 'remote' && !(await reachesProxy(first.browser, lanes[0]?.proxy))) {
    await Promise.all([first.stop(), ...lanes.map(({ proxy }) => proxy.close())])
    return without(outOfReach(lanes[0]?.proxy.url ?? ''))
  }
  const supervisor = createBrowserSupervisor({ target, first, limits, logger: options.logger })
  const slots = createSlots(lanes, limits.waiting)

  async function renderOnce(
    url: string,
    slot: Lane,
    asked: RenderOptions,
    signal: AbortSignal,
  ): Promise<RenderedPage> {
    const kept = await leaseInTime(supervisor, asked.deadlineMs, signal)
    const opening = openContext(kept.running.browser, slot.proxy, options.userAgent, asked.language)
    try {
      const limit = { what: 'opening a context', limitMs: CONTEXT_LIMIT_MS, signal }
      const context = await withDeadline(limit, () => opening)
      await withDeadline(limit, () => silenceConsole(context))
      if (target.kind === 'remote') await withDeadline(limit, () => shutWebRtc(context))
      slot.proxy.start(limits.pageBytes)
      return await renderPage(context, { url, ...asked, usage: slot.proxy.usage }, signal)
    } catch (error) {
      if (!(error instanceof PageError) && !signal.aborted) await supervisor.suspect(kept)
      throw error
    } finally {
      slot.closing = Promise.all([slot.closing, closeContext(opening, kept, supervisor)])
    }
  }

  /**
   * One page as the browser shows it.
   * @throws PageError (`busy` when the queue is full, `browser_crashed` when the browser failed twice); the signal's
   * reason when aborted.
   */
  async function render(url: string, asked: RenderOptions, signal: AbortSignal): Promise<RenderedPage> {
    const slot = await slots.take(asked.deadlineMs, signal).catch((error: unknown) => {
      throw error instanceof SlotsBusyError ? browserError(url, 'busy', error) : error
    })
    try {
      return await tryTwice(() => renderOnce(url, slot, asked, signal), asked.deadlineMs, signal)
    } catch (error) {
      if (error instanceof PageError || signal.aborted) throw error
      throw browserError(url, 'browser_crashed', error)
    } finally {
      // The answer need not wait for the tab to close, the next page in this slot must: its proxy counts for one page.
      void slot.closing.then(() => slots.give(slot))
    }
  }

  return {
    /** What was found at start. */
    describe: (): BrowserDescription => detection.description,
    /** Tabs, pages in them and before them, and how often a browser was started. */
    load: () => ({ ...slots.load(), tabs: limits.tabs, starts: supervisor.starts() }),
    render,
    /** Ends the browser and all its processes. */
    async close(): Promise<void> {
      await supervisor.close()
      await Promise.all(lanes.map((lane) => lane.closing))
      await Promise.all(lanes.map((lane) => lane.proxy.close()))
    },
  }
}

const without = (description: BrowserDescription) => ({
  describe: () => description,
  load: () => NO_LOAD,
  render: null,
  close: async () => undefined,
})

const outOfReach = (proxyUrl: string): BrowserDescription => ({
  found: false,
  summary: `The remote browser cannot reach the guarded proxy of this service at ${proxyUrl}: static pages only.`,
  advice:
    'Run the browser where it shares the loopback address with this service (same host, same pod), or name in ' +
    'BROWSER_PROXY_HOST how its host reaches this one, and in BROWSER_PROXY_CLIENTS where it connects from.',
})

async function openLanes(
  listenProxy: BrowserOptions['listenProxy'],
  { tabs, pageBytes }: { tabs: number; pageBytes: number },
): Promise<Lane[]> {
  const proxies = await Promise.all(Array.from({ length: tabs }, () => listenProxy(pageBytes)))
  return proxies.map((proxy) => ({ proxy, closing: Promise.resolve() }))
}

/** Once more, when the browser itself failed and there is time left. */
async function tryTwice<T>(attempt: () => Promise<T>, deadlineMs: number, signal: AbortSignal): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const mayRetry = !(error instanceof PageError) && !signal.aborted
    if (!mayRetry || deadlineMs - Date.now() < RETRY_LEFT_MS) throw error
    return attempt()
  }
}

/** A browser by the page's deadline. One that comes later is given back. */
async function leaseInTime(supervisor: BrowserSupervisor, deadlineMs: number, signal: AbortSignal) {
  const leasing = supervisor.lease()
  try {
    return await withDeadline(
      { what: 'waiting for a browser', limitMs: deadlineMs - Date.now(), signal },
      () => leasing,
    )
  } catch (error) {
    leasing.then(supervisor.release, () => undefined)
    throw error
  }
}

/** A context that does not close is the sign of a browser that hangs. */
async function closeContext(
  opening: Promise<BrowserContext>,
  kept: Awaited<ReturnType<BrowserSupervisor['lease']>>,
  supervisor: BrowserSupervisor,
): Promise<void> {
  try {
    await withDeadline({ what: 'closing a context', limitMs: CLOSE_LIMIT_MS }, () =>
      opening.then((context) => context.close()),
    )
  } catch {
    // Whatever comes of that: the tab of a page that has ended is free for the next.
    await supervisor.suspect(kept).catch(() => undefined)
  } finally {
    supervisor.release(kept)
  }
}

function browserError(url: string, code: 'busy' | 'browser_crashed', cause: unknown): PageError {
  const message =
    code === 'busy'
      ? 'The page needs a browser, and all of them were busy until time ran out.'
      : 'The browser failed while it read this page.'
  return new PageError(url, { code, message }, cause)
}

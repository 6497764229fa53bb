// Reading one page in one fresh browser context: go there, wait until its text is quiet, take the DOM down, and keep
// every trick a page can play (loops, dialogs, pop-ups, downloads, crashes) from costing more than that page.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Response } from 'playwright'
import { domCaptureScript } from './dom-capture.ts'
import type { CapturedDom } from './dom-writer.ts'
import { type PageProbe, pageProbeScript, scrollScript } from './page-scripts.ts'
import { isOfTheWeb, mediaTypeOf, pageError, watchPage, type PageWatch } from './page-events.ts'
import { cachingHeadersOf, type CachingHeaders } from '../freshness.ts'
import type { ProxyUsage } from '../egress/browser-proxy-slot.ts'
import { TimeLimitError, withDeadline } from '../../concurrency/deadline.ts'

const POLL_MS = 40
const POLL_MAX_MS = 300
/** Text counts as quiet when it has not changed for this long… */
const QUIET_MS = 150
/** …or this long while a young script or request may still change it, or the document is still arriving. */
const QUIET_WHILE_BUSY_MS = 600
const QUIET_WHILE_LOADING_MS = 1_000
/** With less prose than this, a page with scripts is given `THIN_WAIT_MS` of quiet to show more. */
const ENOUGH_PROSE = 400
const THIN_WAIT_MS = 2_000
const THIN_RETRY_MS = 200
const WAIT_LIMIT_MS = 5_000
const PROBE_LIMIT_MS = 1_000
const CAPTURE_LIMIT_MS = 2_000
/** For the second try at a page that took too long: by then it is still at work on megabytes, or hangs. */
const LAST_CAPTURE_LIMIT_MS = 6_000
/** Kept back from the deadline for taking the text down. */
const CAPTURE_RESERVE_MS = 400
const TEXT_CHANGE_CHARACTERS = 40
const SCROLL_STEPS_MAX = 30
const SCROLL_PAUSE_MS = 120

export interface RenderRequest {
  url: string
  deadlineMs: number
  scroll: boolean
  /** What this page has fetched and what was refused to it, as its proxy counts. */
  usage: () => ProxyUsage
}

export interface RenderedPage {
  url: string
  mediaType: string
  html: string
  lastModified: string | null
  contentLanguage: string | null
  caching: CachingHeaders
  /** `X-Robots-Tag` as sent. */
  robotsTag: string | null
  /** Why this is only the beginning of the page: it is larger than a limit, or was still arriving; else null. */
  cut: 'size' | 'time' | null
}

/**
 * Reads one page in `context`, which must be fresh and is closed by the caller.
 * @throws PageError when the page cannot be read; the signal's reason when aborted; anything else means that the
 * browser itself has failed.
 */
export async function renderPage(
  context: BrowserContext,
  request: RenderRequest,
  signal: AbortSignal,
): Promise<RenderedPage> {
  const page = await withDeadline({ what: 'opening a tab', limitMs: CAPTURE_LIMIT_MS, signal }, () =>
    context.newPage(),
  )
  const session = await withDeadline({ what: 'opening a session', limitMs: CAPTURE_LIMIT_MS, signal }, () =>
    context.newCDPSession(page),
  )
  const watch = watchPage(context, page, session, request)
  try {
    await watch.navigate(request.deadlineMs - CAPTURE_RESERVE_MS, signal)
    const quiet = await waitForQuietText(watch, request, signal)
    const dom = request.scroll ? await scrollThrough(watch, request, quiet.dom, signal) : quiet.dom
    return describePage(watch.judge(), { ...quiet, dom }, request)
  } catch (error) {
    if (error instanceof TimeLimitError && Date.now() >= request.deadlineMs - CAPTURE_RESERVE_MS) {
      throw pageError(request.url, 'timeout', error)
    }
    throw error
  } finally {
    watch.end()
  }
}

interface QuietText {
  dom: CapturedDom
  /** The document had not ended when it was taken down, and nothing more of it is waited for. */
  isUnfinished: boolean
}

/** Polls until the text is quiet and worth reading, or time is up; then takes it down. */
async function waitForQuietText(
  watch: PageWatch,
  request: RenderRequest,
  signal: AbortSignal,
): Promise<QuietText> {
  const endsAt = Math.min(request.deadlineMs - CAPTURE_RESERVE_MS - QUIET_MS, Date.now() + WAIT_LIMIT_MS)
  const text = { probe: null as PageProbe | null, changedAt: Date.now(), navigations: 0 }
  let notBefore = 0
  let dom: CapturedDom | null = null
  while (dom === null && Date.now() < endsAt && !request.usage().overBudget && !watch.scriptsStopped()) {
    const askedAt = Date.now()
    const probe = await probePage(watch, signal)
    if (probe) {
      if (hasChanged(probe, text.probe) || watch.navigations() > text.navigations) text.changedAt = Date.now()
      Object.assign(text, { probe, navigations: watch.navigations() })
      const quietMs = Date.now() - text.changedAt
      if (Date.now() >= notBefore && isQuiet(probe, quietMs, watch.hasYoungRequests())) {
        const taken = await takeDown(watch, request, signal)
        if (isWhole(taken, probe, quietMs, watch.hasYoungRequests())) dom = taken
        notBefore = Date.now() + THIN_RETRY_MS
      }
    }
    // A page so large that the question itself takes long is asked less often.
    const pauseMs = Math.min(POLL_MAX_MS, Math.max(POLL_MS, 3 * (Date.now() - askedAt)))
    if (dom === null) await sleep(pauseMs, undefined, { signal })
  }
  dom ??= await takeDown(watch, request, signal)
  const isUnfinished = text.probe?.readyState === 'loading'
  if (isUnfinished) watch.stopLoading()
  return { dom, isUnfinished }
}

function hasChanged(probe: PageProbe, before: PageProbe | null): boolean {
  if (before === null || probe.url !== before.url) return true
  return Math.abs(probe.textLength - before.textLength) > TEXT_CHANGE_CHARACTERS
}

/** Enough to read, nothing that could bring more, or no more patience. */
function isWhole(dom: CapturedDom, probe: PageProbe, quietMs: number, busy: boolean): boolean {
  const mayGrow = probe.readyState !== 'complete' || probe.mayChange || busy
  return dom.proseLength >= ENOUGH_PROSE || !mayGrow || quietMs >= THIN_WAIT_MS
}

function isQuiet(probe: PageProbe, quietMs: number, busy: boolean): boolean {
  if (quietMs < QUIET_MS) return false
  if (probe.readyState === 'loading') return quietMs >= QUIET_WHILE_LOADING_MS && !busy
  return !busy || quietMs >= QUIET_WHILE_BUSY_MS
}

/** Null where the question was interrupted. A page that does not answer has its scripts stopped. */
async function probePage(watch: PageWatch, signal: AbortSignal): Promise<PageProbe | null> {
  try {
    return await watch.evaluate(pageProbeScript(), PROBE_LIMIT_MS, 'probing the page', signal)
  } catch (error) {
    if (error instanceof TimeLimitError) await watch.stopScripts()
    else if (!isInterrupted(error)) throw error
    return null
  }
}

async function takeDown(watch: PageWatch, request: RenderRequest, signal: AbortSignal): Promise<CapturedDom> {
  const take = (atMostMs: number) => {
    const limitMs = Math.min(atMostMs, Math.max(CAPTURE_RESERVE_MS, request.deadlineMs - Date.now()))
    return watch.evaluate(domCaptureScript(), limitMs, 'taking the page down', signal)
  }
  try {
    return await take(CAPTURE_LIMIT_MS)
  } catch (error) {
    if (error instanceof TimeLimitError) await watch.stopScripts()
    else if (!isInterrupted(error)) throw error
    await sleep(POLL_MS, undefined, { signal })
    return take(LAST_CAPTURE_LIMIT_MS)
  }
}

/** The page went on to its next document, or its scripts were stopped and ours with them: asking again is enough. */
function isInterrupted(error: unknown): boolean {
  const text = error instanceof Error ? error.message : ''
  return /Execution was terminated|Cannot find context|No frame for given id|Inspected target navigated|Execution context was destroyed|Frame with the given|uniqueContextId not found/u.test(
    text,
  )
}

/** Scrolls to the end, window by window, so that what loads on sight is loaded; then reads once more. */
async function scrollThrough(
  watch: PageWatch,
  request: RenderRequest,
  dom: CapturedDom,
  signal: AbortSignal,
): Promise<CapturedDom> {
  if (watch.scriptsStopped()) return dom
  const enoughTime = () => request.deadlineMs - Date.now() > CAPTURE_LIMIT_MS / 2 + CAPTURE_RESERVE_MS
  let endsSeen = 0
  for (let steps = 0; steps < SCROLL_STEPS_MAX && endsSeen < 3 && enoughTime(); steps += 1) {
    const atEnd = await watch
      .evaluate(scrollScript(), PROBE_LIMIT_MS, 'scrolling', signal)
      .catch((error: unknown) => {
        if (error instanceof TimeLimitError || isInterrupted(error)) return true
        throw error
      })
    endsSeen = atEnd ? endsSeen + 1 : 0
    await sleep(SCROLL_PAUSE_MS, undefined, { signal })
  }
  return takeDown(watch, request, signal)
}

function describePage(
  response: Response,
  { dom, isUnfinished }: QuietText,
  request: RenderRequest,
): RenderedPage {
  const headers = response.headers()
  const modified = Date.parse(headers['last-modified'] ?? '')
  return {
    url: isOfTheWeb(dom.url) ? dom.url : response.url(),
    mediaType: mediaTypeOf(response),
    html: dom.html,
    lastModified: Number.isNaN(modified) ? null : new Date(modified).toISOString(),
    contentLanguage: headers['content-language'] ?? null,
    caching: cachingHeadersOf((name) => headers[name] ?? null),
    robotsTag: headers['x-robots-tag'] ?? null,
    cut: dom.truncated || request.usage().overBudget ? 'size' : isUnfinished ? 'time' : null,
  }
}

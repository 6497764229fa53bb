// Which loader opens a page, and when: plain HTTP first; the browser beside it when HTTP is slow, after it when what
// came is thin. Measured over loopback searches: an eighth of the CPU and a fifth of the median latency of rendering
// everything, with every script-built page found.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserReader } from './browser/renderer.ts'
import { isHtml, PageError, type Capture, type LoadOptions, type PageWarning } from './capture.ts'
import type { Egress } from './egress/egress.ts'
import { FAILURES, toPageError } from './page-failure.ts'
import { pageError } from './browser/page-events.ts'
import type { HostLimiter } from './robots/host-limiter.ts'
import type { RenderedPage } from './browser/page-rendering.ts'
import type { Robots } from './robots/robots.ts'
import type { StaticLoader, StaticPage, Validators } from './static-loader.ts'
import { TimeLimitError, withDeadline } from '../concurrency/deadline.ts'

/** When plain HTTP has not finished after this long, the browser is started beside it. */
const HEDGE_MS = 600
/** With less time left, a browser would only find the page unfinished. */
const RENDER_LEFT_MS = 700
/** A page that comes when it is too late for a browser is still judged, so that its reader hears what it may lack. */
const ASSESS_MS_MIN = 200

/** Why plain HTML is not all: text is built by script, stands in frames, or where the page sends its readers on. */
type Lack = 'thin' | 'framed' | 'sent_on'

export interface PageLoaderParts {
  /** Plain HTTP. */
  statics: Pick<StaticLoader, 'load'>
  /** Null when there is no browser. */
  render: BrowserReader['render']
  /** Judges plain HTML: is what it shows without scripts enough to work with? Rejects when it cannot be asked now. */
  assessRendering(html: string, url: string, signal: AbortSignal): Promise<'enough' | Lack>
  egress: Pick<Egress, 'checkUrl'>
  robots: Pick<Robots, 'admit'> | null
  hostLimiter: Pick<HostLimiter, 'run'>
}

/** A page, and what a cache wants to know of it. Null for `capture`: unchanged since `known` was told. */
export type PageRead = Omit<StaticPage, 'validators'> & { validators: Validators | null }

type Outcome = { readonly read: PageRead } | { readonly error: unknown }

/** Combines the readers into one. */
export function createPageLoader(parts: PageLoaderParts) {
  const { render } = parts
  const renderPolitely = createPoliteRenderer(parts)
  const lackOf = createJudge(parts)

  /**
   * Reads one page by its deadline. `known`, from an earlier read by plain HTTP, makes the request conditional.
   * Throws PageError, the signal's reason when aborted, or what keeps `assessRendering` from an answer in its time.
   */
  async function read(
    url: string,
    options: LoadOptions,
    signal: AbortSignal,
    known: Validators | null = null,
  ): Promise<PageRead> {
    if (render === null || options.rendering === 'static') {
      const page = await parts.statics.load(url, options, signal, known)
      if (options.rendering === 'static') return page
      const lack = await lackOf(page.capture, options, signal)
      return lack === null ? page : withWarning(page, browserMissing(lack))
    }
    const stop = new AbortController()
    try {
      return await race(url, options, AbortSignal.any([signal, stop.signal]), known)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      stop.abort(new Error('the other reader was first'))
    }
  }

  async function race(
    url: string,
    options: LoadOptions,
    signal: AbortSignal,
    known: Validators | null,
  ): Promise<PageRead> {
    let rendered: Promise<Outcome> | null = null
    const startRendering = () => (rendered ??= settle(renderPolitely(url, options, signal)))
    const fetched = settle(parts.statics.load(url, options, signal, known))
    const early = await Promise.race([fetched, sleep(HEDGE_MS, null, { signal })])
    const first = early === null ? await firstRead(startRendering(), fetched) : null
    if (first) return first
    const outcome = await fetched
    if ('error' in outcome) return afterFailure(outcome.error, rendered, startRendering)
    const { capture } = outcome.read
    if (!isHtml(capture)) return outcome.read
    const told = options.rendering === 'auto' ? await lackOf(capture, options, signal) : undefined
    if (told === null) return outcome.read
    const isLate = rendered === null && options.deadlineMs - Date.now() < RENDER_LEFT_MS
    const shown = isLate ? { error: pageError(url, 'timeout') } : await startRendering()
    if ('read' in shown) return shown.read
    signal.throwIfAborted()
    const lack = told ?? (await lackOf(capture, options, signal))
    return lack === null ? outcome.read : withWarning(outcome.read, unrenderedBy(shown.error, lack))
  }

  return { read }
}

/**
 * Makes what tells why a browser would show more than plain HTML; null where it would not, and where that is not told
 * while there is time to run one: the text that has come is not lost because the threads that judge it are busy.
 */
function createJudge({ assessRendering }: Pick<PageLoaderParts, 'assessRendering'>) {
  return async function lackOf(
    capture: Capture | null,
    { deadlineMs }: LoadOptions,
    signal: AbortSignal,
  ): Promise<Lack | null> {
    // Everything else shows nothing more in a browser.
    if (!isHtml(capture)) return null
    const leftMs = deadlineMs - Date.now()
    const limitMs = Math.min(leftMs, Math.max(ASSESS_MS_MIN, leftMs - RENDER_LEFT_MS))
    const limit = { what: 'judging a page for the browser', limitMs, signal }
    try {
      const ask = (ended: AbortSignal) => assessRendering(capture.content, capture.url, ended)
      const verdict = await withDeadline(limit, ask)
      return verdict === 'enough' ? null : verdict
    } catch (error) {
      if (error instanceof TimeLimitError) return null
      throw error
    }
  }
}

/** The browser under the same rules as plain HTTP: checked address, robots.txt, turns at the host. */
function createPoliteRenderer({ render, egress, robots, hostLimiter }: PageLoaderParts) {
  return async function renderPolitely(
    url: string,
    options: LoadOptions,
    signal: AbortSignal,
  ): Promise<PageRead> {
    if (render === null) throw new Error('rendering without a browser')
    const { deadlineMs, scroll, language } = options
    try {
      const address = egress.checkUrl(url)
      await robots?.admit(address, deadlineMs, signal)
      const limit = { what: 'rendering a page', limitMs: deadlineMs - Date.now(), signal }
      const page = await withDeadline(limit, (ended) =>
        hostLimiter.run(address, ended, () => render(address.href, { deadlineMs, scroll, language }, ended)),
      )
      // The browser followed redirects by itself; where it arrived may be closed to robots.
      if (page.url !== address.href) await robots?.admit(new URL(page.url), deadlineMs, signal)
      // Scripts see the browser's language and need not say what they make of it.
      const { caching } = page
      return { capture: captureOf(url, page), validators: null, caching, variesByLanguage: true }
    } catch (error) {
      if (signal.aborted) throw error
      throw toPageError(url, error)
    }
  }
}

function captureOf(requestedUrl: string, page: RenderedPage): Capture {
  return {
    id: randomUUID(),
    requestedUrl,
    url: page.url,
    mediaType: page.mediaType,
    content: page.html,
    lastModified: page.lastModified,
    contentLanguage: page.contentLanguage,
    ...(page.robotsTag === null ? {} : { robotsTag: page.robotsTag }),
    fetchedAt: new Date().toISOString(),
    readBy: 'browser',
    warning: page.cut === null ? null : { code: 'truncated', message: FAILURES[`truncated_${page.cut}`] },
  }
}

/** What the browser shows, unless plain HTTP is done before. Null: look at plain HTTP's outcome. */
async function firstRead(rendered: Promise<Outcome>, fetched: Promise<Outcome>): Promise<PageRead | null> {
  const shown = await Promise.race([rendered, fetched.then(() => null)])
  return shown !== null && 'read' in shown ? shown.read : null
}

/**
 * Plain HTTP has failed. A browser that is at work may still arrive; one is started only for what a browser can do
 * better, which is to keep a cookie over a redirect.
 */
async function afterFailure(
  error: unknown,
  rendered: Promise<Outcome> | null,
  startRendering: () => Promise<Outcome>,
): Promise<PageRead> {
  const code = error instanceof PageError ? error.warning.code : null
  const mayArrive = rendered !== null && (code === 'timeout' || code === 'unreachable')
  if (!mayArrive && code !== 'too_many_redirects') throw error
  const shown = await startRendering()
  if ('read' in shown) return shown.read
  throw error
}

const settle = (work: Promise<PageRead>): Promise<Outcome> =>
  work.then(
    (read) => ({ read }),
    (error: unknown) => ({ error }),
  )

const LACKS: Readonly<Record<Lack, string>> = {
  thin: 'The page builds its text by script',
  framed: 'The page shows its text in frames',
  sent_on: 'The page sends its readers on to another address',
}

const browserMissing = (lack: Lack): PageWarning => ({
  code: 'browser_missing',
  message: `${LACKS[lack]}, and this service has no browser; only its plain HTML was used.`,
})

/** Text is there, but not the text that a browser would have shown. */
function unrendered(code: 'busy' | 'timeout' | 'browser_crashed', lack: Lack): PageWarning {
  const reasons = {
    busy: 'all browsers were busy',
    timeout: 'there was no time to run it',
    browser_crashed: 'it crashed the browser',
  }
  return { code, message: `${LACKS[lack]}, and ${reasons[code]}; only its plain HTML was used.` }
}

function unrenderedBy(error: unknown, lack: Lack): PageWarning {
  if (!(error instanceof PageError)) return pageError('', 'browser_crashed').warning
  const { code } = error.warning
  return code === 'busy' || code === 'timeout' || code === 'browser_crashed'
    ? unrendered(code, lack)
    : error.warning
}

/** A warning that the capture already carries is about its text and stays. */
function withWarning(page: PageRead, warning: PageWarning): PageRead {
  return page.capture === null
    ? page
    : { ...page, capture: { ...page.capture, warning: page.capture.warning ?? warning } }
}

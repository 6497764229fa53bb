// Everything a page does while it is read, and what it means: navigations, refusals, crashes, dialogs, pop-ups,
// downloads.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page, Request, Response } from 'playwright'
import { PageError, type PageWarningCode } from '../capture.ts'
import type { PageScript } from './page-scripts.ts'
import { FAILURES, statusWarning } from '../page-failure.ts'
import type { ProxyUsage } from '../egress/browser-proxy-slot.ts'
import { TimeLimitError, withDeadline } from '../../concurrency/deadline.ts'

/** A request older than this is a poll or a stuck tracker: not worth waiting for. */
const YOUNG_REQUEST_MS = 2_500
const STOP_LIMIT_MS = 1_000
/** How long after its navigation a closing tab may take to say so. */
const GOING_MS = 50
/** Documents that a page may load one after the other by script or meta refresh. */
const NAVIGATIONS_MAX = 10
const POP_UPS_MAX = 8
const ERRORS_MAX = 1_000
/** Of a page's workers: its own console is silent. */
const MESSAGES_MAX = 200
const WORKERS_MAX = 24
const WORLD_NAME = 'capture'

/** What only a browser can meet; all else is told in the words of every loader. */
const MESSAGES = {
  ...FAILURES,
  timeout: 'The page did not show its text in time.',
  browser_crashed: 'The page crashed the browser tab that it was opened in.',
} as const
type Failure = keyof typeof MESSAGES & PageWarningCode

export function pageError(url: string, code: Failure, cause?: unknown): PageError {
  return new PageError(url, { code, message: MESSAGES[code] }, cause)
}

interface WatchedRequest {
  readonly url: string
  readonly usage: () => ProxyUsage
}

export type PageWatch = ReturnType<typeof watchPage>

/** Listens to a page, goes to its address, and is the only one that talks to its scripts. */
export function watchPage(context: BrowserContext, page: Page, session: CDPSession, request: WatchedRequest) {
  const scripts = createScriptControl(session)
  const seen = watchNavigations(page, request)
  watchNuisances(context, page, scripts.stop)
  watchStorms(page, scripts)
  const failure = Promise.race([seen.loop, failureOf(page, request.url)])
  failure.catch(() => undefined)

  return {
    /** Goes to the page's address and returns as soon as its document begins. Throws PageError. */
    async navigate(deadlineMs: number, signal: AbortSignal): Promise<void> {
      const leftMs = Math.max(1, deadlineMs - Date.now())
      try {
        const going = withDeadline({ what: 'navigation', limitMs: leftMs, signal }, () =>
          page.goto(request.url, { waitUntil: 'commit', timeout: leftMs }),
        )
        await Promise.race([failure, going])
      } catch (error) {
        if (signal.aborted) throw error
        // A tab that is going away aborts its navigation first, as a download does.
        await Promise.race([failure, sleep(GOING_MS)])
        throw navigationError(seen.address(), error, request.usage())
      }
      judge(seen.answer(), page.url(), request)
    },
    /** The answer that the shown document came with. Throws PageError when it is an error or no page. */
    judge: (): Response => judge(seen.answer(), page.url(), request),
    /** Runs an expression of ours in the page. Rejects with the page's failure, TimeLimitError or the signal's reason. */
    evaluate: <T>(script: PageScript<T>, limitMs: number, what: string, signal: AbortSignal): Promise<T> =>
      Promise.race([failure, withDeadline({ what, limitMs, signal }, () => evaluateApart(session, script))]),
    stopScripts: scripts.stop,
    scriptsStopped: scripts.stopped,
    stopLoading: () => quietly(session.send('Page.stopLoading')),
    hasYoungRequests: seen.hasYoungRequests,
    navigations: seen.navigations,
    end: () => page.removeAllListeners(),
  }
}

function createScriptControl(session: CDPSession) {
  let stopped = false
  return {
    stopped: () => stopped,
    /**
     * A page in an endless loop answers nothing until its script is terminated; both words travel beside its thread.
     * One that is long at work without any script, laying out megabytes, hears them when it has done that: no fault
     * of the browser's, so they are waited for no longer than `STOP_LIMIT_MS`.
     */
    stop: async (): Promise<void> => {
      stopped = true
      const words = [
        session.send('Emulation.setScriptExecutionDisabled', { value: true }),
        session.send('Runtime.terminateExecution'),
      ]
      await Promise.race([Promise.all(words), sleep(STOP_LIMIT_MS, undefined, { ref: false })])
    },
    endTab: () => session.send('Page.crash'),
  }
}

/** Rejects when the tab is gone. */
function failureOf(page: Page, url: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    page.on('crash', () => reject(pageError(url, 'browser_crashed')))
    page.on('close', () => reject(new Error('the tab was closed')))
  })
}

function watchNavigations(page: Page, request: WatchedRequest) {
  const pending = new Map<Request, number>()
  let address = request.url
  let answer: Response | null = null
  let navigations = 0
  const isOurs = (made: Request) => made.isNavigationRequest() && made.frame() === page.mainFrame()
  page.on('request', (made) => {
    if (/^(xhr|fetch|script)$/u.test(made.resourceType())) pending.set(made, performance.now())
  })
  const loop = new Promise<never>((_resolve, reject) => {
    page.on('request', (made) => {
      if (!isOurs(made)) return
      address = made.url()
      if (made.redirectedFrom() === null) navigations += 1
      if (navigations > NAVIGATIONS_MAX) reject(pageError(address, 'too_many_redirects'))
    })
  })
  page.on('requestfinished', (made) => pending.delete(made))
  page.on('requestfailed', (made) => pending.delete(made))
  page.on('response', (response) => {
    if (isOurs(response.request()) && isOfTheWeb(response.url())) answer = response
  })
  return {
    loop,
    address: () => address,
    answer: () => answer,
    /** Documents that the page has begun to load so far. */
    navigations: () => navigations,
    hasYoungRequests: () =>
      [...pending.values()].some((startedAt) => performance.now() - startedAt < YOUNG_REQUEST_MS),
  }
}

/** A page may go on to one of its own making (`about:blank`, `blob:…`), which no site has: it is still the page before. */
export const isOfTheWeb = (url: string): boolean => /^https?:/u.test(url)

/** Dialogs would hold the page, pop-ups and downloads are nothing to read. */
function watchNuisances(context: BrowserContext, page: Page, stopScripts: () => Promise<void>): void {
  let popUps = 0
  page.on('dialog', (dialog) => quietly(dialog.dismiss()))
  page.on('download', (download) => quietly(download.cancel()))
  context.on('page', (opened) => {
    if (opened === page) return
    quietly(opened.close())
    popUps += 1
    if (popUps === POP_UPS_MAX) quietly(stopScripts())
  })
}

/** What a page tells without end takes the browser's time from every other page. No word of ours stops a worker. */
function watchStorms(page: Page, scripts: ReturnType<typeof createScriptControl>): void {
  let errors = 0
  let messages = 0
  page.on('pageerror', () => {
    errors += 1
    if (errors === ERRORS_MAX) quietly(scripts.stop())
  })
  page.on('console', () => {
    messages += 1
    if (messages === MESSAGES_MAX) quietly(scripts.endTab())
  })
  page.on('worker', () => {
    if (page.workers().length > WORKERS_MAX) quietly(scripts.endTab())
  })
}

/** For words whose failure only means that the tab is gone, which `failureOf` reports. */
function quietly(work: Promise<unknown>): void {
  work.catch(() => undefined)
}

/**
 * Evaluates in a world of its own, where page scripts cannot have replaced what ours relies on. The browser gives the
 * same world back as long as the document is the same, so asking for it each time costs one message.
 */
async function evaluateApart<T>(session: CDPSession, script: PageScript<T>): Promise<T> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const world = { frameId: frameTree.frame.id, worldName: WORLD_NAME }
  const { executionContextId } = await session.send('Page.createIsolatedWorld', world)
  const options = { expression: script.expression, contextId: executionContextId, returnByValue: true }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', options)
  if (!exceptionDetails) return script.result.parse(result.value)
  throw new Error(`our script failed: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
}

function navigationError(url: string, error: unknown, usage: ProxyUsage): unknown {
  const text = error instanceof Error ? error.message : ''
  if (error instanceof PageError) return error
  const refused = refusalOf(url, usage)
  if (refused) return refused
  if (error instanceof TimeLimitError || /Timeout \d+(\.\d+)?ms exceeded/u.test(text))
    return pageError(url, 'timeout', error)
  if (/ERR_TOO_MANY_REDIRECTS/u.test(text)) return pageError(url, 'too_many_redirects', error)
  if (/Download is starting|ERR_ABORTED/u.test(text)) return pageError(url, 'not_text', error)
  if (/ERR_(UNSAFE_|DISALLOWED_URL|UNKNOWN_URL|BLOCKED_BY)/u.test(text))
    return pageError(url, 'address_refused', error)
  if (/net::ERR_/u.test(text)) return pageError(url, 'unreachable', error)
  return error
}

function judge(answer: Response | null, shownUrl: string, request: WatchedRequest): Response {
  if (answer === null) throw pageError(request.url, 'unreachable', new Error('a document without an answer'))
  const url = answer.url()
  const refused = refusalOf(url, request.usage())
  if (refused) throw refused
  if (shownUrl.startsWith('chrome-error:')) throw pageError(url, 'unreachable')
  const status = answer.status()
  if (status >= 400) throw new PageError(url, statusWarning(status))
  if (!/^(text\/html|application\/xhtml\+xml)$/u.test(mediaTypeOf(answer))) throw pageError(url, 'not_text')
  return answer
}

/** The proxy answers for a site that it does not open; its books tell that answer from the site's own. */
function refusalOf(text: string, usage: ProxyUsage): PageError | null {
  const url = new URL(text)
  url.hash = ''
  const authority = `${url.hostname}:${url.port || '443'}`
  const refused = usage.refused.find(
    ({ target }) => target === url.href.slice(0, 200) || target === authority,
  )
  if (!refused) return null
  if (refused.reason === 'byte_budget') return pageError(text, 'too_large')
  const failed = /^(name|connection|timeout|busy|failed)$/u.test(refused.reason)
  return pageError(text, failed ? 'unreachable' : 'address_refused', new Error(`refused: ${refused.reason}`))
}

/** The media type of an answer, in lower case and without parameters. */
export function mediaTypeOf(response: Response): string {
  const header = response.headers()['content-type'] ?? 'text/html'
  return (header.split(';')[0] ?? '').trim().toLowerCase()
}

// The contexts of a browser, one for each page: how one is opened, what of it a remote browser must be kept from, and
// whether such a browser reaches the guarded proxy at all.
import type { Browser, BrowserContext } from 'playwright'
import { withDeadline } from '../../concurrency/deadline.ts'
import type { EgressProxy } from '../egress/browser-proxy.ts'

const REACH_LIMIT_MS = 5_000
/** One that takes longer to close is the sign of a browser that hangs. */
export const CLOSE_LIMIT_MS = 1_500

/** A context of its own for one page, with `proxy` as its only way out. */
export function openContext(
  browser: Browser,
  proxy: EgressProxy,
  userAgent: string,
  language: string = 'en-US',
): Promise<BrowserContext> {
  return browser.newContext({
    proxy: { server: proxy.url },
    userAgent,
    // A language that the browser has no data for would keep it from opening the page.
    locale: Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 1600 },
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
    reducedMotion: 'reduce',
  })
}

/** A remote browser was not started with our switches; WebRTC is the one way round a context's proxy. */
export async function shutWebRtc(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport']) {
      Object.defineProperty(globalThis, name, { value: undefined, configurable: false, writable: false })
    }
  })
}

/**
 * What a page writes to its console is told to us, message by message: enough of it keeps the browser from every other
 * page. Nobody reads it, so nothing is written.
 */
export async function silenceConsole(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    for (const name of Object.keys(console)) {
      if (typeof Reflect.get(console, name) === 'function') Reflect.set(console, name, () => undefined)
    }
  })
}

/** A remote browser may open pages only through our proxy; one that cannot reach it would open none. */
export async function reachesProxy(browser: Browser, proxy: EgressProxy | undefined): Promise<boolean> {
  if (!proxy) return false
  const context = await browser.newContext({ proxy: { server: proxy.url } })
  try {
    const page = await context.newPage()
    // A name that policy refuses: the refusal in the proxy's books is the proof.
    await page.goto('http://reach.invalid/', { timeout: REACH_LIMIT_MS }).catch(() => undefined)
    return proxy.usage().refused.length > 0
  } finally {
    await withDeadline({ what: 'closing a context', limitMs: CLOSE_LIMIT_MS }, () => context.close()).catch(
      () => undefined,
    )
  }
}

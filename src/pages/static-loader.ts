// Reads a page by plain HTTP: every hop checked, asked of robots.txt and taken in turn at its host; the body bounded,
// sniffed and decoded. What comes out is a Capture, what goes wrong a PageError with a sentence for its reader.
import { ACCEPT_ENCODING } from './fetch/body.ts'
import { isHtml, PageError, type Capture, type LoadOptions } from './capture.ts'
import { captureOf, type CaptureRules } from './fetch/capture-answer.ts'
import type { LongPage } from './fetch/decode-page.ts'
import type { Egress } from './egress/egress.ts'
import { discard, sendSingleRequest, type Hop } from './fetch/single-request.ts'
import { cachingHeadersOf, variesBy, type CachingHeaders } from './freshness.ts'
import { FAILURES, outOfTime, toPageError } from './page-failure.ts'
import type { HostLimiter } from './robots/host-limiter.ts'
import type { Robots } from './robots/robots.ts'
import { TimeLimitError, withDeadline } from '../concurrency/deadline.ts'

export interface StaticLimits {
  redirectsMax: number
  /** Of a body, on the wire and after decompression. */
  bytesMax: number
  /** Decompressed to compressed size beyond which a body is a bomb. */
  ratioMax: number
  /** For one page with its redirects, when its deadline is later. */
  timeMs: number
}

const STATIC_LIMITS: StaticLimits = {
  redirectsMax: 5,
  bytesMax: 8 * 1_024 * 1_024,
  ratioMax: 200,
  timeMs: 10_000,
}

export interface StaticLoaderOptions {
  egress: Pick<Egress, 'checkUrl' | 'dispatcher'>
  /** Null: robots.txt is not asked. */
  robots: Pick<Robots, 'admit'> | null
  hostLimiter: Pick<HostLimiter, 'run' | 'heed'>
  /** Names the service and a contact: "Verbatim/1.0 (+https://…)". */
  userAgent: string
  /** Decodes a long page, away from the thread that serves. Rejects with a PageError, or a TimeLimitError when it is late. */
  decodeLong(page: LongPage, signal: AbortSignal): Promise<string>
  /** Where the page itself sends its readers, by a refresh say; null where it does not. Left out: pages are taken as they are. */
  whereSentOn?(html: string, url: string): Promise<string | null> | string | null
  limits?: Partial<StaticLimits>
}

/** What a later request can be made conditional on (RFC 9110 §13.1), and how long the copy needs none. */
export interface Validators {
  /** The address that they belong to: the page's after redirects. */
  url: string
  etag: string | null
  /** `Last-Modified` as sent. */
  lastModified: string | null
}

export interface StaticPage {
  /** Null: the page is what it was when `validators` were sent (304). */
  capture: Capture | null
  validators: Validators
  caching: CachingHeaders
  /** True when another language might get another page (`Vary`, RFC 9110 §12.5.5, or a redirect on the way). */
  variesByLanguage: boolean
}

/** What has come when time is up is decoded and handed over within this. */
const ENDING_MS = 500

const ACCEPT =
  'text/html,application/xhtml+xml,application/xml;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.1'

interface Visit {
  headers: Record<string, string>
  known: Validators | null
  decodeLong: CaptureRules['decodeLong']
}

/** Loads pages without a browser. Holds nothing open by itself: `egress` does. */
export function createStaticLoader(options: StaticLoaderOptions) {
  const limits = { ...STATIC_LIMITS, ...options.limits }
  const { egress, robots, hostLimiter, userAgent } = options

  /**
   * Loads `url`, following at most `redirectsMax` redirects. `known`, from an earlier load, makes the request conditional.
   * Throws PageError for everything that keeps the page from being read, and the signal's reason when it is aborted.
   */
  async function load(
    url: string,
    { deadlineMs, fresh, language }: Pick<LoadOptions, 'deadlineMs' | 'fresh' | 'language'>,
    signal: AbortSignal,
    known: Validators | null = null,
  ): Promise<StaticPage> {
    const endMs = Math.min(deadlineMs, Date.now() + limits.timeMs)
    const headers = headersOf(userAgent, fresh, language)
    let current = url
    /** It waits for a turn at the site, or to be decoded: what is late then is not the site. */
    let isWithUs = false
    const decodeLong: CaptureRules['decodeLong'] = (page) => {
      isWithUs = true
      return options.decodeLong({ ...page, url: current, deadlineMs: endMs + ENDING_MS }, signal)
    }
    try {
      const limit = { what: 'loading a page', limitMs: endMs - Date.now(), signal, graceMs: ENDING_MS }
      return await withDeadline(limit, async (timeUp) => {
        for (let hops = 0; hops <= limits.redirectsMax; hops += 1) {
          const address = egress.checkUrl(current)
          await robots?.admit(address, endMs, timeUp)
          isWithUs = true
          const found = await hostLimiter.run(address, timeUp, () => {
            isWithUs = false
            return visitOnce(url, address, { headers, known, decodeLong }, timeUp)
          })
          // The last of pages that send on and on is taken as it is.
          const next = hops < limits.redirectsMax ? await onwardFrom(found, options) : found
          // A site that negotiates by redirects says so there, if anywhere.
          if (typeof next !== 'string') return hops === 0 ? next : { ...next, variesByLanguage: true }
          current = next
        }
        throw new PageError(current, { code: 'too_many_redirects', message: FAILURES.too_many_redirects })
      })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw isWithUs && error instanceof TimeLimitError
        ? outOfTime(current, error)
        : toPageError(current, error)
    }
  }

  /** One request: the page, or where it redirects to. */
  async function visitOnce(
    requestedUrl: string,
    url: URL,
    { headers, known, decodeLong }: Visit,
    timeUp: AbortSignal,
  ): Promise<StaticPage | string> {
    const answer = await sendSingleRequest(egress, url, { ...headers, ...conditions(known, url) }, timeUp)
    hostLimiter.heed(url, answer.status, answer.header('retry-after'))
    if (answer.redirect !== null) return answer.redirect
    const about = factsOf(url, answer)
    if (answer.status === 304 && known?.url === url.href) {
      discard(answer.body)
      return { capture: null, ...about }
    }
    return { capture: await captureOf(requestedUrl, url, answer, { limits, decodeLong }, timeUp), ...about }
  }

  return { load }
}

/** Where a redirect leads, or the page found sends its readers; else the page. */
async function onwardFrom(
  found: StaticPage | string,
  { whereSentOn }: Pick<StaticLoaderOptions, 'whereSentOn'>,
): Promise<StaticPage | string> {
  if (typeof found === 'string' || !isHtml(found.capture)) return found
  return (await whereSentOn?.(found.capture.content, found.capture.url)) ?? found
}

export type StaticLoader = ReturnType<typeof createStaticLoader>

const headersOf = (
  userAgent: string,
  fresh: boolean,
  language: string | undefined,
): Record<string, string> => ({
  'user-agent': userAgent,
  accept: ACCEPT,
  'accept-encoding': ACCEPT_ENCODING,
  'accept-language': acceptLanguage(language),
  ...(fresh ? { 'cache-control': 'no-cache', pragma: 'no-cache' } : {}),
})

/** What an answer says of a later request for the same page. */
function factsOf(url: URL, answer: Hop): Omit<StaticPage, 'capture'> {
  const caching = cachingHeadersOf(answer.combined)
  return {
    validators: {
      url: url.href,
      etag: answer.header('etag'),
      lastModified: answer.header('last-modified'),
    },
    caching,
    variesByLanguage: variesBy('accept-language', caching),
  }
}

/** RFC 9110 §12.5.4: the caller's own tag, its language, English, then anything. */
function acceptLanguage(language: string = 'en'): string {
  const primary = language.split('-')[0] ?? language
  const ranges = [...new Set([language, primary])].map((range, index) =>
    index === 0 ? range : `${range};q=0.9`,
  )
  return primary === 'en' ? `${ranges.join(',')},*;q=0.5` : `${ranges.join(',')},en;q=0.5,*;q=0.3`
}

function conditions(known: Validators | null, url: URL): Record<string, string> {
  if (known === null || known.url !== url.href) return {}
  return {
    ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
    ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
  }
}

// Reads a page by plain HTTP: every hop checked, asked of robots.txt and taken in turn at its host; the body bounded,
// sniffed and decoded. What comes out is a Capture, what goes wrong a PageError with a sentence for its reader.
import { Readable } from 'node:stream'
import { ACCEPT_ENCODING, readBody, type ReadBody } from './fetch/body.ts'
import { PageError, type Capture, type LoadOptions, type PageWarning } from './capture.ts'
import { decodeText } from './fetch/charset.ts'
import type { Egress } from './egress/egress.ts'
import { discard, sendSingleRequest, type Hop } from './fetch/single-request.ts'
import { readRefusal } from './fetch/refused-answer.ts'
import { isDocument, isText, sniffMediaType } from './fetch/media-type.ts'
import { cachingHeadersOf, variesBy, type CachingHeaders } from './freshness.ts'
import { createMarkupFilter } from './fetch/markup-filter.ts'
import { FAILURES, outOfTime, statusWarning, toPageError } from './page-failure.ts'
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

/** Scripts enough to tell that a page is built by them, styles as far as they are read: nobody looks at more. */
const MARKUP_RATIONS = { script: 256 * 1_024, style: 2 * 1_024 * 1_024 } as const
/** What has come when time is up is decoded and handed over within this. */
const ENDING_MS = 500

const ACCEPT =
  'text/html,application/xhtml+xml,application/xml;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.1'

/** Loads pages without a browser. Holds nothing open by itself: `egress` does. */
export function createStaticLoader(options: StaticLoaderOptions) {
  const limits = { ...STATIC_LIMITS, ...options.limits }
  const { egress, robots, hostLimiter } = options
  const baseHeaders = {
    'user-agent': options.userAgent,
    accept: ACCEPT,
    'accept-encoding': ACCEPT_ENCODING,
  }

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
    const headers = { ...baseHeaders, ...wishes(fresh, language) }
    let current = url
    let isInQueue = false
    try {
      const limit = { what: 'loading a page', limitMs: endMs - Date.now(), signal, graceMs: ENDING_MS }
      return await withDeadline(limit, async (timeUp) => {
        for (let hops = 0; hops <= limits.redirectsMax; hops += 1) {
          const address = egress.checkUrl(current)
          await robots?.admit(address, endMs, timeUp)
          isInQueue = true
          const found = await hostLimiter.run(address, timeUp, () => {
            isInQueue = false
            return visitOnce(url, address, headers, known, timeUp)
          })
          // A site that negotiates by redirects says so there, if anywhere.
          if (typeof found !== 'string') return hops === 0 ? found : { ...found, variesByLanguage: true }
          current = found
        }
        throw new PageError(current, { code: 'too_many_redirects', message: FAILURES.too_many_redirects })
      })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw isInQueue && error instanceof TimeLimitError
        ? outOfTime(current, error)
        : toPageError(current, error)
    }
  }

  /** One request: the page, or where it redirects to. */
  async function visitOnce(
    requestedUrl: string,
    url: URL,
    headers: Record<string, string>,
    known: Validators | null,
    timeUp: AbortSignal,
  ): Promise<StaticPage | string> {
    const answer = await sendSingleRequest(egress, url, { ...headers, ...conditions(known, url) }, timeUp)
    hostLimiter.heed(url, answer.status, answer.header('retry-after'))
    if (answer.redirect !== null) return answer.redirect
    const caching = cachingHeadersOf(answer.combined)
    const about = {
      validators: {
        url: url.href,
        etag: answer.header('etag'),
        lastModified: answer.header('last-modified'),
      },
      caching,
      variesByLanguage: variesBy('accept-language', caching),
    }
    if (answer.status === 304 && known?.url === url.href) {
      discard(answer.body)
      return { capture: null, ...about }
    }
    return { capture: await captureOf(requestedUrl, url, answer, limits, timeUp), ...about }
  }

  return { load }
}

export type StaticLoader = ReturnType<typeof createStaticLoader>

/** Reads, sniffs and decodes the answer of `url`. Throws PageError when it is no page to read. */
async function captureOf(
  requestedUrl: string,
  url: URL,
  answer: Hop,
  limits: StaticLimits,
  timeUp: AbortSignal,
): Promise<Capture> {
  const refusal = refusalOf(answer, limits.bytesMax)
  if (refusal !== null) {
    const shown = await shownInstead(answer, timeUp)
    discard(answer.body)
    throw new PageError(url.href, shown === null ? refusal : statusWarning(answer.status, shown))
  }
  const contentType = answer.header('content-type')
  const encoding = answer.header('content-encoding') ?? ''
  const filter = /html/iu.test(contentType ?? '') ? createMarkupFilter(MARKUP_RATIONS) : undefined
  const sent = await readBody(answer.body, encoding, limits, timeUp, filter)
  const packed = isPacked(sent)
  const body = packed ? await readBody(Readable.from([sent.bytes]), 'gzip', limits, timeUp) : sent
  const mediaType = sniffMediaType(packed ? null : contentType, body.bytes)
  const warning = judgeBody(url.href, mediaType, body)
  const robotsTag = answer.header('x-robots-tag')
  const hints = { contentType, mediaType, truncated: body.cut !== null }
  return {
    requestedUrl,
    url: url.href,
    mediaType,
    content: isDocument(mediaType) ? body.bytes : (await decodeText(body.bytes, hints)).text,
    lastModified: toIso(answer.header('last-modified')),
    contentLanguage: answer.header('content-language'),
    ...(robotsTag === null ? {} : { robotsTag }),
    fetchedAt: new Date().toISOString(),
    readBy: 'static',
    warning,
  }
}

/** A text kept as a .gz file, such as a sitemap, comes as one: nothing in the headers says what is in it. */
const isPacked = ({ bytes, cut }: ReadBody): boolean =>
  cut === null && sniffMediaType(null, bytes) === 'application/gzip'

/** What the answer shows instead of the page; null for nothing, or nothing that could be read. */
async function shownInstead(answer: Hop, timeUp: AbortSignal): Promise<'challenge' | 'blocked' | null> {
  try {
    return await readRefusal(answer, timeUp)
  } catch (error) {
    timeUp.throwIfAborted()
    if (error instanceof Error) return null
    throw error
  }
}

/** What can be told from status and headers alone: no page, or one that is too large to begin with. */
function refusalOf(answer: Hop, bytesMax: number): PageWarning | null {
  if (answer.status < 200 || answer.status >= 300 || answer.status === 204 || answer.status === 205) {
    return statusWarning(answer.status)
  }
  const declared = answer.header('content-type') ?? ''
  const isLonger = Number(answer.header('content-length') ?? 0) > bytesMax
  // The beginning of a text is worth reading.
  if (isLonger && !isText(declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''))
    return { code: 'too_large', message: FAILURES.too_large }
  return /^\s*(?:image|video|audio|font)\//iu.test(declared)
    ? { code: 'not_text', message: FAILURES.not_text }
    : null
}

/** The beginning of a text is worth reading, with a warning; of anything else it is not. Throws PageError. */
function judgeBody(url: string, mediaType: string, { cut }: ReadBody): PageWarning | null {
  if (!isText(mediaType) && !isDocument(mediaType)) {
    throw new PageError(url, { code: 'not_text', message: FAILURES.not_text })
  }
  if (cut === null) return null
  if (cut === 'ratio' || (cut === 'size' && !isText(mediaType))) {
    throw new PageError(url, { code: 'too_large', message: FAILURES.too_large })
  }
  if (isText(mediaType)) return { code: 'truncated', message: FAILURES[`truncated_${cut}`] }
  const code = cut === 'time' ? 'timeout' : 'unreachable'
  throw new PageError(url, { code, message: FAILURES[code] })
}

const wishes = (fresh: boolean, language: string | undefined): Record<string, string> => ({
  'accept-language': acceptLanguage(language),
  ...(fresh ? { 'cache-control': 'no-cache', pragma: 'no-cache' } : {}),
})

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

function toIso(date: string | null): string | null {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

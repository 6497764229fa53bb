// What a loaded page is, and the ways in which loading fails.

/** How a page was read: plain fetch, Chromium, or our cache of an earlier read. */
export type ReadBy = 'static' | 'browser' | 'cache'

/** One page as it came, decoded but not yet understood. */
export interface Capture {
  /** Another each time that a page comes, and kept by copies of it: what is made of a page is known by it. */
  id: string
  /** The address that was asked for. */
  requestedUrl: string
  /** The address after redirects. */
  url: string
  /** Lower-case media type without parameters, sniffed where the header lies: "text/html", "application/pdf"… */
  mediaType: string
  /** Decoded text; for PDF the bytes. For a page read by the browser: its DOM as HTML, hidden elements marked. */
  content: string | Uint8Array
  /** `Last-Modified` as ISO 8601, else null. */
  lastModified: string | null
  /** `Content-Language` as sent, else null. */
  contentLanguage: string | null
  /** `X-Robots-Tag` as sent; left out when there was none. */
  robotsTag?: string
  /** ISO 8601 time of the fetch. */
  fetchedAt: string
  readBy: ReadBy
  /** Set when something was lost although there is text to work with (cut at the size limit, browser missing…). */
  warning: PageWarning | null
}

export type PageWarningCode =
  | 'gone'
  | 'challenge'
  | 'blocked'
  | 'login'
  | 'paywall'
  | 'http_status'
  | 'timeout'
  | 'unreachable'
  | 'address_refused'
  | 'too_many_redirects'
  | 'too_large'
  | 'not_text'
  | 'damaged'
  | 'robots_disallowed'
  | 'browser_crashed'
  | 'browser_missing'
  | 'truncated'
  | 'site_busy'
  | 'busy'
  | 'out_of_time'

/**
 * What a page's outcome means for whoever asks again: `gone`, the site has no such page; `later`, the site could not
 * answer now; `refused`, the site, its rules or its page keep it from being read; `ours`, this service lacked time,
 * room or means.
 */
export type PageFault = 'gone' | 'later' | 'refused' | 'ours'

const FAULTS: Readonly<Record<PageWarningCode, PageFault>> = {
  gone: 'gone',
  timeout: 'later',
  unreachable: 'later',
  site_busy: 'later',
  challenge: 'refused',
  blocked: 'refused',
  login: 'refused',
  paywall: 'refused',
  http_status: 'refused',
  address_refused: 'refused',
  too_many_redirects: 'refused',
  too_large: 'refused',
  not_text: 'refused',
  damaged: 'refused',
  robots_disallowed: 'refused',
  truncated: 'refused',
  browser_crashed: 'ours',
  browser_missing: 'ours',
  busy: 'ours',
  out_of_time: 'ours',
}

export const faultOf = (code: PageWarningCode): PageFault => FAULTS[code]

/** `message` is public: a sentence that a person understands, without internal detail. */
export interface PageWarning {
  code: PageWarningCode
  message: string
}

/** A page could not be read at all. `cause` holds the internal detail, for the log. */
export class PageError extends Error {
  readonly warning: PageWarning
  /** The address after the redirects that were followed. */
  readonly url: string

  constructor(url: string, warning: PageWarning, cause?: unknown) {
    super(warning.message, { cause })
    this.name = 'PageError'
    this.url = url
    this.warning = warning
  }
}

export interface LoadOptions {
  /** Epoch milliseconds after which the answer is of no use. */
  deadlineMs: number
  /** `static`: never open the browser. `auto`: only when the text is thin or slow. `browser`: always, when there is one. */
  rendering: 'static' | 'auto' | 'browser'
  /** Scroll to the end to make lazily loaded text appear (browser only). */
  scroll: boolean
  /** Skip the cache (`Cache-Control: no-cache` on the request). */
  fresh: boolean
  /** A kept copy that is older is asked for anew; left out for as old as the cache lets it get. */
  maxAgeMs?: number
  /** BCP 47 tag that sites are asked for; left out where nobody asks for one (crawls, quotes): English first. */
  language?: string
}

/** Whether a page came, and as HTML. */
export function isHtml(capture: Capture | null): capture is Capture & { content: string } {
  if (capture === null || typeof capture.content !== 'string') return false
  return /^(?:text\/html|application\/xhtml\+xml)$/u.test(capture.mediaType)
}

// What a loaded page is, and the ways in which loading fails.

/** How a page was read: plain fetch, Chromium, or our cache of an earlier read. */
export type ReadBy = 'static' | 'browser' | 'cache'

/** One page as it came, decoded but not yet understood. */
export interface Capture {
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
  /** ISO 8601 time of the fetch. */
  fetchedAt: string
  readBy: ReadBy
  /** Set when something was lost although there is text to work with (cut at the size limit, browser missing…). */
  warning: PageWarning | null
}

export type PageWarningCode =
  | 'http_status'
  | 'timeout'
  | 'unreachable'
  | 'address_refused'
  | 'too_many_redirects'
  | 'too_large'
  | 'not_text'
  | 'robots_disallowed'
  | 'browser_crashed'
  | 'browser_missing'
  | 'truncated'
  | 'busy'

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
}

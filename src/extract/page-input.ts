// What a reader is given: the bytes or text of one page and what its server said about it.

export interface PageInput {
  /** The address the content came from, after redirects. */
  url: string
  /** Lower case, without parameters. */
  mediaType: string
  /** Decoded text; bytes for PDF. */
  content: string | Uint8Array
  /** `Last-Modified` as ISO 8601, else null. */
  lastModified: string | null
  /** `Content-Language` as sent, else null. */
  contentLanguage: string | null
  /** The time of the request: later dates are refused. */
  now: Date
  /** Epoch milliseconds: the pages of a PDF that are read by then are the document. */
  untilMs?: number
}

export type TextInput = Omit<PageInput, 'content'> & { content: string }
export type BytesInput = Omit<PageInput, 'content'> & { content: Uint8Array }
/** What dates are chosen from besides the content. */
export type PageOrigin = Omit<PageInput, 'content' | 'mediaType'>

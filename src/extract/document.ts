// What a page is once it is understood: text, the blocks it consists of, dates and language.

export type BlockKind =
  | 'heading'
  | 'paragraph'
  | 'list'
  | 'table'
  | 'code'
  | 'quote'
  | 'definition'
  | 'caption'

/**
 * A run of text that belongs together: a paragraph, a list item, a row of a table. A passage joins neighbours only within
 * a section, and never prose with tables or code. Offsets are UTF-16 units into `PageText.text`.
 */
export interface Block {
  kind: BlockKind
  start: number
  end: number
  /** The headings above this block, outermost first. They help to score a passage and are not part of its text. */
  headings: readonly string[]
  /** 0..1, the probability that this is content and not navigation, boilerplate or advertising. */
  contentWeight: number
}

/** Where a date was found, on the page or, by the library, in the site's sitemap; told in `explain`. */
export type DateSource =
  | 'json-ld'
  | 'meta'
  | 'time-element'
  | 'byline'
  | 'url'
  | 'header'
  | 'pdf'
  | 'feed'
  | 'sitemap'

export interface FoundDate {
  /** ISO 8601: a date, or a date-time with its zone kept. */
  iso: string
  source: DateSource
}

export interface FoundLanguage {
  /** BCP 47 primary sub-tag in lower case. */
  code: string
  source: 'attribute' | 'header' | 'text'
}

export interface PageText {
  title: string | null
  /** The page's text, whitespace as `innerText` shows it. Every snippet is a slice of it. */
  text: string
  blocks: readonly Block[]
  /** True when the page goes on: its reader stopped at a limit of size or, for PDF, of time. */
  isCut: boolean
  /** True when the page shows nothing without its scripts and this is what it says in data for machines. */
  isFromData?: boolean
  publishDate: FoundDate | null
  lastUpdated: FoundDate | null
  language: FoundLanguage | null
}

/** The bytes cannot be turned into text. `message` is public: it becomes the result's warning. */
export class UnreadableError extends Error {
  readonly code: 'not_text' | 'encrypted' | 'scanned' | 'damaged' | 'empty'

  constructor(code: UnreadableError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnreadableError'
    this.code = code
  }
}

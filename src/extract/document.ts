// What a page is once it is understood: text, the blocks it consists of, dates and language.

export type BlockKind =
  | 'heading'
  | 'paragraph'
  | 'list'
  | 'table'
  | 'code'
  | 'quote'
  | 'term'
  | 'definition'
  | 'caption'

/** Where a link leads. Offsets are UTF-16 units into `PageText.text`. */
export interface Link {
  start: number
  end: number
  /** The address as the page gives it: relative to `PageText.baseUrl`, perhaps no address at all. */
  target: string
}

/** The item of a list that a block stands in. */
export interface ListItem {
  /** Numbers of the list on the page, and of the item in it; blocks of one item share both. */
  list: number
  index: number
  /** What is printed before an item of an ordered list; null in other lists. */
  number: number | null
  /** The item that its list stands in; null for a list that stands in no other one. */
  parent: ListItem | null
  /** In how many quotations the list stands. */
  quoteDepth: number
}

/** A cell with text, or the part of one that a block holds. Offsets are UTF-16 units into `PageText.text`. */
export interface TableCell {
  start: number
  end: number
  /** Its first row and column in the table, from 0, with the cells that reach down from rows above counted. */
  row: number
  column: number
  rowSpan: number
  columnSpan: number
  isHeader: boolean
  /** Texts of the header cells that hold for it, outermost first; those of a header cell are the ones above or left of it. */
  rowHeaders: readonly string[]
  columnHeaders: readonly string[]
}

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
  /** How many elements of the markup end between the block before and this one; absent where nothing tells. */
  ended?: number
  /** Of a heading, 1 to 6. */
  level?: number
  item?: ListItem
  /** In how many quotations it stands; absent for none. */
  quoteDepth?: number
  /** Of code: one preformatted text may be several blocks, which share its number. */
  code?: { number: number; language: string | null }
  /** What it is in a question with its answers, where the page says so or a heading asks. */
  part?: 'question' | 'answer'
  /** Of a table that is no mere layout: its number on the page, and the cells of which this block is a row or a part. */
  table?: { number: number; cells: readonly TableCell[] }
  /** In order, none within another. */
  links?: readonly Link[]
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
  | 'document'
  | 'feed'
  | 'sitemap'

export interface FoundDate {
  /** ISO 8601: a date, or a date-time with its zone kept. */
  iso: string
  source: DateSource
}

/** A date that a page gives and that is not taken for its own. */
export interface OtherDate extends FoundDate {
  /** What the page says that it is the date of. */
  says: 'published' | 'updated' | 'unclear'
  /** Another date is trusted more, or it and another one cannot both be so: nothing is updated before it is published. */
  reason: 'less_trusted' | 'updated_before_published'
}

export interface FoundLanguage {
  /** BCP 47 primary sub-tag in lower case. */
  code: string
  source: 'attribute' | 'header' | 'text'
}

/** Where a page, sheet, slide or chapter of a document begins. */
export interface PagePlace {
  kind: 'page' | 'sheet' | 'slide' | 'chapter'
  /** From 1, as the document counts: also what is not shown, such as a hidden sheet. */
  number: number
  /** The sheet's name, the chapter's title; null where there is none. */
  name: string | null
  /** UTF-16 offset into the text. */
  start: number
}

export interface PageText {
  title: string | null
  /** The page's text, whitespace as `innerText` shows it. Every snippet is a slice of it. */
  text: string
  blocks: readonly Block[]
  /** True when the page goes on: its reader stopped at a limit of size or, for PDF, of time. */
  isCut: boolean
  /** Parts of the document could not be read. */
  isDamaged?: boolean
  /** True when the page shows nothing without its scripts and this is what it says in data for machines. */
  isFromData?: boolean
  /** What targets of links are relative to; absent where all are absolute. */
  baseUrl?: string
  /**
   * How the text is written where it is not plain words: Markdown or JSON as they were sent, or lines that end where the paper
   * did.
   */
  notation?: 'markdown' | 'json' | 'wrapped-lines'
  /** In the order of the text; left out for what has no such parts, or does not tell them. */
  places?: readonly PagePlace[]
  publishDate: FoundDate | null
  lastUpdated: FoundDate | null
  /** Further ones that the page gives, more than a day from these, most trusted first; absent for none. */
  otherDates?: readonly OtherDate[]
  language: FoundLanguage | null
}

/** What stands in a page's place. */
export type PageObstacle = 'challenge' | 'blocked' | 'consent' | 'login' | 'not_found' | 'parked' | 'garbled'

/** The bytes cannot be turned into text. `message` is public: it becomes the result's warning. */
export class UnreadableError extends Error {
  readonly code: 'not_text' | 'encrypted' | 'scanned' | 'damaged' | 'empty' | 'too_large' | PageObstacle

  constructor(code: UnreadableError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnreadableError'
    this.code = code
  }
}

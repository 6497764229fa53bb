// Runs htmlparser2 over a page and hands on its tags with the attributes that matter, its text, and where elements
// end.
import { decodeHTML } from 'entities'
import { Parser } from 'htmlparser2'
import { createAttributeReader, type TagAttributes } from './tag-attributes.ts'

/** What happens while a page is read. Elements end in the order HTML asks for, whether or not the page closes them. */
export interface TagHandler {
  /** `attributes` hold until the call returns. */
  open(name: string, attributes: TagAttributes): void
  /** Text as it stands in the markup: see `decodeText`. A long one may come in pieces. */
  text(markup: string): void
  close(name: string): void
}

/**
 * Outside SVG and MathML HTML knows no CDATA section: what looks like one is a comment that ends at the first `>`
 * (HTML standard, §13.2.5.42). htmlparser2 looks for `]]>` and takes all of the page that stands before it; in lower
 * case, which is as long, it does as HTML asks.
 */
const CDATA = '<![CDATA['
const BOGUS_COMMENT = '<![cdata['
/** Each ends a piece, which costs the more the more of them a comment is made of; no page means as many. */
const CDATA_MAX = 1_000
const SUBSET = /^([^<]{0,100}(?:<\?xml[^>]{0,500}>\s{0,100})?<!doctype[^[>]{0,1000})(\[[^\]]{0,20000}\])/i
/** In these a tag, and so a comment, is text. */
const RAW_TEXT = new Set('script style textarea title xmp plaintext iframe noembed noframes'.split(' '))

/** HTML that ends the SVG or MathML it stands in, which was never closed (HTML standard, §13.2.6.5). */
const ENDS_FOREIGN = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)

/**
 * In XHTML an element that closes itself, `<title/>`, holds nothing; in HTML all that follows stands in it. And a CDATA
 * section is text.
 */
export type MarkupSyntax = 'html' | 'xhtml'

/** More than the longest character reference takes, `&CounterClockwiseContourIntegral;`. */
const LONGEST_REFERENCE = 40

/** The text that stands in the markup with character references: most has none, and decoding all of it would be dear. */
export const decodeText = (markup: string): string => (markup.includes('&') ? decodeHTML(markup) : markup)

/**
 * Reads `page` in pieces of about `pieceCharacters`. `isEnough` is asked, and `pause` awaited, after each of them.
 * Returns how many characters were read; then the elements that are still open have been closed, unless `isEnough` was
 * true.
 */
export async function readTags(
  page: string,
  handler: TagHandler,
  {
    pieceCharacters,
    isEnough,
    pause,
    syntax = 'html',
  }: {
    pieceCharacters: number
    isEnough: () => boolean
    pause: () => Promise<void>
    syntax?: MarkupSyntax
  },
): Promise<number> {
  const html = syntax === 'xhtml' ? withoutSubset(page) : withFewSections(page)
  const { parser, isInRawText } = createParser(html, handler, syntax)
  let at = 0
  let cdata = syntax === 'xhtml' ? -1 : html.indexOf(CDATA)
  while (at < html.length && !isEnough()) {
    const isAtCdata = at === cdata
    if (isAtCdata) cdata = html.indexOf(CDATA, at + 1)
    const end = endOfPiece(html, at, pieceCharacters, cdata === -1 ? html.length : cdata)
    const piece = html.slice(at, end)
    parser.write(isAtCdata && !isInRawText() ? piece.replace(CDATA, BOGUS_COMMENT) : piece)
    forgetOutermost(parser)
    at = end
    await pause()
  }
  if (!isEnough()) parser.end()
  return at
}

const withFewSections = (page: string): string =>
  page.split(CDATA, CDATA_MAX + 1).length > CDATA_MAX ? page.replaceAll(CDATA, BOGUS_COMMENT) : page

/** XML's document type may hold declarations of entities, at whose first `>` it ends for htmlparser2. As long as before. */
const withoutSubset = (page: string): string =>
  page.replace(SUBSET, (_, before: string, subset: string) => before + ' '.repeat(subset.length))

/** What htmlparser2 calls being in neither SVG nor MathML, or in HTML within them. */
const NO_FOREIGN = 0
/** Elements that htmlparser2 knows to be open after each piece. */
const STACK_MAX = 2_000

/**
 * Each element that opens moves all that are open in htmlparser2's stack, which it does not lend: of a page that is nested
 * beyond reason the outermost are forgotten, and their ends pass unheard.
 */
function forgetOutermost(parser: Parser): void {
  const stack: unknown = Reflect.get(parser, 'stack')
  if (Array.isArray(stack) && stack.length > STACK_MAX) stack.length = STACK_MAX
}

/** Closes what is open of the SVG or MathML that `opened`, which htmlparser2 has just put on its stack, ends. */
function endForeign(parser: Parser, opened: string, handler: TagHandler): void {
  const stack: unknown = Reflect.get(parser, 'stack')
  const contexts: unknown = Reflect.get(parser, 'foreignContext')
  if (!Array.isArray(stack) || !Array.isArray(contexts) || contexts[0] === NO_FOREIGN) return
  // What has no content is never on it.
  const from = stack[0] === opened ? 1 : 0
  while (stack.length > from && contexts[0] !== NO_FOREIGN) {
    const name = String(stack.splice(from, 1)[0])
    if (name === 'svg' || name === 'math') contexts.shift()
    handler.close(name)
  }
}

/** A character reference cut in two would be read as text. */
function endOfPiece(html: string, from: number, characters: number, last: number): number {
  const end = from + characters
  if (end >= last) return last
  const reference = html.slice(end - LONGEST_REFERENCE, end).lastIndexOf('&')
  return reference === -1 ? end : end - LONGEST_REFERENCE + reference
}

/**
 * htmlparser2 tells the end of a tag only to those who let it build an object of every attribute, so a tag is handed on
 * when the next thing happens. Without its decoding of references it leaps over text in place of reading it.
 */
function createParser(
  html: string,
  handler: TagHandler,
  syntax: MarkupSyntax,
): { parser: Parser; isInRawText: () => boolean } {
  const tag = createAttributeReader()
  let name = ''
  let innermost = ''
  let tagEnd = 0
  const handOn = (): void => {
    if (name === '') return
    const opened = name
    name = ''
    handler.open(opened, tag.attributes)
  }
  const parser: Parser = new Parser(
    {
      onopentagname(opened) {
        handOn()
        if (syntax === 'html' && ENDS_FOREIGN.has(opened)) endForeign(parser, opened, handler)
        tag.clear()
        name = opened
        innermost = opened
        tagEnd = parser.endIndex
      },
      onattribute(attribute, value) {
        // The attributes of a tag that HTML ignores, a <form> within a <form>, are no one's.
        if (html.slice(tagEnd, parser.startIndex).includes('<')) return
        tag.add(attribute, value)
        tagEnd = parser.endIndex
      },
      ontext(text) {
        handOn()
        handler.text(text)
      },
      onclosetag(closed) {
        handOn()
        innermost = ''
        handler.close(closed)
      },
    },
    { decodeEntities: false, recognizeSelfClosing: syntax === 'xhtml', recognizeCDATA: syntax === 'xhtml' },
  )
  return { parser, isInRawText: () => RAW_TEXT.has(innermost) }
}

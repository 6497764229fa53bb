// The words of a block as they are written into Markdown and HTML: text, line breaks, and links with absolute addresses.
import type { Block, Link, PageText } from '../document.ts'
import { linksWithin } from '../links-within.ts'

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'link'; url: string; text: string }
  | { kind: 'break' }

interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Returns a function that gives the words of a block that stand in a span of it, in paragraphs: an empty line between
 * two of them parts them.
 */
export function createInlineReader(page: PageText): (block: Block, span: Span) => Inline[][] {
  const isWrapped = page.notation === 'wrapped-lines'
  return (block, { start, end }) => {
    const isOneLine = block.kind === 'heading' || isWrapped
    const pieces: Inline[] = []
    let at = start + (isWrapped ? printedMark(page.text, block, start) : 0)
    for (const link of linksWithin(block, at, end)) {
      const url = linkAddress(page, link)
      if (url === null) continue
      const from = Math.max(at, link.start)
      const to = Math.min(end, link.end)
      addText(pieces, page.text.slice(at, from), isOneLine)
      addLink(pieces, page.text.slice(from, to), url, isOneLine)
      at = to
    }
    addText(pieces, page.text.slice(at, end), isOneLine)
    return paragraphsOf(pieces)
  }
}

const PRINTED_MARK = /^(?:[^\p{L}\p{N}\s]{1,2}|[([]?\d{1,3}[.)\]])\s{1,20}/u
const LONGEST_MARK = 30

/** How long what is printed before an item is, where it is part of the text: Markdown and HTML have marks of their own. */
function printedMark(text: string, { kind, item, start, end }: Block, from: number): number {
  if (kind !== 'list' || item === undefined || from !== start) return 0
  return PRINTED_MARK.exec(text.slice(start, Math.min(end, start + LONGEST_MARK)))?.[0].length ?? 0
}

/** Where a link leads, absolute, when that is another place of the web; null for any other. */
export function linkAddress({ baseUrl }: PageText, { target }: Link): string | null {
  const address = target.trim()
  if (address === '' || address.startsWith('#')) return null
  if (!URL.canParse(address, baseUrl)) return null
  const { protocol, href } = new URL(address, baseUrl)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

const EMPTY_LINE = /\n[\s]*\n/u

/** Text between breaks; an empty line is two of them in a row. */
function addText(pieces: Inline[], text: string, isOneLine: boolean): void {
  if (isOneLine) return pushText(pieces, text.replace(/\s+/gu, ' '))
  for (const [index, part] of text.split(EMPTY_LINE).entries()) {
    if (index > 0) pieces.push({ kind: 'break' }, { kind: 'break' })
    for (const [line, words] of part.split('\n').entries()) {
      if (line > 0) pieces.push({ kind: 'break' })
      pushText(pieces, words.replace(/[^\S\u00a0]+/gu, ' '))
    }
  }
}

function addLink(pieces: Inline[], text: string, url: string, isOneLine: boolean): void {
  const words = text.replace(/\s+/gu, ' ').trim()
  if (words === '') return addText(pieces, text, isOneLine)
  const lead = text.length - text.trimStart().length
  addText(pieces, text.slice(0, lead), isOneLine)
  pieces.push({ kind: 'link', url, text: words })
  addText(pieces, text.slice(text.trimEnd().length), isOneLine)
}

function pushText(pieces: Inline[], text: string): void {
  if (text !== '') pieces.push({ kind: 'text', text })
}

/** Parts at two breaks in a row, and leaves out breaks and spaces at the ends of lines. */
function paragraphsOf(pieces: readonly Inline[]): Inline[][] {
  const paragraphs: Inline[][] = []
  let open: Inline[] = []
  let breaks = 0
  for (const piece of pieces) {
    if (piece.kind === 'break') {
      breaks++
      continue
    }
    const isBlank = piece.text.trim() === ''
    if (isBlank && (open.length === 0 || breaks > 0)) continue
    if (breaks > 1 && open.length > 0) {
      paragraphs.push(open)
      open = []
    } else if (breaks === 1 && open.length > 0) open.push({ kind: 'break' })
    const isAtStart = open.length === 0 || breaks > 0
    open.push(isAtStart ? { ...piece, text: piece.text.trimStart() } : piece)
    breaks = 0
  }
  if (open.length > 0) paragraphs.push(open)
  return paragraphs.map(withoutTrailingSpace).filter((paragraph) => paragraph.length > 0)
}

function withoutTrailingSpace(pieces: Inline[]): Inline[] {
  return pieces.flatMap((piece, index): Inline[] => {
    const next = pieces[index + 1]
    if (piece.kind !== 'text' || (next !== undefined && next.kind !== 'break')) return [piece]
    const text = piece.text.trimEnd()
    return text === '' ? [] : [{ kind: 'text', text }]
  })
}

// The blocks of plain text and Markdown, found line by line: a blank line ends one, and so does a line that begins
// another kind.
import type { BlockKind } from '../../document.ts'
import { createFenceReader, type Fence, type FencePlace } from './code-fences.ts'

export interface Line {
  start: number
  end: number
  text: string
}

export interface LineBlock {
  kind: BlockKind
  start: number
  end: number
  /** Of a heading, 1 to 6; else 0. */
  level: number
  /** Of code: its fence. */
  fence: Fence | null
}

const HEADING = /^ {0,3}(#{1,6})\s/
/** What begins an item: its indentation, and the number that is printed. */
export const LIST_ITEM = /^(\s{0,12})(?:[-*+•]|(\d{1,3})[.)])\s/
const TABLE_ROW = /^\s{0,3}\|/
const QUOTE = /^ {0,3}>/
const UNDERLINE = /^ {0,3}(=|-){3,}\s*$/

/** The lines of a text with their places. */
export function linesOf(text: string): Line[] {
  let at = 0
  return text.split('\n').map((line) => {
    const start = at
    at += line.length + 1
    return { start, end: start + line.length, text: line }
  })
}

/** Blank lines end a block; so does a line that begins another kind, or the next item of a list. */
export function findBlocks(lines: readonly Line[], isMarkdown: boolean): LineBlock[] {
  const blocks: LineBlock[] = []
  let open: LineBlock | null = null
  const placeOf: (line: string) => FencePlace = isMarkdown ? createFenceReader() : () => null
  for (const line of lines) {
    const fence = placeOf(line.text)
    if (fence === 'mark' || (line.text.trim() === '' && fence === null)) {
      open = null
      continue
    }
    const kind: BlockKind = fence === null ? kindOf(line.text, isMarkdown) : 'code'
    const underlined: LineBlock | null =
      isMarkdown && open?.kind === 'paragraph' && UNDERLINE.test(line.text) ? open : null
    if (underlined !== null) {
      underlined.kind = 'heading'
      underlined.level = line.text.includes('=') ? 1 : 2
      open = null
      continue
    }
    if (open === null || !continues(open.kind, kind, line.text)) {
      const level = kind === 'heading' ? (HEADING.exec(line.text)?.[1]?.length ?? 0) : 0
      open = { kind, start: line.start, end: line.end, level, fence }
      blocks.push(open)
    }
    open.end = line.end
  }
  return blocks
}

function kindOf(line: string, isMarkdown: boolean): BlockKind {
  if (LIST_ITEM.test(line)) return 'list'
  if (!isMarkdown) return 'paragraph'
  if (HEADING.test(line)) return 'heading'
  if (TABLE_ROW.test(line)) return 'table'
  return QUOTE.test(line) ? 'quote' : 'paragraph'
}

/** Whether a line goes on with the block before it: the second one of an item or a quotation looks like a paragraph. */
function continues(open: BlockKind, kind: BlockKind, line: string): boolean {
  if (open === 'code') return kind === 'code'
  if (kind === 'heading' || kind === 'table' || LIST_ITEM.test(line)) return false
  return kind === open || (kind === 'paragraph' && (open === 'list' || open === 'quote'))
}

// Which printed lines begin an item of a list: those with a bullet, and those that are numbered one after another.
import type { PdfLine } from './pdf-lines.ts'

export interface ItemMark {
  /** How far it stands from the left edge of the page, in points; the same for marks that stand below one another. */
  indent: number
  number: number | null
}

/** With what word processors print from the fonts Symbol and Wingdings. */
const BULLET = /^[•‣⁃◦▪▫■□●○❖➢➤✓✔\uf06e\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc]/u
const NUMBER = /^(?:(\d{1,3})[.)]|\[(\d{1,3})\]|\((\d{1,3})\))\s/u
/** Numbers are printed flush right, too: "9." and "10." stand below one another. */
const INDENT_TOLERANCE = 8
/** Further apart, two numbers that follow one another are no list. */
const LONGEST_ITEM_LINES = 12

/** The marks of `lines`, by the lines that they begin. */
export function findItemMarks(lines: readonly PdfLine[]): ReadonlyMap<PdfLine, ItemMark> {
  const marks = new Map<PdfLine, ItemMark>()
  const indents: number[] = []
  const indentOf = ({ x }: PdfLine): number => {
    const known = indents.find((indent) => Math.abs(indent - x) <= INDENT_TOLERANCE)
    if (known === undefined) indents.push(x)
    return known ?? x
  }
  const numbered = numberedLines(lines)
  for (const line of lines) {
    const number = numbered.get(line) ?? null
    if (number !== null || BULLET.test(line.text)) marks.set(line, { indent: indentOf(line), number })
  }
  return marks
}

/** A number alone may be a year or the end of a sentence: one that follows another, right below it, is an item's. */
function numberedLines(lines: readonly PdfLine[]): ReadonlyMap<PdfLine, number> {
  const numbered = new Map<PdfLine, number>()
  /** The last line with each number. */
  const last = new Map<number, { line: PdfLine; index: number }>()
  for (const [index, line] of lines.entries()) {
    const [, dotted, bracketed, parenthesised] = NUMBER.exec(line.text) ?? []
    const digits = dotted ?? bracketed ?? parenthesised
    if (digits === undefined) continue
    const number = Number(digits)
    const before = last.get(number - 1)
    last.set(number, { line, index })
    if (before === undefined || index - before.index > LONGEST_ITEM_LINES || !isBelow(before.line, line))
      continue
    numbered.set(before.line, number - 1)
    numbered.set(line, number)
  }
  return numbered
}

/** In another column or on another page the left edge is another. */
const isBelow = (above: PdfLine, line: PdfLine): boolean =>
  above.page !== line.page || line.y > above.y || Math.abs(above.x - line.x) <= INDENT_TOLERANCE

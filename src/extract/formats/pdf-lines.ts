// The words of a printed page as lines: their text, where each stands, and what of it links.
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'
import type { Link } from '../document.ts'
import { inReadingOrder } from './pdf-direction.ts'
import { type LinkArea, linksIn, type PrintedPiece } from './pdf-links.ts'

export interface PdfLine {
  page: number
  text: string
  /** Left end of the base line, in points from the lower left corner of the page. */
  x: number
  y: number
  /** Height of the letters in points; 0 when the file does not tell. */
  height: number
  /** Places in its text; absent for none. */
  links?: readonly Link[]
  /** What wide gaps part in it, from left to right; absent for a line without such gaps. */
  cells?: readonly PrintedCell[]
}

/** A place in a line's text with the words there. One space stands between two of them. */
export interface PrintedCell extends PrintedPiece {
  text: string
}

/** Where letters stand, in heights above the base line. */
const MIDDLE = 0.3
/** A wider gap parts two cells of a table, in heights of the line. */
const CELL_GAP = 1

interface OpenLine extends PdfLine {
  pieces: PrintedPiece[]
}

/** Gathers the lines of page `number` from its words, as they come. */
export function createLines(number: number) {
  const lines: OpenLine[] = []
  let open: TextItem[] = []
  const close = (): void => {
    const [first] = open
    if (first === undefined) return
    const line = lineAt(number, first)
    for (const item of inReadingOrder(open)) addPiece(line, item)
    lines.push(line)
    open = []
  }

  return {
    add(item: TextItem): void {
      open.push(item)
      if (item.hasEOL) close()
    },

    /** Those with text. `areas` are where the page links. */
    finish(areas: readonly LinkArea[]): PdfLine[] {
      close()
      return lines.map((line) => finished(line, areas)).filter(({ text }) => text !== '')
    },
  }
}

const lineAt = (page: number, { transform }: TextItem): OpenLine => ({
  page,
  text: '',
  x: numberAt(transform, 4),
  y: numberAt(transform, 5),
  height: 0,
  pieces: [],
})

const numberAt = (values: readonly unknown[], index: number): number => Number(values[index] ?? 0)

/** Letters of Hebrew and Arabic in the form that they have in their word. */
const PRINTED_FORMS = /[\ufb1d-\ufb4f\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]/gu
const plainLetter = (form: string): string => form.normalize('NFKC').trimStart()

function addPiece(line: OpenLine, { str, width, height, transform }: TextItem): void {
  const text = str.replace(/[\s\0]+/g, ' ').replace(PRINTED_FORMS, plainLetter)
  const start = line.text.length
  line.text += line.text === '' || line.text.endsWith(' ') ? text.trimStart() : text
  if (text.trim() === '') return
  line.height = Math.max(line.height, height)
  // What is turned is as wide as it is printed, not as it stands.
  if (numberAt(transform, 1) !== 0) return
  const x = numberAt(transform, 4)
  line.pieces.push({ start, end: line.text.length, x, right: x + width })
}

function finished({ pieces, ...line }: OpenLine, areas: readonly LinkArea[]): PdfLine {
  const text = line.text.trimEnd()
  const links = linksIn({ text, middle: line.y + line.height * MIDDLE, pieces }, areas)
  const cells = cellsIn(text, pieces, line.height)
  return {
    ...line,
    text,
    ...(links.length === 0 ? {} : { links }),
    ...(cells.length < 2 ? {} : { cells }),
  }
}

/** All words of the line in order; none where they are not printed from left to right, or not parted by a space. */
function cellsIn(text: string, pieces: readonly PrintedPiece[], height: number): PrintedCell[] {
  const cells: PrintedPiece[] = []
  for (const piece of pieces) {
    const last = cells.at(-1)
    if (last !== undefined && piece.x < last.x) return []
    if (last !== undefined && piece.x - last.right <= CELL_GAP * height)
      Object.assign(last, { end: piece.end, right: Math.max(last.right, piece.right) })
    else cells.push({ ...piece })
  }
  const printed = cells.map((cell) => withText(cell, text))
  const isParted = printed.every(({ start }, index) => start === (printed[index - 1]?.end ?? -1) + 1)
  return isParted && printed.at(-1)?.end === text.length ? printed : []
}

function withText({ start, end, x, right }: PrintedPiece, line: string): PrintedCell {
  const text = line.slice(start, end)
  const from = start + text.length - text.trimStart().length
  return { text: text.trim(), start: from, end: from + text.trim().length, x, right }
}

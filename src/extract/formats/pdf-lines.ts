// The words of a printed page as lines: their text, where each stands, and what of it links.
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'
import type { Link } from '../document.ts'
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
}

/** Where letters stand, in heights above the base line. */
const MIDDLE = 0.3

interface OpenLine extends PdfLine {
  pieces: PrintedPiece[]
}

/** Gathers the lines of page `number` from its words, as they come. */
export function createLines(number: number) {
  const lines: OpenLine[] = []
  let open: OpenLine | null = null

  return {
    add(item: TextItem): void {
      open ??= lineAt(number, item)
      addPiece(open, item)
      if (!item.hasEOL) return
      lines.push(open)
      open = null
    },

    /** Those with text. `areas` are where the page links. */
    finish(areas: readonly LinkArea[]): PdfLine[] {
      if (open !== null) lines.push(open)
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

function addPiece(line: OpenLine, { str, width, height, transform }: TextItem): void {
  const text = str.replace(/[\s\0]+/g, ' ')
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
  return { ...line, text, ...(links.length === 0 ? {} : { links }) }
}

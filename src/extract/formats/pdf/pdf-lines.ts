// The words of a printed page as lines: their text, where each stands, and what of it links.
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'
import type { Link } from '../../document.ts'
import { partedLines, type PlacedPiece, type PrintedCell } from './pdf-cells.ts'
import { inReadingOrder } from './pdf-direction.ts'
import { type LinkArea, linksIn } from './pdf-links.ts'
import { createOverprints } from './pdf-overprint.ts'

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
  /** What wide gaps part in it, from left to right; absent where its words are not printed so. */
  cells?: readonly PrintedCell[]
}

/** Where letters stand, in heights above the base line. */
const MIDDLE = 0.3
/** Nobody sees letters that are no higher than this, in points, */
const UNSEEN_POINTS = 1
/** nor than this on a page that is measured in other units, in heights of the page; */
const UNSEEN_SHARE = 0.0015
/** but where most of a page is written so, its file means other heights than it tells. */
const MOST_UNSEEN = 0.5

/** How high a page is, in its own units, and how many points such a unit is. */
export interface PageSize {
  height: number
  unitPoints: number
}

interface OpenLine extends PdfLine {
  pieces: PlacedPiece[]
}

/** Gathers the lines of page `number` from its words, as they come. */
export function createLines(number: number) {
  const lines: OpenLine[] = []
  let open: TextItem[] = []
  const isOverprint = createOverprints()
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
      if (!isOverprint(item)) open.push(item)
      if (item.hasEOL) close()
    },

    /** Those with text that can be seen. `areas` are where the page links. */
    finish(areas: readonly LinkArea[], size: PageSize): PdfLine[] {
      close()
      const written = seenLines(
        lines.map(trimmed).filter(({ text }) => text !== ''),
        size,
      )
      const cells = partedLines(written)
      return written.map((line, index) => finished(line, cells[index] ?? [], areas))
    },
  }
}

/** Without lines in letters that nobody sees. Such letters in a line with others stay. */
function seenLines(lines: readonly OpenLine[], { height: pageHeight, unitPoints }: PageSize): OpenLine[] {
  const unseen = Math.min(UNSEEN_POINTS / unitPoints, UNSEEN_SHARE * pageHeight)
  const isSeen = ({ height }: OpenLine): boolean => height === 0 || height > unseen
  const seen = lines.filter(isSeen)
  const [all, kept] = [lines, seen].map((some) => some.reduce((sum, { text }) => sum + text.length, 0))
  return (kept ?? 0) > (all ?? 0) * MOST_UNSEEN ? seen : [...lines]
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

function addPiece(line: OpenLine, { str, width, height, transform, fontName }: TextItem): void {
  const text = str.replace(/[\s\0]+/g, ' ').replace(PRINTED_FORMS, plainLetter)
  const start = line.text.length
  line.text += line.text === '' || line.text.endsWith(' ') ? text.trimStart() : text
  if (text.trim() === '') return
  line.height = Math.max(line.height, height)
  // What is turned is as wide as it is printed, not as it stands.
  if (numberAt(transform, 1) !== 0) return
  const x = numberAt(transform, 4)
  const y = numberAt(transform, 5)
  line.pieces.push({ start, end: line.text.length, x, right: x + width, y, height, font: fontName })
}

const trimmed = (line: OpenLine): OpenLine => ({ ...line, text: line.text.trimEnd() })

function finished(
  { pieces, ...line }: OpenLine,
  cells: readonly PrintedCell[],
  areas: readonly LinkArea[],
): PdfLine {
  const links = linksIn({ text: line.text, middle: line.y + line.height * MIDDLE, pieces }, areas)
  return { ...line, ...(links.length === 0 ? {} : { links }), ...(cells.length === 0 ? {} : { cells }) }
}

// Printed lines to paragraphs, headings, items of lists and rows of tables: by the gaps between and within them, the size
// of their letters and what is printed before them.
import type { Block, ListItem, PagePlace } from '../../document.ts'
import { createNestedItems } from '../nested-items.ts'
import { findItemMarks, type ItemMark } from './pdf-items.ts'
import type { PdfLine } from './pdf-lines.ts'
import { joinedLinks } from './pdf-links.ts'
import type { PdfRow } from './pdf-table-rows.ts'
import { findTableRows } from './pdf-tables.ts'

/** A gap above this, in heights of a line, begins a paragraph. */
const PARAGRAPH_GAP = 1.7
const HEADING_SIZE = 1.12
const LONGEST_HEADING = 160
const DEEPEST_LEVEL = 6
/** Lines that stand on this many pages are running heads and feet, */
const RUNNING_PAGES = 3
/** but those of which more stand on each are rows of one shape, or what a form says again and again. */
const RUNNING_LINES_A_PAGE = 2
const CONTENT_WEIGHT = 0.9
const RUNNING_WEIGHT = 0

interface Paragraph {
  lines: PdfLine[]
  running: boolean
  /** Of an item of a list. */
  mark: ItemMark | null
  /** Of a table: the paragraph is its lines. */
  row: PdfRow | null
}

export interface PdfText {
  text: string
  blocks: Block[]
  /** A paragraph that runs over the foot of a page belongs to the page on which it begins. */
  places: PagePlace[]
}

/**
 * Writes lines out with a line break after each and an empty line after a paragraph; items of a list stand right below
 * one another, and so do rows of a table.
 */
export function layOutPdf(lines: readonly PdfLine[]): PdfText {
  const paragraphs = paragraphsOf(lines, runningLines(lines))
  const levels = headingSizes(paragraphs, bodyHeight(lines))
  const itemOf = createItems()
  const parts: string[] = []
  const blocks: Block[] = []
  const places: PagePlace[] = []
  let open: { level: number; text: string }[] = []
  let before: number | 'item' | null = null
  let at = 0
  for (const paragraph of paragraphs) {
    const { row, running } = paragraph
    const text = row?.text ?? paragraph.lines.map((line) => line.text).join('\n')
    const level = running || row !== null ? -1 : levels.indexOf(sizeOf(paragraph))
    const isHeading = level >= 0 && text.length <= LONGEST_HEADING
    if (isHeading) open = open.filter((heading) => heading.level < level)
    const item = isHeading ? null : itemOf(paragraph)
    const group = item === null ? (row?.table.number ?? null) : 'item'
    const separator = at === 0 ? '' : group !== null && group === before ? '\n' : '\n\n'
    before = group
    at += separator.length
    const number = paragraph.lines[0]?.page ?? 1
    if (places.at(-1)?.number !== number) places.push({ kind: 'page', number, name: null, start: at })
    if (/[\p{L}\p{N}]/u.test(text))
      blocks.push({
        kind: isHeading ? 'heading' : row !== null ? 'table' : item === null ? 'paragraph' : 'list',
        start: at,
        end: at + text.length,
        headings: open.map((heading) => heading.text),
        contentWeight: running ? RUNNING_WEIGHT : CONTENT_WEIGHT,
        ...(isHeading ? { level: Math.min(DEEPEST_LEVEL, level + 1) } : {}),
        ...(item === null ? {} : { item }),
        ...placedParts(paragraph, at),
      })
    if (isHeading) open = [...open, { level, text: text.replaceAll('\n', ' ') }]
    parts.push(separator, text)
    at += text.length
  }
  return { text: parts.join(''), blocks, places }
}

/** What lies within the text of a paragraph that begins at `at`: links, and cells of a row. */
function placedParts({ lines, row }: Paragraph, at: number): Pick<Block, 'links' | 'table'> {
  const links =
    row === null
      ? joinedLinks(lines, at)
      : row.links.map((link) => ({ ...link, start: link.start + at, end: link.end + at }))
  const cells =
    row?.table.cells.map((cell) => ({ ...cell, start: cell.start + at, end: cell.end + at })) ?? []
  return {
    ...(links.length === 0 ? {} : { links }),
    ...(row === null ? {} : { table: { number: row.table.number, cells } }),
  }
}

/** Returns a function that tells the item which a paragraph is; to be asked in the order of the text. */
function createItems(): (paragraph: Paragraph) => ListItem | null {
  const items = createNestedItems()
  let before: PdfLine | undefined
  return ({ lines: [first], mark, running }) => {
    if (running || first === undefined) return null
    const isElsewhere = before !== undefined && beginsColumn(before, first)
    before = first
    if (mark === null || isElsewhere) items.keepOnly(mark?.indent ?? null)
    return mark === null ? null : items.next(mark.indent, mark.number)
  }
}

/** The next column, or the next page. */
const beginsColumn = (last: PdfLine, line: PdfLine): boolean => line.page !== last.page || line.y > last.y

/** The height that most characters have. */
function bodyHeight(lines: readonly PdfLine[]): number {
  const characters = new Map<number, number>()
  for (const { height, text } of lines) {
    const size = rounded(height)
    characters.set(size, (characters.get(size) ?? 0) + text.length)
  }
  return [...characters].toSorted((left, right) => right[1] - left[1])[0]?.[0] ?? 0
}

const rounded = (height: number): number => Math.round(height * 2) / 2
const sizeOf = (paragraph: Paragraph): number => rounded(paragraph.lines[0]?.height ?? 0)

/** Texts, digits aside, that open or close three pages or more, and page numbers. */
function runningLines(lines: readonly PdfLine[]): ReadonlySet<string> {
  const edges = new Map<string, number>()
  const everywhere = new Map<string, { count: number; pages: Set<number> }>()
  for (const [index, line] of lines.entries()) {
    const text = withoutDigits(line.text)
    const places = everywhere.get(text) ?? { count: 0, pages: new Set() }
    everywhere.set(text, { count: places.count + 1, pages: places.pages.add(line.page) })
    const isAtEdge = lines[index - 1]?.page !== line.page || lines[index + 1]?.page !== line.page
    if (isAtEdge) edges.set(text, (edges.get(text) ?? 0) + 1)
  }
  const isRare = (text: string): boolean => {
    const { count = 0, pages } = everywhere.get(text) ?? {}
    return text === '#' || count <= (pages?.size ?? 0) * RUNNING_LINES_A_PAGE
  }
  return new Set(
    [...edges].filter(([text, count]) => count >= RUNNING_PAGES && isRare(text)).map(([text]) => text),
  )
}

const withoutDigits = (text: string): string => text.replace(/\d+/g, '#')

function paragraphsOf(lines: readonly PdfLine[], running: ReadonlySet<string>): Paragraph[] {
  const paragraphs: Paragraph[] = []
  const marks = findItemMarks(lines)
  const isRunningLine = (line: PdfLine): boolean => running.has(withoutDigits(line.text))
  const rows = findTableRows(lines, (line) => marks.has(line) || isRunningLine(line))
  for (const line of lines) {
    const isRunning = isRunningLine(line)
    const mark = isRunning ? null : (marks.get(line) ?? null)
    const row = rows.get(line) ?? null
    const open = paragraphs.at(-1)
    const isAlone = isRunning || mark !== null || row !== null
    if (open !== undefined && row !== null && open.row === row) open.lines.push(line)
    else if (
      open === undefined ||
      isAlone ||
      open.running ||
      open.row !== null ||
      beginsParagraph(open, line)
    )
      paragraphs.push({ lines: [line], running: isRunning, mark, row })
    else open.lines.push(line)
  }
  return paragraphs
}

function beginsParagraph({ lines, mark }: Paragraph, line: PdfLine): boolean {
  const last = lines.at(-1)
  if (last === undefined) return true
  if (rounded(last.height) !== rounded(line.height) && last.height > 0 && line.height > 0) {
    const ratio = line.height / last.height
    if (ratio > HEADING_SIZE || ratio < 1 / HEADING_SIZE) return true
  }
  const endsSentence = /[.!?:。！？]["'”’)\]]?$/.test(last.text)
  // The sentence may go on there.
  if (beginsColumn(last, line)) return endsSentence
  const gap = last.y - line.y
  const height = Math.max(line.height, last.height)
  if (height > 0 && gap > PARAGRAPH_GAP * height) return true
  // The lines of an item hang to the right of its mark.
  if (mark !== null)
    return line.x < mark.indent - height / 2 || (line.x < last.x - height && line.x < mark.indent + height)
  const isIndented = line.x > last.x + height && line.x < last.x + 6 * height
  return endsSentence && isIndented
}

/** Sizes clearly above the body's, largest first: the levels of headings. */
function headingSizes(paragraphs: readonly Paragraph[], body: number): number[] {
  const written = paragraphs.filter(({ row }) => row === null)
  const sizes = new Set(written.map(sizeOf).filter((size) => size >= body * HEADING_SIZE))
  return [...sizes].toSorted((left, right) => right - left)
}

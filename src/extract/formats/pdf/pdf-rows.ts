// Printed lines to rows of cells whose text goes on in further lines. Programs print cell by cell: the lines of one, then,
// further up again, those of the cell to its right. That order tells a row from lines of prose.
import type { PrintedCell } from './pdf-cells.ts'
import type { PdfLine } from './pdf-lines.ts'

/** What one line has of a cell. */
export interface CellPart {
  /** Which of the lines of its row. */
  line: number
  printed: PrintedCell
}

export interface RowCell {
  parts: readonly CellPart[]
  /** Its lines, one space between two of them. */
  text: string
  /** The ends of its widest line. */
  x: number
  right: number
  /** Null where several are. */
  font: string | null
}

export interface PrintedRow {
  lines: readonly PdfLine[]
  /** From left to right; none where the line belongs into no table. */
  cells: readonly RowCell[]
  /** Its first and its last base line. */
  top: number
  bottom: number
  /** A cell was printed beside another one after several of its lines, which prose is not. */
  isProven: boolean
}

/** A row that the next line may belong to. */
interface OpenRow {
  lines: PdfLine[]
  cells: CellPart[][]
  /** Between two lines of a cell; null while none has two. */
  pitch: number | null
  isProven: boolean
}

/** Further cells are compared with further columns. */
const MOST_CELLS = 50
/** More of them are prose. */
const MOST_LINES = 50
/** Between two lines of a cell, in heights of a line. */
export const WIDEST_PITCH = 1.6
/** The same where the order of printing shows that they belong together. */
const WIDEST_PROVEN_PITCH = 2.2
/** Gaps that are alike differ by no more; what parts two rows is wider than what parts two lines of a cell. */
export const ALIKE = 1.15
const LETTERS_ALIKE = 1.25
/** Base lines no further apart, in heights of a line, are the same. */
const SAME_LINE = 0.3
/** How much further up than the first cell another may begin where no row stands above, in lines. */
const MOST_LINES_HIGHER = 8
/** Further apart no two rows belong to one table, from base line to base line in heights of a line. */
const FURTHEST_ROW = 4
const FIGURE = /^[^\p{L}\p{Nd}]{0,4}\p{Nd}[^\p{L}]*$/u

/** All `lines` in their order as rows; what `isApart` tells is in no table. */
export function gatherRows(lines: readonly PdfLine[], isApart: (line: PdfLine) => boolean): PrintedRow[] {
  const rows: PrintedRow[] = []
  let open: OpenRow | null = null
  for (const line of lines) {
    const { cells = [] } = line
    const isAlone = cells.length === 0 || cells.length > MOST_CELLS || isApart(line)
    const next: OpenRow | null = isAlone || open === null ? null : goneOn(open, line, rows)
    if (next === null && open !== null) rows.push(...closed(open))
    open = isAlone ? null : (next ?? rowOf(line))
    if (isAlone) rows.push(finished({ ...rowOf(line), cells: [] }))
  }
  if (open !== null) rows.push(...closed(open))
  return rows
}

const rowOf = (line: PdfLine): OpenRow => ({
  lines: [line],
  cells: (line.cells ?? []).map((printed) => [{ line: 0, printed }]),
  pitch: null,
  isProven: false,
})

/** The row that `line` goes on with, which may be but the end of `open`: what stands before it goes to `rows`. Null for none. */
function goneOn(open: OpenRow, line: PdfLine, rows: PrintedRow[]): OpenRow | null {
  if (open.lines.length >= MOST_LINES || !isAlike(open.lines[0], line)) return null
  const above = rows.at(-1)
  if (isBeside(open, line, above)) {
    const row = withoutLinesBefore(open, line, rows)
    row.isProven ||= row.lines.length > 1 && bottomOf(row) < firstY(line) - slackOf(line)
    return extended(row, line, 0)
  }
  if (isBelow(open, line, above)) return extended(open, line, 1)
  // A line of its own above a cell is further away from that cell's first line than this from its second.
  const last = open.cells.length === 1 && open.lines.length > 1 ? open.lines.at(-1) : undefined
  if (last === undefined || !isBelow(rowOf(last), line, undefined)) return null
  if (open.pitch !== null && gapAbove(rowOf(last), line) * ALIKE > open.pitch) return null
  for (const before of open.lines.slice(0, -1)) rows.push(finished(rowOf(before)))
  return extended(rowOf(last), line, 1)
}

function isAlike(first: PdfLine | undefined, line: PdfLine): boolean {
  if (first === undefined || first.page !== line.page) return false
  const [smaller, larger] = [Math.min(first.height, line.height), Math.max(first.height, line.height)]
  return smaller > 0 && larger <= smaller * LETTERS_ALIKE
}

const yOf = ({ printed }: CellPart): number => printed.y
const topOf = ({ cells }: OpenRow): number => Math.max(...cells.flat().map(yOf))
const bottomOf = ({ cells }: OpenRow): number => Math.min(...cells.flat().map(yOf))
const rightOf = (cells: readonly (readonly CellPart[])[]): number =>
  Math.max(...cells.flat().map(({ printed }) => printed.right))
const firstY = ({ cells, y }: PdfLine): number => cells?.[0]?.y ?? y
const slackOf = ({ height }: PdfLine): number => SAME_LINE * height

/** To the right of all cells, and as high as a cell of this row can begin. */
function isBeside(open: OpenRow, line: PdfLine, above: PrintedRow | undefined): boolean {
  const [first] = line.cells ?? []
  if (first === undefined || first.x < rightOf(open.cells)) return false
  const isUnderRow = above?.lines[0]?.page === line.page && above.bottom > topOf(open)
  const highest = isUnderRow
    ? above.bottom - slackOf(line)
    : topOf(open) + MOST_LINES_HIGHER * WIDEST_PITCH * line.height
  return first.y >= bottomOf(open) - slackOf(line) && first.y < highest
}

/** Right below the cell that was printed last, and below no other; what stands to its right in the line is another cell. */
function isBelow(open: OpenRow, line: PdfLine, above: PrintedRow | undefined): boolean {
  const [first, second] = line.cells ?? []
  const own = open.cells.at(-1)
  const last = own?.at(-1)?.printed
  if (first === undefined || own === undefined || last === undefined) return false
  if (first.x >= rightOf([own]) || first.x < rightOf(open.cells.slice(0, -1))) return false
  const leftmost = Math.min(...own.map(({ printed }) => printed.x))
  if (first.right <= leftmost || (FIGURE.test(first.text) && FIGURE.test(last.text))) return false
  const gap = last.y - first.y
  const isUneven = second !== undefined && Math.abs(second.y - first.y) > slackOf(line)
  const isSure = isUneven || open.cells.length === 1 || !startsLevel(open)
  if (gap <= slackOf(line) || gap > (isSure ? WIDEST_PROVEN_PITCH : WIDEST_PITCH) * line.height) return false
  if (open.pitch !== null && (gap > open.pitch * ALIKE || gap * ALIKE < open.pitch)) return false
  if (second === undefined) return true
  if (second.x < rightOf([own])) return false
  // On one base line they may as well be a row of their own.
  return isUneven || !startsLevel(open) || isTighter(gap, open, above)
}

/** All cells begin on one base line: otherwise one stands in the middle of another's lines. */
function startsLevel({ lines: [first], cells }: OpenRow): boolean {
  const ys = cells.flatMap(([part]) => (part === undefined ? [] : [yOf(part)]))
  return first === undefined || Math.max(...ys) - Math.min(...ys) <= slackOf(first)
}

/** `gap` is smaller than that to the row of a table above. */
const isTighter = (gap: number, open: OpenRow, above: PrintedRow | undefined): boolean =>
  above !== undefined &&
  above.cells.length > 1 &&
  above.lines[0]?.page === open.lines[0]?.page &&
  gap * ALIKE < above.bottom - topOf(open)

const gapAbove = (open: OpenRow, line: PdfLine): number =>
  (open.cells.at(-1)?.at(-1)?.printed.y ?? 0) - firstY(line)

/** `line` belongs to `open`: the first `below` of its cells to the last cell there, the others are new ones. */
function extended(open: OpenRow, line: PdfLine, below: 0 | 1): OpenRow {
  const parts = (line.cells ?? []).map((printed): CellPart => ({ line: open.lines.length, printed }))
  if (below === 1) {
    open.pitch ??= gapAbove(open, line)
    open.cells.at(-1)?.push(...parts.slice(0, 1))
  }
  open.lines.push(line)
  for (const part of parts.slice(below)) open.cells.push([part])
  return open
}

/**
 * A cell of several lines whose neighbour `line` begins, without the prose right above it: its first line, or its middle, is
 * as high as that neighbour. Below the row of a table there is no prose.
 */
function withoutLinesBefore(open: OpenRow, line: PdfLine, rows: PrintedRow[]): OpenRow {
  const above = rows.at(-1)
  const [parts = []] = open.cells
  const isOfTable = above !== undefined && above.cells.length > 1 && above.lines[0]?.page === line.page
  if (open.cells.length > 1 || open.lines.length < 2 || isOfTable) return open
  const isLevel = (y: number): boolean => Math.abs(y - firstY(line)) <= slackOf(line)
  const bottom = bottomOf(open)
  const first = parts.findIndex((part) => isLevel(yOf(part)) || isLevel((yOf(part) + bottom) / 2))
  if (first < 1) return open
  for (const before of open.lines.slice(0, first)) rows.push(finished(rowOf(before)))
  const lines = open.lines.slice(first)
  const cell = parts.slice(first).map(({ printed }, index): CellPart => ({ line: index, printed }))
  return { ...open, lines, cells: [cell] }
}

/** What is one cell is no row: each of its lines may be. */
const closed = (open: OpenRow): PrintedRow[] =>
  open.cells.length > 1 ? [finished(open)] : open.lines.map((line) => finished(rowOf(line)))

function finished({ lines, cells, isProven }: OpenRow): PrintedRow {
  const ys = lines.flatMap((line) => line.cells?.map(({ y }) => y) ?? [line.y])
  return {
    lines,
    cells: cells.map(cellOf),
    top: Math.max(...ys),
    bottom: Math.min(...ys),
    isProven,
  }
}

/** From the last base line of one row to the first of the next, in heights of a line; null where it is not right below. */
export function gapBetween(above: PrintedRow | undefined, row: PrintedRow | undefined): number | null {
  const [upper, lower] = [above?.lines.at(-1), row?.lines[0]]
  if (above === undefined || row === undefined || upper === undefined || lower === undefined) return null
  const height = Math.max(upper.height, lower.height)
  const gap = upper.page === lower.page && height > 0 ? (above.bottom - row.top) / height : 0
  return gap > 0 && gap <= FURTHEST_ROW ? gap : null
}

/** A cell of `parts`, from top to bottom. */
export function cellOf(parts: readonly CellPart[]): RowCell {
  const fonts = new Set(parts.map(({ printed }) => printed.font))
  return {
    parts,
    text: parts.map(({ printed }) => printed.text).join(' '),
    x: Math.min(...parts.map(({ printed }) => printed.x)),
    right: rightOf([parts]),
    font: fonts.size === 1 ? (parts[0]?.printed.font ?? null) : null,
  }
}

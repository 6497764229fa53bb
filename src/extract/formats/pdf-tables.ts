// Tables of a printed page: lines whose words stand below one another in columns, at least one of them of figures.
import type { Block, TableCell } from '../document.ts'
import { resolveHeaders } from '../tables/header-cells.ts'
import { type GridCell, type GridRow, placeCells } from '../tables/table-grid.ts'
import type { PdfLine, PrintedCell } from './pdf-lines.ts'

/** A line that is a row: its text with tabs between the cells, which are places in that text. */
export interface PdfRow {
  text: string
  table: NonNullable<Block['table']>
}

/** Edges or middles of the cells of a column are no further apart, in points. */
const TOLERANCE = 3
const LEAST_COLUMNS = 2
/** Further cells are compared with further columns. */
const MOST_COLUMNS = 50
/** Lines that stand in columns without a doubt; those around them need to fit into these only. */
const LEAST_ALIGNED = 2
const LEAST_ROWS = 3
/** Lines above the aligned ones: names of columns stand otherwise than their figures. */
const MOST_LINES_ABOVE = 2
/** Between the base lines of two rows, in heights of a line, and in what lies between two other rows. */
const FURTHEST_ROW = 4
const FURTHEST_EVEN = 1.5
const LONGEST_FIGURE = 30
/** Share of a figure's characters that are digits, and of a column's cells that are figures. */
const DIGITS_SHARE = 0.4
const FIGURES_SHARE = 0.8
const LEAST_FIGURES = 2

interface Extent {
  least: number
  most: number
}

/** Where the cells of a column begin, have their middle and end. */
type Column = readonly [Extent, Extent, Extent]

/** The cells of a line by column; undefined where a column has none. */
type Row = readonly (PrintedCell | undefined)[]

interface PrintedTable {
  lines: readonly PdfLine[]
  rows: readonly Row[]
}

/**
 * The rows of all tables among `lines`, in the order of the text; `isApart` tells those that are none. Two columns of
 * prose are no table, nor is a table of contents.
 */
export function findTableRows(
  lines: readonly PdfLine[],
  isApart: (line: PdfLine) => boolean,
): ReadonlyMap<PdfLine, PdfRow> {
  const found = new Map<PdfLine, PdfRow>()
  const cells = lines.map((line) => (isApart(line) ? [] : cellsOf(line)))
  let tables = 0
  let free = 0
  for (let at = 0; at < lines.length;) {
    const { count, columns } = alignedFrom(lines, cells, at)
    const first = count < LEAST_ALIGNED ? at : firstRow(lines, cells, columns, { at, free })
    const end = count < LEAST_ALIGNED ? at + 1 : endOfRows(lines, cells, columns, { at, count })
    const rows = cells.slice(first, end).map((own, index) => {
      const isAlignedRow = first + index >= at && first + index < at + count
      return isAlignedRow ? own : (inColumns(own, columns) ?? [])
    })
    if (!isTable(rows)) {
      // The first of two may stand above a table that begins with the second.
      at = count === LEAST_ALIGNED ? at + 1 : end
      continue
    }
    for (const [line, row] of placed({ lines: lines.slice(first, end), rows }, tables)) found.set(line, row)
    tables++
    at = end
    free = end
  }
  return found
}

const cellsOf = ({ cells = [] }: PdfLine): readonly PrintedCell[] =>
  cells.length > MOST_COLUMNS ? [] : cells

type Cells = readonly (readonly PrintedCell[])[]

/** How many lines from `at` on have as many cells, which stand below one another. */
function alignedFrom(
  lines: readonly PdfLine[],
  cells: Cells,
  at: number,
): { count: number; columns: readonly Column[] } {
  let columns = (cells[at] ?? []).map((cell) => extended(null, cell))
  let count = 1
  for (; at + count < lines.length; count++) {
    const own = cells[at + count] ?? []
    if (own.length !== columns.length || !isNextRow(lines, at + count, at)) break
    const wider = own.map((cell, index) => extended(columns[index] ?? null, cell))
    if (!wider.every(isAligned)) break
    columns = wider
  }
  return columns.length < LEAST_COLUMNS ? { count: 0, columns: [] } : { count, columns }
}

function extended(column: Column | null, { x, right }: PrintedCell): Column {
  const [left, middle, end] = column ?? []
  return [around(left, x), around(middle, (x + right) / 2), around(end, right)]
}

const around = (extent: Extent | undefined, place: number): Extent => ({
  least: Math.min(extent?.least ?? place, place),
  most: Math.max(extent?.most ?? place, place),
})

const isAligned = (column: Column): boolean => column.some(({ least, most }) => most - least <= TOLERANCE)

/** Whether the line at `next` is a row behind those from `first` on by where it stands: right below, and as near as they are. */
function isNextRow(lines: readonly PdfLine[], next: number, first: number): boolean {
  const [before, above, line] = [lines[next - 2], lines[next - 1], lines[next]]
  const isSecond = next - 2 < first
  return isRightBelow(above, line) && (isSecond || gapOf(above, line) <= FURTHEST_EVEN * gapOf(before, above))
}

function isRightBelow(above: PdfLine | undefined, line: PdfLine | undefined): boolean {
  if (above === undefined || line === undefined || above.page !== line.page) return false
  const gap = gapOf(above, line)
  return gap > 0 && gap <= FURTHEST_ROW * Math.max(above.height, line.height)
}

const gapOf = (above: PdfLine | undefined, line: PdfLine | undefined): number =>
  (above?.y ?? 0) - (line?.y ?? 0)

/** The first line above `at`, none before `free`, that fits into the columns. */
function firstRow(
  lines: readonly PdfLine[],
  cells: Cells,
  columns: readonly Column[],
  { at, free }: { at: number; free: number },
): number {
  const furthest = FURTHEST_EVEN * gapOf(lines[at], lines[at + 1])
  let first = at
  while (first > Math.max(free, at - MOST_LINES_ABOVE)) {
    const [above, line] = [lines[first - 1], lines[first]]
    if (!isRightBelow(above, line) || gapOf(above, line) > furthest) break
    if (inColumns(cells[first - 1] ?? [], columns) === null) break
    first--
  }
  return first
}

/** Behind the last line that fits into the columns. */
function endOfRows(
  lines: readonly PdfLine[],
  cells: Cells,
  columns: readonly Column[],
  { at, count }: { at: number; count: number },
): number {
  let end = at + count
  while (isNextRow(lines, end, at) && inColumns(cells[end] ?? [], columns) !== null) end++
  return end
}

/** Each cell in the one column below or above which it stands; null where one stands in none or in several. */
function inColumns(cells: readonly PrintedCell[], columns: readonly Column[]): Row | null {
  if (cells.length < LEAST_COLUMNS) return null
  const row = columns.map((column) => {
    const own = cells.filter((cell) => overlaps(cell, column))
    return own.length > 1 ? null : own[0]
  })
  const filled = row.filter((cell) => cell !== undefined)
  if (filled.includes(null) || new Set(filled).size !== filled.length || filled.length !== cells.length)
    return null
  return row.map((cell) => cell ?? undefined)
}

const overlaps = ({ x, right }: PrintedCell, [left, , end]: Column): boolean =>
  x < end.most && right > left.least

function isTable(rows: readonly Row[]): boolean {
  if (rows.length < LEAST_ROWS) return false
  const columns = (rows[0] ?? []).map((_, column) => rows.slice(1).flatMap((row) => row[column] ?? []))
  return columns.some(isOfFigures) && !isContents(columns)
}

function isOfFigures(column: readonly PrintedCell[]): boolean {
  const figures = column.filter(({ text }) => isFigure(text)).length
  return figures >= LEAST_FIGURES && figures >= column.length * FIGURES_SHARE
}

function isFigure(text: string): boolean {
  const characters = text.replace(/\s+/gu, '')
  const digits = characters.match(/\p{Nd}/gu)?.length ?? 0
  return characters.length <= LONGEST_FIGURE && digits > 0 && digits >= characters.length * DIGITS_SHARE
}

/** Names with the numbers of the pages on which they stand. */
function isContents(columns: readonly (readonly PrintedCell[])[]): boolean {
  const numbers = (columns.at(-1) ?? []).map(({ text }) => (/^\d{1,4}$/u.test(text) ? Number(text) : NaN))
  return columns.length === 2 && numbers.every((number, index) => number >= (numbers[index - 1] ?? 0))
}

function placed({ lines, rows }: PrintedTable, number: number): ReadonlyMap<PdfLine, PdfRow> {
  const grid = rows.map((row): GridRow<GridCell> => ({ group: 0, isHead: false, cells: row.map(gridCell) }))
  const tableCells = lines.map((): TableCell[] => [])
  for (const [{ row, column }, headers] of resolveHeaders(grid, placeCells(grid))) {
    const cell = rows[row]?.[column]
    if (cell === undefined) continue
    const { start, end } = cell
    tableCells[row]?.push({ start, end, row, column, rowSpan: 1, columnSpan: 1, ...headers })
  }
  return new Map(
    lines.map((line, index) => {
      const cells = tableCells[index] ?? []
      return [line, { text: withTabs(rows[index] ?? []), table: { number, cells } }]
    }),
  )
}

const gridCell = (cell: PrintedCell | undefined): GridCell => ({
  text: cell?.text ?? '',
  columnSpan: 1,
  rowSpan: 1,
  isHeader: false,
  scope: null,
  isBold: false,
})

/** As long as the line: one space stands between two of its cells. */
const withTabs = (row: Row): string => row.flatMap((cell) => cell?.text ?? []).join('\t')

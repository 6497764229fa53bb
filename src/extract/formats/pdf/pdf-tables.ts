// Tables of a printed page: rows whose cells stand below one another in columns, at least one of them of figures.
import type { PdfLine } from './pdf-lines.ts'
import {
  type Column,
  type ColumnCell,
  columnsOf,
  inColumns,
  inEachColumn,
  ofSum,
  widened,
} from './pdf-columns.ts'
import { overColumns } from './pdf-spans.ts'
import { joinWrappedRows } from './pdf-row-wraps.ts'
import { gapBetween, gatherRows, type PrintedRow } from './pdf-rows.ts'
import { type PdfRow, type TableRow, writeRows } from './pdf-table-rows.ts'

/** Rows that stand in columns without a doubt; those around them need to fit into these only. */
const LEAST_ALIGNED = 2
const LEAST_ROWS = 3
/** Rows above the aligned ones: names of columns stand otherwise than their figures. */
const MOST_ROWS_ABOVE = 2
/** Between the base lines of two rows, in what lies between two other rows. */
const FURTHEST_EVEN = 1.5
const LONGEST_FIGURE = 30
/** Share of a figure's characters that are digits, and of a column's cells that are figures. */
const DIGITS_SHARE = 0.4
const FIGURES_SHARE = 0.8
const LEAST_FIGURES = 2
/** Of the names of columns that hold no figures. */
const LONGEST_NAME = 60
/** Rows whose order of printing shows that they are rows, where no column holds figures. */
const LEAST_PROVEN = 2

/**
 * The rows of all tables among `lines`, each by all of its lines, in the order of the text; `isApart` tells lines that are in
 * none. Two columns of prose are no table, nor is a table of contents.
 */
export function findTableRows(
  lines: readonly PdfLine[],
  isApart: (line: PdfLine) => boolean,
): ReadonlyMap<PdfLine, PdfRow> {
  const found = new Map<PdfLine, PdfRow>()
  const rows = joinWrappedRows(gatherRows(lines, isApart))
  let tables = 0
  let free = 0
  for (let at = 0; at < rows.length;) {
    const { table, aligned, end } = tableAt(rows, at, free)
    if (!isTable(table)) {
      // The first of two may stand above a table that begins with the second.
      at = aligned === LEAST_ALIGNED ? at + 1 : end
      continue
    }
    for (const [line, row] of writeRows(table, tables)) found.set(line, row)
    tables++
    at = end
    free = at
  }
  return found
}

interface Candidate {
  table: readonly TableRow[]
  /** How many rows stand in columns without a doubt. */
  aligned: number
  /** Behind its last row. */
  end: number
}

/** What may be a table around the aligned rows from `at` on, none of it before `free`. */
function tableAt(rows: readonly PrintedRow[], at: number, free: number): Candidate {
  const count = alignedFrom(rows, at)
  if (count < LEAST_ALIGNED) return { table: [], aligned: count, end: at + 1 }
  const aligned = rows.slice(at, at + count)
  const columns = columnsOf(aligned)
  const above = rowsAbove(rows, columns, { at, free })
  const below = rowsBelow(rows, columns, { at, end: at + count })
  const body = aligned.map((printed): TableRow => ({ printed, cells: inEachColumn(printed), isHead: false }))
  return {
    table: withHead([...above, ...body, ...below]),
    aligned: count,
    end: at + count + below.length,
  }
}

/** How many rows from `at` on have as many cells, which stand below one another. */
function alignedFrom(rows: readonly PrintedRow[], at: number): number {
  let columns: readonly Column[] | null = []
  let count = 0
  for (; at + count < rows.length; count++) {
    const row = rows[at + count]
    if (row === undefined || (count > 0 && !isNextRow(rows, at + count, at))) break
    columns = widened(columns, row)
    if (columns === null) break
  }
  return count
}

/** Whether the row at `next` is one behind those from `first` on by where it stands: right below, and as near as they are. */
function isNextRow(rows: readonly PrintedRow[], next: number, first: number): boolean {
  const [before, above, row] = [rows[next - 2], rows[next - 1], rows[next]]
  const isSecond = next - 2 < first
  return isRightBelow(above, row) && (isSecond || gapOf(above, row) <= FURTHEST_EVEN * gapOf(before, above))
}

const isRightBelow = (above: PrintedRow | undefined, row: PrintedRow | undefined): boolean =>
  gapBetween(above, row) !== null

const gapOf = (above: PrintedRow | undefined, row: PrintedRow | undefined): number =>
  (above?.bottom ?? 0) - (row?.top ?? 0)

/** Those above `at`, none before `free`, that fit into the columns or name several of them. */
function rowsAbove(
  rows: readonly PrintedRow[],
  columns: readonly Column[],
  { at, free }: { at: number; free: number },
): TableRow[] {
  const furthest = FURTHEST_EVEN * gapOf(rows[at], rows[at + 1])
  const above: TableRow[] = []
  for (let next = at - 1; next >= Math.max(free, at - MOST_ROWS_ABOVE); next--) {
    const [printed, row] = [rows[next], rows[next + 1]]
    if (printed === undefined || !isRightBelow(printed, row) || gapOf(printed, row) > furthest) break
    const several = overColumns(printed, columns)
    const single = inColumns(printed, columns)
    // Above other names it may stand over the middle of several columns and touch one.
    const cells = above.length > 0 ? (several ?? single) : (single ?? several)
    if (cells === null) break
    above.unshift({ printed, cells, isHead: cells === several })
  }
  return above
}

/** Those from `end` on that fit into the columns, up to the first that does not. */
function rowsBelow(
  rows: readonly PrintedRow[],
  columns: readonly Column[],
  { at, end }: { at: number; end: number },
): TableRow[] {
  const below: TableRow[] = []
  for (let next = end; isNextRow(rows, next, at); next++) {
    const printed = rows[next]
    const cells = printed === undefined ? null : (inColumns(printed, columns) ?? ofSum(printed, columns))
    if (printed === undefined || cells === null) break
    below.push({ printed, cells, isHead: false })
  }
  return below
}

/** What names several columns is a head, and so is a row below it in the same type, which names each. */
function withHead(rows: readonly TableRow[]): readonly TableRow[] {
  const last = rows.findLastIndex(({ isHead }) => isHead)
  const fonts = new Set(rows[last]?.cells.map(({ cell }) => cell.font))
  const isNext = rows[last + 1]?.cells.every(({ cell }) => fonts.has(cell.font)) ?? false
  const heads = last < 0 ? 0 : last + (isNext ? 2 : 1)
  return rows.map((row, index) => ({ ...row, isHead: index < heads }))
}

function isTable(rows: readonly TableRow[]): boolean {
  if (rows.length < LEAST_ROWS) return false
  const count = Math.max(...rows.flatMap(({ cells }) => cells.map(({ column }) => column + 1)))
  const columns = Array.from({ length: count }, (_, column) =>
    rows.slice(1).flatMap(({ cells }) => cells.filter((cell) => cell.column === column)),
  )
  return (columns.some(isOfFigures) && !isContents(columns)) || hasNames(rows, count)
}

function isOfFigures(column: readonly ColumnCell[]): boolean {
  const figures = column.filter(({ cell }) => isFigure(cell.text)).length
  return figures >= LEAST_FIGURES && figures >= column.length * FIGURES_SHARE
}

function isFigure(text: string): boolean {
  const characters = text.replace(/\s+/gu, '')
  const digits = characters.match(/\p{Nd}/gu)?.length ?? 0
  return characters.length <= LONGEST_FIGURE && digits > 0 && digits >= characters.length * DIGITS_SHARE
}

/** Names with the numbers of the pages on which they stand. */
function isContents(columns: readonly (readonly ColumnCell[])[]): boolean {
  const numbers = (columns.at(-1) ?? []).map(({ cell: { text } }) =>
    /^\d{1,4}$/u.test(text) ? Number(text) : NaN,
  )
  return columns.length === 2 && numbers.every((number, index) => number >= (numbers[index - 1] ?? 0))
}

/** Every column has a name in a font in which nothing below is set, and rows are printed cell by cell. */
function hasNames([head, ...body]: readonly TableRow[], columns: number): boolean {
  const fonts = new Set(head?.cells.map(({ cell }) => cell.font))
  return (
    head?.cells.length === columns &&
    !fonts.has(null) &&
    head.cells.every(({ cell }) => cell.text.length <= LONGEST_NAME) &&
    body.filter(({ printed }) => printed.isProven).length >= LEAST_PROVEN &&
    !body.some(({ cells }) => cells.some(({ cell }) => fonts.has(cell.font)))
  )
}

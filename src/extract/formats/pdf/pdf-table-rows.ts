// The rows of a printed table as text: cells parted by tabs, each with its place, its headers and its links.
import type { Block, Link, TableCell } from '../../document.ts'
import { resolveHeaders } from '../../tables/header-cells.ts'
import { type GridCell, type GridRow, placeCells } from '../../tables/table-grid.ts'
import type { ColumnCell } from './pdf-columns.ts'
import type { PdfLine } from './pdf-lines.ts'
import type { PrintedRow, RowCell } from './pdf-rows.ts'

export interface TableRow {
  printed: PrintedRow
  cells: readonly ColumnCell[]
  /** All of its cells are headers. */
  isHead: boolean
}

/** A row in place of its lines: its text with tabs between the cells, which are places in that text, as its links are. */
export interface PdfRow {
  text: string
  table: NonNullable<Block['table']>
  links: readonly Link[]
}

interface PrintedGridCell extends GridCell {
  source: RowCell | null
}

/** Each line of `rows`, which are the table `number`, with the row that it belongs to. */
export function writeRows(rows: readonly TableRow[], number: number): ReadonlyMap<PdfLine, PdfRow> {
  const isBold = boldIn(rows)
  const grid = rows.map(({ cells, isHead }): GridRow<PrintedGridCell> => ({
    group: 0,
    isHead,
    cells: gridCells(cells, isBold),
  }))
  const written = rows.map(({ cells }) => textOf(cells))
  const tableCells = rows.map((): TableCell[] => [])
  for (const [{ cell, row, column, columnSpan }, headers] of resolveHeaders(grid, placeCells(grid))) {
    const place = cell.source === null ? undefined : written[row]?.places.get(cell.source)
    if (place !== undefined)
      tableCells[row]?.push({ ...place, row, column, rowSpan: 1, columnSpan, ...headers })
  }
  return new Map(
    rows.flatMap(({ printed, cells }, index) => {
      const { text = '', places = new Map() } = written[index] ?? {}
      const table = { number, cells: tableCells[index] ?? [] }
      const row: PdfRow = { text, table, links: linksOf(printed, cells, places) }
      return printed.lines.map((line): [PdfLine, PdfRow] => [line, row])
    }),
  )
}

/** Whether a cell is set in a font of which few cells of the table are: bold, or as good as that. */
function boldIn(rows: readonly TableRow[]): (cell: RowCell) => boolean {
  const counts = new Map<string | null, number>()
  for (const { cells } of rows)
    for (const { cell } of cells) counts.set(cell.font, (counts.get(cell.font) ?? 0) + 1)
  const [common] = [...counts].toSorted((left, right) => right[1] - left[1])
  return ({ font }) => font !== null && font !== common?.[0]
}

const EMPTY: PrintedGridCell = {
  source: null,
  text: '',
  columnSpan: 1,
  rowSpan: 1,
  isHeader: false,
  scope: null,
  isBold: false,
}

/** With empty ones where a row has none. */
function gridCells(cells: readonly ColumnCell[], isBold: (cell: RowCell) => boolean): PrintedGridCell[] {
  const own: PrintedGridCell[] = []
  let next = 0
  for (const { cell, column, columnSpan } of cells) {
    for (; next < column; next++) own.push(EMPTY)
    own.push({ ...EMPTY, source: cell, text: cell.text, columnSpan, isBold: isBold(cell) })
    next = column + columnSpan
  }
  return own
}

interface Place {
  start: number
  end: number
}

function textOf(cells: readonly ColumnCell[]): { text: string; places: ReadonlyMap<RowCell, Place> } {
  const places = new Map<RowCell, Place>()
  let at = 0
  for (const { cell } of cells) {
    places.set(cell, { start: at, end: at + cell.text.length })
    at += cell.text.length + 1
  }
  return { text: cells.map(({ cell }) => cell.text).join('\t'), places }
}

/** The links of a row's lines where they stand in its text; what goes on in the next line of a cell is one. */
function linksOf(
  { lines }: PrintedRow,
  cells: readonly ColumnCell[],
  places: ReadonlyMap<RowCell, Place>,
): Link[] {
  const links: Link[] = []
  for (const { cell } of cells) {
    let at = places.get(cell)?.start ?? 0
    for (const [index, { line, printed }] of cell.parts.entries()) {
      for (const { start, end, target } of lines[line]?.links ?? []) {
        if (start >= printed.end || end <= printed.start) continue
        const from = at + Math.max(start, printed.start) - printed.start
        const to = at + Math.min(end, printed.end) - printed.start
        const last = links.at(-1)
        if (index > 0 && last?.target === target && last.end === from - 1) last.end = to
        else links.push({ start: from, end: to, target })
      }
      at += printed.text.length + 1
    }
  }
  return links
}

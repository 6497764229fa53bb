// Rows of a document's tables: a line of cells parted by tabs, each with its place, under the names in the first row.
import type { Block, TableCell } from '../document.ts'

/** Of the first row's names that stand above the other rows. */
const COLUMN_NAMES_MAX = 300

interface OpenTable {
  number: number
  rows: number
  /** By column; none when the first row is no header. */
  columns: readonly string[]
}

function columnNames(cells: readonly string[]): readonly string[] {
  const shown = cells.filter((cell) => cell !== '')
  return shown.length > 1 && shown.every((cell) => /\p{L}/u.test(cell)) ? cells : []
}

const joined = (columns: readonly string[]): string =>
  columns
    .filter((name) => name !== '')
    .join(' · ')
    .slice(0, COLUMN_NAMES_MAX)

/** Where each cell that is shown stands in the text, parted by one tab from the next. */
function placedCells(cells: readonly string[], start: number, { rows, columns }: OpenTable): TableCell[] {
  const placed: TableCell[] = []
  let at = start
  for (const [column, text] of cells.entries()) {
    if (text === '') continue
    const name = columns[column] ?? ''
    placed.push({
      start: at,
      end: at + text.length,
      row: rows,
      column,
      rowSpan: 1,
      columnSpan: 1,
      isHeader: rows === 0 && columns.length > 0,
      rowHeaders: [],
      columnHeaders: rows === 0 || name === '' ? [] : [name],
    })
    at += text.length + 1
  }
  return placed
}

/** `write` takes the line of a row and returns its block; null when there is no room. */
export function createRowWriter(write: (text: string) => Block | null) {
  const table: OpenTable = { number: 0, rows: 0, columns: [] }

  /** Empty cells are left out. The first row of a table stands above the others when it holds names alone. */
  return function row(raw: readonly string[], isFirst: boolean): void {
    const cells = raw.map((cell) => cell.replace(/\s+/gu, ' ').trim())
    const block = write(cells.filter((cell) => cell !== '').join('\t'))
    if (block === null) return
    if (isFirst) Object.assign(table, { number: table.number + 1, rows: 0, columns: columnNames(cells) })
    else if (table.columns.length > 0) block.headings = [...block.headings, joined(table.columns)]
    block.table = { number: table.number, cells: placedCells(cells, block.start, table) }
    table.rows += 1
  }
}

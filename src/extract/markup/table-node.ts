// A table of the tree: its rows and columns that hold text, with every cell at its place among them.
import type { TableCell } from '../document.ts'
import type { Inline } from './inline-text.ts'

export interface NodeCell extends Omit<TableCell, 'start' | 'end' | 'rowHeaders' | 'columnHeaders'> {
  inline: Inline[]
}

export interface TableNode {
  kind: 'table'
  cells: Map<string, NodeCell>
}

export const newTable = (): TableNode => ({ kind: 'table', cells: new Map() })

/** Adds text to a cell, behind what the cell holds. */
export function addToTable({ cells }: TableNode, cell: TableCell, inline: Inline[]): void {
  const key = `${cell.row} ${cell.column}`
  const known = cells.get(key)
  if (known !== undefined) {
    known.inline.push({ kind: 'break' }, ...inline)
    return
  }
  const { row, column, rowSpan, columnSpan, isHeader } = cell
  cells.set(key, { row, column, rowSpan, columnSpan, isHeader, inline })
}

/** Rows and columns without text are left out, and spans count what is left. */
export interface DenseTable {
  /** Cells where they begin, `undefined` for slots that are empty or covered from the left. */
  rows: (DenseCell | undefined)[][]
  columns: number
  /** How many of the first rows hold headers alone. */
  headerRows: number
}

export interface DenseCell extends NodeCell {
  /** The cell began in a row above. */
  isContinued: boolean
}

/** Beyond this, gaps between cells are closed: a page of a few bytes can ask for any number of empty slots. */
const MOST_SLOTS = 100_000

/** The table as it is written, row by row. */
export function denseTable({ cells }: TableNode): DenseTable {
  const all = [...cells.values()]
  const rowOf = placesOf(all.map(({ row }) => row))
  const columnOf = placesOf(all.map(({ column }) => column))
  const isSparse = rowOf.size * columnOf.size > MOST_SLOTS
  const rows: (DenseCell | undefined)[][] = Array.from(rowOf, () => [])
  for (const cell of all) {
    const row = rowOf.get(cell.row) ?? 0
    const column = columnOf.get(cell.column) ?? 0
    const rowSpan = countWithin(rowOf, cell.row, cell.rowSpan)
    const columnSpan = countWithin(columnOf, cell.column, cell.columnSpan)
    if (isSparse) rows[row]?.push({ ...cell, row, column, rowSpan: 1, columnSpan: 1, isContinued: false })
    else putDown(rows, { ...cell, row, column, rowSpan, columnSpan, isContinued: false })
  }
  if (!isSparse) for (const row of rows) row.length = columnOf.size
  return { rows, columns: columnOf.size, headerRows: headerRowsOf(rows) }
}

function putDown(rows: (DenseCell | undefined)[][], cell: DenseCell): void {
  for (let below = 0; below < cell.rowSpan; below++) {
    const line = rows[cell.row + below]
    if (line !== undefined && line[cell.column] === undefined)
      line[cell.column] = { ...cell, isContinued: below > 0 }
  }
}

/** The numbers that occur, in order, each with its place. */
const placesOf = (numbers: readonly number[]): Map<number, number> =>
  new Map(
    [...new Set(numbers)].toSorted((left, right) => left - right).map((number, place) => [number, place]),
  )

/** How many of `places` lie in the `span` numbers from `first` on; at least one. */
function countWithin(places: ReadonlyMap<number, number>, first: number, span: number): number {
  if (span <= 1) return 1
  let within = 0
  for (const number of places.keys()) if (number >= first && number < first + span) within++
  return Math.max(1, within)
}

function headerRowsOf(rows: readonly (readonly (DenseCell | undefined)[])[]): number {
  const first = rows.findIndex((row) => row.some((cell) => cell !== undefined && !cell.isHeader))
  return first === -1 ? Math.min(1, rows.length) : first
}

// The columns of a printed table: rows whose cells stand below one another, and others that fit into them.
import type { PrintedRow, RowCell } from './pdf-rows.ts'

/** Edges or middles of the cells of a column are no further apart, in points. */
export const TOLERANCE = 3
export const LEAST_COLUMNS = 2
const HAS_FIGURE = /\p{Nd}/u

export interface Extent {
  least: number
  most: number
}

/** Where the cells of a column begin, have their middle and end. */
export type Column = readonly [Extent, Extent, Extent]

/** A cell in its columns. */
export interface ColumnCell {
  cell: RowCell
  column: number
  columnSpan: number
}

/** The columns of `rows`, which have a cell in each. */
export function columnsOf(rows: readonly PrintedRow[]): readonly Column[] {
  return rows.reduce<readonly Column[]>((columns, row) => widened(columns, row) ?? columns, [])
}

/** `columns` with the cells of `row`; null where it has another number of them, or they stand elsewhere. */
export function widened(columns: readonly Column[], { cells }: PrintedRow): readonly Column[] | null {
  if (columns.length > 0 && cells.length !== columns.length) return null
  const wider = cells.map((cell, index) => extended(columns[index] ?? null, cell))
  return wider.length >= LEAST_COLUMNS && wider.every(isAligned) ? wider : null
}

function extended(column: Column | null, { x, right }: RowCell): Column {
  const [left, middle, end] = column ?? []
  return [around(left, x), around(middle, (x + right) / 2), around(end, right)]
}

const around = (extent: Extent | undefined, place: number): Extent => ({
  least: Math.min(extent?.least ?? place, place),
  most: Math.max(extent?.most ?? place, place),
})

const isAligned = (column: Column): boolean => column.some(({ least, most }) => most - least <= TOLERANCE)

/** Cells that fill the columns one by one. */
export const inEachColumn = ({ cells }: PrintedRow): ColumnCell[] =>
  cells.map((cell, column) => ({ cell, column, columnSpan: 1 }))

/** Each cell in the one column below or above which it stands; null where one stands in none or in several. */
export function inColumns({ cells }: PrintedRow, columns: readonly Column[]): ColumnCell[] | null {
  return cells.length < LEAST_COLUMNS ? null : eachInOne(cells, columns)
}

/** The same of any number of cells, in the columns from `first` on. */
function eachInOne(cells: readonly RowCell[], columns: readonly Column[], first = 0): ColumnCell[] | null {
  const found = cells.flatMap((cell): ColumnCell[] => {
    const [column = -1, other] = columns.flatMap((own, index) => (overlaps(cell, own) ? [index] : []))
    return other !== undefined || column < first ? [] : [{ cell, column, columnSpan: 1 }]
  })
  const isWhole = found.length === cells.length
  return isWhole && new Set(found.map(({ column }) => column)).size === found.length ? found : null
}

/** A sum: its name begins with the first column and reaches over others, each figure stands below one. Null for no such row. */
export function ofSum({ cells }: PrintedRow, columns: readonly Column[]): ColumnCell[] | null {
  const [name, ...figures] = cells
  const [first] = columns
  if (name === undefined || first === undefined || figures.length === 0) return null
  if (Math.abs(name.x - first[0].least) > TOLERANCE || !figures.every(({ text }) => HAS_FIGURE.test(text)))
    return null
  const columnSpan = columns.findLastIndex((own) => overlaps(name, own)) + 1
  const found = eachInOne(figures, columns, columnSpan)
  return found && [{ cell: name, column: 0, columnSpan }, ...found]
}

/** Whether a cell stands above or below a column. */
export const overlaps = ({ x, right }: RowCell, [left, , end]: Column): boolean =>
  x < end.most && right > left.least

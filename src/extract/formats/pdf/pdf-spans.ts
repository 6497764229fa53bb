// Cells that name several columns of a printed table: a file tells where words stand, not how far their cell reaches.
import {
  type Column,
  type ColumnCell,
  type Extent,
  LEAST_COLUMNS,
  overlaps,
  TOLERANCE,
} from './pdf-columns.ts'
import type { PrintedRow, RowCell } from './pdf-rows.ts'

/** How far the middle of a cell may be from that of its columns: in points, or as share of their width. */
const LEAST_OFF_CENTRE = 6
const OFF_CENTRE_SHARE = 0.15

type Place = Omit<ColumnCell, 'cell'>

/**
 * Each cell over the columns in whose middle it stands, or from the column with which it begins to the next cell: names of
 * several columns. Null where one stands otherwise, or none has several.
 */
export function overColumns({ cells }: PrintedRow, columns: readonly Column[]): ColumnCell[] | null {
  if (cells.length < LEAST_COLUMNS) return null
  const edges = edgesOf(columns)
  const placed: ColumnCell[] = []
  for (const [index, cell] of cells.entries()) {
    const from = placed.at(-1)
    const first = from === undefined ? 0 : from.column + from.columnSpan
    const next = cells[index + 1]
    const free = { columns, edges, first }
    const found = inMiddle(cell, free) ?? fromLeft(cell, next, free) ?? overOne(cell, free)
    if (found === null) return null
    placed.push({ cell, ...found })
  }
  return placed.some(({ columnSpan }) => columnSpan > 1) ? placed : null
}

/** Columns with the places that part them, one more than columns; those before `first` are taken. */
interface Free {
  columns: readonly Column[]
  edges: readonly number[]
  first: number
}

const isEven = ({ least, most }: Extent): boolean => most - least <= TOLERANCE

/** By which side the words of a column stand below one another: where by both, as in most other columns. */
function sidesOf(columns: readonly Column[]): ('left' | 'right' | 'both')[] {
  const sides = columns.map(([left, , right]) =>
    isEven(left) === isEven(right) ? 'both' : isEven(left) ? 'left' : 'right',
  )
  const figures = sides.slice(1)
  const [lefts, rights] = ['left', 'right'].map((side) => figures.filter((own) => own === side).length)
  const common = (lefts ?? 0) > (rights ?? 0) ? 'left' : (lefts ?? 0) < (rights ?? 0) ? 'right' : 'both'
  return sides.map((side, index) => (side === 'both' && index > 0 ? common : side))
}

/** Where columns begin and, last of all, end. */
function edgesOf(columns: readonly Column[]): number[] {
  const sides = sidesOf(columns)
  const between = columns.slice(1).map(([left], index) => {
    const before = columns[index]?.[2] ?? left
    if (sides[index + 1] === 'left') return left.least
    return sides[index] === 'right' ? before.most : (before.most + left.least) / 2
  })
  const first = columns[0]?.[0].least ?? 0
  const last = columns.at(-1)?.[2].most ?? 0
  const width = (between.at(-1) ?? 0) - (between.at(-2) ?? first)
  return [first, ...between, sides.at(-1) === 'left' ? Math.max(last, (between.at(-1) ?? 0) + width) : last]
}

/** The fewest columns in whose middle `cell` stands; it reaches over no other. */
function inMiddle(cell: RowCell, { columns, edges, first }: Free): Place | null {
  const middle = (cell.x + cell.right) / 2
  for (let columnSpan = 1; columnSpan <= columns.length - first; columnSpan++)
    for (let column = first; column + columnSpan <= columns.length; column++) {
      const [left = 0, right = 0] = [edges[column], edges[column + columnSpan]]
      const slack = Math.max(LEAST_OFF_CENTRE, OFF_CENTRE_SHARE * (right - left))
      const isInMiddle = Math.abs((left + right) / 2 - middle) <= slack
      if (isInMiddle && isWithin(cell, columns, { column, columnSpan })) return { column, columnSpan }
    }
  return null
}

/** From the column that begins where `cell` does, up to the one above which the `next` cell begins. */
function fromLeft(cell: RowCell, next: RowCell | undefined, free: Free): Place | null {
  const { columns, first } = free
  const column = columns.findIndex(
    ([left], index) => index >= first && Math.abs(left.least - cell.x) <= TOLERANCE,
  )
  if (column < 0) return null
  const centred = next === undefined ? null : inMiddle(next, { ...free, first: column + 1 })
  const behind =
    centred?.column ??
    columns.findIndex(([, , end], index) => index > column && next !== undefined && end.most > next.x)
  // The first column holds the names of rows.
  const end = column === 0 ? 1 : behind < 0 ? columns.length : behind
  const place = { column, columnSpan: end - column }
  return isWithin(cell, columns, place) ? place : null
}

/** The one column that it stands above. */
function overOne(cell: RowCell, { columns, first }: Free): Place | null {
  const [column, other] = columns.flatMap((own, index) => (overlaps(cell, own) ? [index] : []))
  return column === undefined || column < first || other !== undefined ? null : { column, columnSpan: 1 }
}

const isWithin = (cell: RowCell, columns: readonly Column[], { column, columnSpan }: Place): boolean =>
  columns.every((own, index) => (index >= column && index < column + columnSpan) || !overlaps(cell, own))

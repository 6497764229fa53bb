// Rows of several lines that are printed line by line: what follows a row more closely than rows follow one another, in
// some of its columns and without figures, is the rest of its cells.
import {
  ALIKE,
  cellOf,
  type CellPart,
  gapBetween,
  type PrintedRow,
  type RowCell,
  WIDEST_PITCH,
} from './pdf-rows.ts'

const HAS_FIGURE = /\p{Nd}/u

/** How many lines of a cell are looked through for the next row. */
const MOST_LINES_AHEAD = 6

/** `rows` with such lines joined to the row above; to the row below where they are the upper lines of a head. */
export function joinWrappedRows(rows: readonly PrintedRow[]): PrintedRow[] {
  const joined: PrintedRow[] = []
  for (const [index, row] of rows.entries()) {
    const above = joined.at(-1)
    if (above !== undefined && isCloser(rows, index, joined) && (goesOn(above, row) || isHead(above, row)))
      joined[joined.length - 1] = oneRow(above, row)
    else joined.push(row)
  }
  return joined
}

/** Whether a row is nearer to the one above than that to the one further up, and the next row to this one. */
function isCloser(rows: readonly PrintedRow[], index: number, joined: readonly PrintedRow[]): boolean {
  const [above, row] = [joined.at(-1), rows[index]]
  const ahead = rows.slice(index + 1, index + MOST_LINES_AHEAD)
  const count = Math.max(above?.cells.length ?? 0, row?.cells.length ?? 0)
  const next = ahead.findIndex(({ cells }) => cells.length === 0 || cells.length >= count)
  const last = next > 0 ? ahead[next - 1] : row
  const gap = gapBetween(above, row)
  const others = [gapBetween(joined.at(-2), above), gapBetween(last, ahead[next])]
  const known = others.flatMap((other) => other ?? [])
  return (
    gap !== null && gap <= WIDEST_PITCH && known.length > 0 && known.every((other) => other >= gap * ALIKE)
  )
}

/** The upper lines of names of columns, whose last lines are `row`. */
const isHead = (above: PrintedRow, row: PrintedRow): boolean =>
  goesOn(row, above) && !hasFigure(row) && !overlapsFirst(above, row)

const overlapsFirst = ({ cells: [above, second] }: PrintedRow, { cells: [first] }: PrintedRow): boolean =>
  second === undefined && above !== undefined && first !== undefined && overlaps(above, first)

const hasFigure = ({ cells }: PrintedRow): boolean => cells.some(({ text }) => HAS_FIGURE.test(text))

/** Every cell of `part`, the row with fewer cells, stands above or below one of `whole`. */
function goesOn(whole: PrintedRow, part: PrintedRow): boolean {
  const { cells } = part
  if (whole.cells.length < 2 || cells.length === 0 || cells.length >= whole.cells.length) return false
  if (hasFigure(part) || part.lines[0]?.height !== whole.lines[0]?.height) return false
  const own = cells.map((cell) => whole.cells.filter((other) => overlaps(cell, other)))
  return own.every(({ length }) => length === 1) && new Set(own.flat()).size === cells.length
}

const overlaps = (one: RowCell, other: RowCell): boolean => one.x < other.right && one.right > other.x

/** Cells above one another are one. */
function oneRow(above: PrintedRow, row: PrintedRow): PrintedRow {
  const below = row.cells.map(({ parts }) =>
    cellOf(parts.map((part): CellPart => ({ ...part, line: part.line + above.lines.length }))),
  )
  const cells = above.cells.map((cell) => {
    const rest = below.find((other) => overlaps(cell, other))
    return rest === undefined ? cell : cellOf([...cell.parts, ...rest.parts])
  })
  const alone = below.filter((cell) => !above.cells.some((other) => overlaps(cell, other)))
  return {
    lines: [...above.lines, ...row.lines],
    cells: [...cells, ...alone].toSorted((left, right) => left.x - right.x),
    top: above.top,
    bottom: row.bottom,
    isProven: above.isProven || row.isProven,
  }
}

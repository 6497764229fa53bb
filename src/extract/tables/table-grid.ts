// Where the cells of a table stand once cells that span rows and columns have taken their places.
// HTML standard §4.9.12.1, "forming a table"; the same for tables of office documents.

export interface GridCell {
  readonly columnSpan: number
  /** 0 spans to the end of the group, as in HTML. */
  readonly rowSpan: number
  readonly isHeader: boolean
  /** What the header is for; null where the table does not say. */
  readonly scope: 'row' | 'column' | null
  /** White space collapsed, '' for an empty cell. */
  readonly text: string
  /** Whether all of it is set in bold. */
  readonly isBold: boolean
}

export interface GridRow<Cell extends GridCell> {
  /** Cells do not reach beyond the group of rows that they begin in. */
  readonly group: unknown
  /** The row stands in the table's head: all of its cells are headers. */
  readonly isHead: boolean
  readonly cells: readonly Cell[]
}

export interface PlacedCell<Cell extends GridCell = GridCell> {
  readonly cell: Cell
  readonly row: number
  readonly column: number
  readonly rowSpan: number
  readonly columnSpan: number
}

/** What a table is to a reader: its slots row by row, each with the cell that covers it, if any does. */
export interface TableGrid<Cell extends GridCell = GridCell> {
  readonly cells: readonly PlacedCell<Cell>[]
  readonly slots: readonly (readonly (PlacedCell<Cell> | undefined)[])[]
  readonly columns: number
}

const MOST_COLUMNS = 200
/** A page of a few bytes can ask for any number of them. */
const MOST_SLOTS = 200_000

/** Places every cell; those beyond 200 columns or 200,000 slots are left out. */
export function placeCells<Cell extends GridCell>(rows: readonly GridRow<Cell>[]): TableGrid<Cell> {
  const slots: (PlacedCell<Cell> | undefined)[][] = rows.map(() => [])
  const placed: PlacedCell<Cell>[] = []
  const ends = groupEnds(rows)
  let columns = 0
  let taken = 0
  for (const [row, { cells }] of rows.entries()) {
    const own = slots[row] ?? []
    let column = 0
    for (const cell of cells) {
      while (own[column] !== undefined) column++
      if (column >= MOST_COLUMNS || taken >= MOST_SLOTS) break
      const columnSpan = freeColumns(own, column, Math.min(cell.columnSpan, MOST_COLUMNS - column))
      const rowsLeft = (ends[row] ?? row + 1) - row
      const rowSpan = cell.rowSpan === 0 ? rowsLeft : Math.min(cell.rowSpan, rowsLeft)
      const at = { cell, row, column, rowSpan, columnSpan }
      placed.push(at)
      taken += cover(slots, at, MOST_SLOTS - taken)
      column += columnSpan
      columns = Math.max(columns, column)
    }
  }
  return { cells: placed, slots, columns }
}

/** For each row, the first row behind its group. */
function groupEnds(rows: readonly GridRow<GridCell>[]): number[] {
  const ends: number[] = []
  let end = rows.length
  for (let row = rows.length - 1; row >= 0; row--) {
    if (rows[row]?.group !== rows[row + 1]?.group) end = row + 1
    ends[row] = end
  }
  return ends
}

/** How many of `wanted` columns from `column` on no cell from above has taken; at least one. */
function freeColumns(own: readonly unknown[], column: number, wanted: number): number {
  let free = 1
  while (free < wanted && own[column + free] === undefined) free++
  return free
}

function cover<Cell extends GridCell>(
  slots: (PlacedCell<Cell> | undefined)[][],
  at: PlacedCell<Cell>,
  most: number,
): number {
  let covered = 0
  for (let row = at.row; row < at.row + at.rowSpan && covered < most; row++) {
    const line = slots[row]
    if (line === undefined) break
    for (let column = at.column; column < at.column + at.columnSpan; column++) {
      line[column] ??= at
      covered++
    }
  }
  return covered
}

// Which header cells hold for which cells of a table: HTML standard §4.9.12.2, made to fit tables as pages write them.
// An empty cell at the corner takes nothing from the headers beside it, cells of a table's head are headers, and a
// table without any has those of its first row or column when these are set apart.
import { type Direction, type Directions, guessedDirections } from './guessed-headers.ts'
import { rowNamesOf } from './row-names.ts'
import type { GridCell, GridRow, PlacedCell, TableGrid } from './table-grid.ts'

export interface CellHeaders {
  readonly isHeader: boolean
  /** Outermost first; the cells that name the row where the table marks no header for it. */
  readonly rowHeaders: readonly string[]
  readonly columnHeaders: readonly string[]
}

const MOST_HEADERS = 8
const LONGEST_HEADER = 200
const NONE: readonly never[] = []

/** The headers of every cell of `grid`, which was placed from `rows`. */
export function resolveHeaders<Cell extends GridCell>(
  rows: readonly GridRow<Cell>[],
  grid: TableGrid<Cell>,
): ReadonlyMap<PlacedCell<Cell>, CellHeaders> {
  const directions = directionsOf(rows, grid)
  const above = headersAlong(grid, directions, 'column')
  const before = headersAlong(grid, directions, 'row')
  const namesOf = rowNamesOf(grid, (placed) => directions.get(placed) === 'column')
  return new Map(
    grid.cells.map((placed) => [
      placed,
      {
        isHeader: directions.has(placed),
        rowHeaders: textsOf(before.get(placed) ?? (directions.has(placed) ? undefined : namesOf(placed))),
        columnHeaders: textsOf(above.get(placed)),
      },
    ]),
  )
}

const textsOf = (headers: readonly PlacedCell[] | undefined): readonly string[] => {
  const texts = new Set((headers ?? NONE).map(({ cell }) => cell.text.slice(0, LONGEST_HEADER)))
  texts.delete('')
  return texts.size === 0 ? NONE : [...texts].slice(-MOST_HEADERS)
}

/** Which cells are headers, and of what. */
function directionsOf<Cell extends GridCell>(
  rows: readonly GridRow<Cell>[],
  grid: TableGrid<Cell>,
): Directions<Cell> {
  const parts = partNames(rows, grid)
  const isHeader = ({ cell, row }: PlacedCell<Cell>): boolean => cell.isHeader || (rows[row]?.isHead ?? false)
  const declared = grid.cells.filter((placed) => isHeader(placed) && !parts.has(placed))
  if (declared.length === 0) {
    const others = rowsOf(grid).map((row) => row.filter((placed) => !parts.has(placed)))
    const guessed = guessedDirections(
      others.filter((row) => row.length > 0),
      grid,
    )
    return new Map([...parts, ...guessed])
  }
  const headerRows = rows.map((row, index) => row.isHead || isRowOfHeaders(grid.slots[index] ?? []))
  const directions = declared.map((placed): [PlacedCell<Cell>, Direction] => [
    placed,
    placed.cell.scope ?? (headerRows[placed.row] === true ? 'column' : 'row'),
  ])
  return new Map([...parts, ...directions])
}

function rowsOf<Cell extends GridCell>({ cells, slots }: TableGrid<Cell>): PlacedCell<Cell>[][] {
  const rows: PlacedCell<Cell>[][] = slots.map(() => [])
  for (const placed of cells) rows[placed.row]?.push(placed)
  return rows
}

/** Longer ones tell something themselves. */
const LONGEST_PART_NAME = 80

/** Cells that reach over all columns name the part of the table below them. */
function partNames<Cell extends GridCell>(
  rows: readonly GridRow<Cell>[],
  { cells, slots, columns }: TableGrid<Cell>,
): Directions<Cell> {
  if (columns < 2) return new Map()
  const names = cells.filter(
    ({ cell: { text, isHeader }, columnSpan, row, rowSpan }) =>
      columnSpan === columns &&
      rowSpan === 1 &&
      text !== '' &&
      (isHeader || (text.length <= LONGEST_PART_NAME && !/[.:;]$/u.test(text))) &&
      row < slots.length - 1,
  )
  return names.length > rows.length / 2
    ? new Map()
    : new Map(names.map((placed) => [placed, 'column'] as const))
}

/** Nothing but headers, but for empty cells; cells that reach down from above do not count. */
function isRowOfHeaders(slots: readonly (PlacedCell | undefined)[]): boolean {
  const own = slots.filter((placed, column) => placed !== undefined && placed.column === column)
  return own.every((placed) => placed === undefined || placed.cell.isHeader || placed.cell.text === '')
}

/** Headers met on the way down a column or along a row. */
interface Line {
  /** Those that hold for what comes next. */
  holding: readonly PlacedCell[]
  /** The block of headers being walked through: what follows it is theirs. */
  block: PlacedCell[]
}

/**
 * Walks every column down, or every row along. A block of headers takes the place of earlier ones that cover the same
 * columns; wider ones above keep holding. The standard walks back from each cell, which takes time by the square of a
 * table's length.
 */
function headersAlong<Cell extends GridCell>(
  { slots, columns }: TableGrid<Cell>,
  directions: Directions<Cell>,
  direction: Direction,
): ReadonlyMap<PlacedCell<Cell>, readonly PlacedCell[]> {
  const found = new Map<PlacedCell<Cell>, readonly PlacedCell[]>()
  const isDown = direction === 'column'
  const [lines, steps] = isDown ? [columns, slots.length] : [slots.length, columns]
  for (let number = 0; number < lines; number++) {
    const line: Line = { holding: NONE, block: [] }
    let last: PlacedCell<Cell> | undefined
    for (let step = 0; step < steps; step++) {
      const placed = isDown ? slots[step]?.[number] : slots[number]?.[step]
      if (placed === undefined || placed === last) continue
      last = placed
      const own = directions.get(placed)
      if (own !== direction && line.block.length > 0) endBlock(line, isDown)
      const known = found.get(placed)
      const holding = [...line.holding, ...line.block]
      if (holding.length > 0) found.set(placed, known === undefined ? holding : union(known, holding))
      if (own === direction && line.block.length < MOST_HEADERS) line.block.push(placed)
    }
  }
  return found
}

const union = (known: readonly PlacedCell[], more: readonly PlacedCell[]): readonly PlacedCell[] =>
  known.length >= MOST_HEADERS ? known : [...new Set([...known, ...more])]

function endBlock(line: Line, isDown: boolean): void {
  const { holding, block } = line
  const kept = holding.filter((old) => !block.some((header) => coversSame(old, header, isDown)))
  line.holding = [...kept, ...block].slice(-MOST_HEADERS)
  line.block = []
}

const coversSame = (one: PlacedCell, other: PlacedCell, isDown: boolean): boolean =>
  isDown
    ? one.column === other.column && one.columnSpan === other.columnSpan
    : one.row === other.row && one.rowSpan === other.rowSpan

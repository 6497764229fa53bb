// Which header cells hold for which cells of a table: HTML standard §4.9.12.2, made to fit tables as pages write them.
// An empty cell at the corner takes nothing from the headers beside it, cells of a table's head are headers, and a
// table without any has those of its first row or column when these are set apart.
import type { GridCell, GridRow, PlacedCell, TableGrid } from './table-grid.ts'

export interface CellHeaders {
  readonly isHeader: boolean
  /** Outermost first. */
  readonly rowHeaders: readonly string[]
  readonly columnHeaders: readonly string[]
}

/** What a header is for. */
type Direction = 'row' | 'column'
type Directions<Cell extends GridCell> = ReadonlyMap<PlacedCell<Cell>, Direction>

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
  return new Map(
    grid.cells.map((placed) => [
      placed,
      {
        isHeader: directions.has(placed),
        rowHeaders: textsOf(before.get(placed)),
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
  const isHeader = ({ cell, row }: PlacedCell<Cell>): boolean => cell.isHeader || (rows[row]?.isHead ?? false)
  const declared = grid.cells.filter(isHeader)
  if (declared.length === 0) return guessedDirections(grid)
  const headerRows = rows.map((row, index) => row.isHead || isRowOfHeaders(grid.slots[index] ?? []))
  return new Map(
    declared.map((placed) => [
      placed,
      placed.cell.scope ?? (headerRows[placed.row] === true ? 'column' : 'row'),
    ]),
  )
}

/** Nothing but headers, but for empty cells; cells that reach down from above do not count. */
function isRowOfHeaders(slots: readonly (PlacedCell | undefined)[]): boolean {
  const own = slots.filter((placed, column) => placed !== undefined && placed.column === column)
  return own.every((placed) => placed === undefined || placed.cell.isHeader || placed.cell.text === '')
}

const LEAST_ROWS = 3
const LONGEST_GUESSED = 60
const HAS_DIGIT = /\d/u
/** Share of a column's cells that hold digits where its first cell, which holds none, must be its name. */
const FIGURES_SHARE = 0.7

/** Of a table that names no header: a first row or column that is set in bold, or that stands above figures. */
function guessedDirections<Cell extends GridCell>({
  cells,
  slots,
  columns,
}: TableGrid<Cell>): Directions<Cell> {
  if (columns < 2 || slots.length < 2) return new Map()
  const firstRow = cells.filter(({ row }) => row === 0)
  const firstColumn = cells.filter(({ column }) => column === 0)
  const rest = cells.filter(({ row, column }) => row > 0 && column > 0)
  const isRow =
    isBoldAmong(
      firstRow,
      cells.filter(({ row }) => row > 0),
    ) ||
    (slots.length >= LEAST_ROWS && namesFigures(firstRow, rest))
  const isColumn = isBoldAmong(
    firstColumn.filter(({ row }) => row > 0 || !isRow),
    rest,
  )
  const rowHeaders = isColumn ? firstColumn.map((placed) => [placed, 'row'] as const) : []
  return new Map([...rowHeaders, ...(isRow ? firstRow.map((placed) => [placed, 'column'] as const) : [])])
}

/** Every cell of the line is bold where it has text, and hardly any other is. */
function isBoldAmong(line: readonly PlacedCell[], others: readonly PlacedCell[]): boolean {
  const withText = line.filter(({ cell }) => cell.text !== '')
  if (withText.length === 0 || !withText.every(({ cell }) => cell.isBold)) return false
  const filled = others.filter(({ cell }) => cell.text !== '')
  return filled.length > 0 && filled.filter(({ cell }) => cell.isBold).length < filled.length / 3
}

const isName = ({ cell: { text } }: PlacedCell): boolean =>
  text.length <= LONGEST_GUESSED && !HAS_DIGIT.test(text)

function namesFigures(line: readonly PlacedCell[], below: readonly PlacedCell[]): boolean {
  if (line.length < 2 || !line.every(isName)) return false
  if (!line.slice(1).every(({ cell }) => cell.text !== '')) return false
  const figures = below.filter(({ cell }) => HAS_DIGIT.test(cell.text)).length
  return below.length > 0 && figures >= below.length * FIGURES_SHARE
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

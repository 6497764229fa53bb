// Which cells name the rows of a table that marks no headers for them: its first column, as readers take it.
import type { GridCell, PlacedCell, TableGrid } from './table-grid.ts'

/** Longer cells tell something themselves. */
const LONGEST_NAME = 100
/** Share of the cells of a column that must have a property for the column to have it. */
const MOST = 0.6
const HAS_DIGIT = /\d/u
const HAS_LETTER = /\p{L}/u
const SAYS_SOMETHING = /[\p{L}\p{N}]/u
const LEAST_ROWS = 2

/** Tells of a placed cell the cells left of it that name its row, outermost first. */
export type RowNames<Cell extends GridCell> = (placed: PlacedCell<Cell>) => readonly PlacedCell<Cell>[]

const NONE: readonly never[] = []

/**
 * Of `grid`, of which `isHeader` tells the headers. Nothing is named where more than two columns without headers hold no
 * figures: such a table may be a list that was set in columns.
 */
export function rowNamesOf<Cell extends GridCell>(
  grid: TableGrid<Cell>,
  isHeader: (placed: PlacedCell<Cell>) => boolean,
): RowNames<Cell> {
  const body = grid.slots.filter((slots) => slots.some((placed) => placed !== undefined && !isHeader(placed)))
  const starts = startsOf(grid, isHeader)
  const depth = depthOf(body, grid.columns)
  const isHeaded = body.length < grid.slots.length
  const isTable = isHeaded || grid.columns === 2 || holdsFigures(body, depth)
  if (depth === 0 || body.length < LEAST_ROWS || !isTable) return () => NONE
  return (placed) => {
    const start = starts.findLast((column) => column <= placed.column)
    if (start === undefined) return NONE
    const names = new Set<PlacedCell<Cell>>()
    for (let row = placed.row; row < placed.row + placed.rowSpan; row++)
      for (let column = start; column < Math.min(start + depth, placed.column); column++) {
        const name = grid.slots[row]?.[column]
        if (name !== undefined && name !== placed && !isHeader(name)) names.add(name)
      }
    return [...names]
  }
}

/** The columns that begin a table: the first, and those with the same header where one is set beside itself. */
function startsOf<Cell extends GridCell>(
  { slots, columns }: TableGrid<Cell>,
  isHeader: (placed: PlacedCell<Cell>) => boolean,
): number[] {
  const headers = slots.find((row) => row.every((placed) => placed !== undefined && isHeader(placed))) ?? []
  const name = headers[0]?.cell.text ?? ''
  const starts = [0]
  if (name === '') return starts
  for (let column = 2; column < columns; column++)
    if (headers[column]?.cell.text === name && headers[column]?.column === column) starts.push(column)
  return starts
}

type Slots<Cell extends GridCell> = readonly (PlacedCell<Cell> | undefined)[]

/** How many columns name a row: none, the first, or the second too where the first groups rows or numbers them. */
function depthOf<Cell extends GridCell>(body: readonly Slots<Cell>[], columns: number): number {
  const [first, second] = [0, 1].map((column) => body.map((slots) => slots[column]))
  if (first === undefined || second === undefined || !isMost(first, isNamed)) return 0
  if (columns < 3 || !isMost(second, isNamed)) return 1
  const texts = first.map((placed) => placed?.cell.text ?? '')
  const isGrouping = new Set(texts).size < texts.length && isMost(second, beginsWithLetter)
  const isNumbering = isMost(first, ({ cell }) => !HAS_LETTER.test(cell.text)) && isMost(second, isWord)
  return isGrouping || isNumbering ? 2 : 1
}

/** Whether the cells that are no names hold figures. */
function holdsFigures<Cell extends GridCell>(body: readonly Slots<Cell>[], depth: number): boolean {
  const values = body.flatMap((slots) => slots.slice(depth))
  return isMost(values, ({ cell }) => HAS_DIGIT.test(cell.text))
}

const isNamed = ({ cell: { text } }: PlacedCell): boolean =>
  SAYS_SOMETHING.test(text) && text.length <= LONGEST_NAME
const beginsWithLetter = ({ cell: { text } }: PlacedCell): boolean => /^\p{P}?\p{L}/u.test(text)
const isWord = ({ cell: { text } }: PlacedCell): boolean => HAS_LETTER.test(text) && !HAS_DIGIT.test(text)

function isMost<Cell extends GridCell>(
  slots: Slots<Cell>,
  holds: (placed: PlacedCell<Cell>) => boolean,
): boolean {
  return slots.filter((placed) => placed !== undefined && holds(placed)).length >= slots.length * MOST
}

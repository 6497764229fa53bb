// Headers of tables that do not name any: a first row or column that is set apart by its type or by what stands in it.
import type { GridCell, PlacedCell, TableGrid } from './table-grid.ts'

/** What a header is for. */
export type Direction = 'row' | 'column'
export type Directions<Cell extends GridCell> = ReadonlyMap<PlacedCell<Cell>, Direction>
type Row<Cell extends GridCell> = readonly PlacedCell<Cell>[]

const LONGEST_GUESSED = 60
const HAS_DIGIT = /\d/u
/** Share of a column's cells that hold digits where its first cell, which holds none, must be its name. */
const FIGURES_SHARE = 0.7
/** Fewer rows below a header do not show what it is set apart from. */
const LEAST_BODY_ROWS = 2
/** Two columns are pairs of a name and a value, and the first of them is one of many. */
const LEAST_COLUMNS = 3
/** Share of a row's cells of another shape than all cells below them. */
const SHAPED_SHARE = 0.6
/** Share of the cells below that are of one shape. */
const ALIKE_SHARE = 0.8

/** Of `rows`, the cells of a grid row by row without those that span all of it, which cells are headers of what. */
export function guessedDirections<Cell extends GridCell>(
  rows: readonly Row<Cell>[],
  { columns }: TableGrid<Cell>,
): Directions<Cell> {
  if (columns < 2 || rows.length < 2) return new Map()
  const boldRows = boldRowsOf(rows)
  const headerRows = boldRows > 0 ? boldRows : isHeaderOfFigures(rows, columns) ? 1 : 0
  const body = rows.slice(headerRows).flat()
  const firstColumn = body.filter(({ column }) => column === 0)
  const isColumn = isBoldAmong(
    firstColumn,
    body.filter(({ column }) => column > 0),
  )
  const rowHeaders = isColumn ? firstColumn.map((placed) => [placed, 'row'] as const) : []
  const columnHeaders = rows.slice(0, headerRows).flat()
  return new Map([...rowHeaders, ...columnHeaders.map((placed) => [placed, 'column'] as const)])
}

/** How many rows at the top are bold while hardly anything below them is, but for the first column. */
function boldRowsOf<Cell extends GridCell>(rows: readonly Row<Cell>[]): number {
  let bold = 0
  while (bold < rows.length && isBold(rows[bold] ?? [])) bold++
  const below = rows.slice(bold).flat()
  return isBoldAmong(
    rows.slice(0, bold).flat(),
    below.filter(({ column }) => column > 0),
  )
    ? bold
    : 0
}

const filledOf = <Cell extends GridCell>(cells: Row<Cell>): Row<Cell> =>
  cells.filter(({ cell }) => cell.text !== '')

function isBold(cells: Row<GridCell>): boolean {
  const filled = filledOf(cells)
  return filled.length > 0 && filled.every(({ cell }) => cell.isBold)
}

/** Every cell of the line is bold where it has text, and hardly any other is. */
function isBoldAmong(line: Row<GridCell>, others: Row<GridCell>): boolean {
  const filled = filledOf(others)
  return (
    isBold(line) && filled.length > 0 && filled.filter(({ cell }) => cell.isBold).length < filled.length / 3
  )
}

function isHeaderOfFigures(rows: readonly Row<GridCell>[], columns: number): boolean {
  const [first = [], ...below] = rows
  if (columns < LEAST_COLUMNS || below.length < LEAST_BODY_ROWS) return false
  const cells = below.flat().filter(({ column }) => column > 0)
  return namesFigures(first, cells) || isShapedApart(first, cells, columns)
}

const isName = ({ cell: { text } }: PlacedCell): boolean =>
  text.length <= LONGEST_GUESSED && !HAS_DIGIT.test(text)

function namesFigures(line: Row<GridCell>, below: Row<GridCell>): boolean {
  if (line.length < 2 || !line.every(isName)) return false
  if (!line.slice(1).every(({ cell }) => cell.text !== '')) return false
  const figures = below.filter(({ cell }) => HAS_DIGIT.test(cell.text)).length
  return below.length > 0 && figures >= below.length * FIGURES_SHARE
}

/** "f/5.6" and "f/16" are alike, "200" above them is not. */
const shapeOf = (text: string): string =>
  text
    .replace(/\p{L}+/gu, 'a')
    .replace(/\d+(?:[.,\s]\d+)*/gu, '9')
    .replace(/a(?: a)+/gu, 'a')

/** Most cells of the line differ in shape from what stands below them, which is alike. */
function isShapedApart(line: Row<GridCell>, below: Row<GridCell>, columns: number): boolean {
  const apart = line.filter((header) => {
    const { column, cell } = header
    if (column === 0 || cell.text === '' || cell.text.length > LONGEST_GUESSED) return false
    const shapes = filledOf(below.filter((placed) => placed.column === column)).map((placed) =>
      shapeOf(placed.cell.text),
    )
    const shape = shapes[0]
    if (shape === undefined || shapes.length < LEAST_BODY_ROWS || shape === shapeOf(cell.text)) return false
    return (
      HAS_DIGIT.test(shape) && shapes.filter((other) => other === shape).length >= shapes.length * ALIKE_SHARE
    )
  })
  return apart.length > 0 && apart.length >= (columns - 1) * SHAPED_SHARE
}

// The cells that a run of text holds, with their places and headers in the table they belong to.
import type { Block, TableCell } from '../document.ts'
import type { HtmlElement } from '../html/element-tree.ts'
import type { StructureMarks } from '../html/structure-marks.ts'
import { type CellMark, isData, type TableMark } from '../html/table-marks.ts'
import type { HtmlRun } from '../html/text-runs.ts'
import { resolveHeaders } from '../tables/header-cells.ts'
import { type GridCell, type GridRow, placeCells, type PlacedCell } from '../tables/table-grid.ts'

type MarkedCell = GridCell & { readonly element: HtmlElement }
interface KnownCell {
  readonly table: number
  readonly place: Omit<TableCell, 'start' | 'end'>
}

/** Of a longer cell a header would not be read as one. */
const LONGEST_TEXT = 400

/**
 * Returns a function that tells the cells of each run of the page that begins at `start` in the page's text; undefined
 * for one outside of tables or in a mere layout: a table that says so, holds another table, or has one column only.
 */
export function createCellReader(
  runs: readonly HtmlRun[],
  marks: StructureMarks,
): (run: HtmlRun, start: number) => Block['table'] {
  const texts = textsOfCells(runs)
  const cells = new Map<HtmlElement, KnownCell>()
  let number = 0
  for (const table of marks.tables.values())
    if (isData(table) && resolveTable(table, number, texts, cells)) number++

  return ({ cellParts }, start) => {
    const found: TableCell[] = []
    let own: number | undefined
    for (const { owner, start: from, end } of cellParts) {
      const known = cells.get(owner)
      if (known === undefined || (own !== undefined && known.table !== own)) continue
      own = known.table
      found.push({ ...known.place, start: start + from, end: start + end })
    }
    return own === undefined ? undefined : { number: own, cells: found }
  }
}

function textsOfCells(runs: readonly HtmlRun[]): ReadonlyMap<HtmlElement, string> {
  const texts = new Map<HtmlElement, string>()
  for (const { text, cellParts } of runs) {
    for (const { owner, start, end } of cellParts) {
      const before = texts.get(owner)
      if (before !== undefined && before.length >= LONGEST_TEXT) continue
      const own = text
        .slice(start, Math.min(end, start + LONGEST_TEXT))
        .replace(/\s+/gu, ' ')
        .trim()
      texts.set(owner, before === undefined ? own : `${before} ${own}`)
    }
  }
  return texts
}

function resolveTable(
  { rows }: TableMark,
  number: number,
  texts: ReadonlyMap<HtmlElement, string>,
  cells: Map<HtmlElement, KnownCell>,
): boolean {
  const filled = rows.map((row): GridRow<MarkedCell> => ({ ...row, cells: row.cells.map(withText) }))
  const grid = placeCells(filled)
  if (grid.columns < 2) return false
  for (const [placed, headers] of resolveHeaders(filled, grid))
    cells.set(placed.cell.element, { table: number, place: { ...placeOf(placed), ...headers } })
  return true

  function withText(mark: CellMark): MarkedCell {
    return { ...mark, text: texts.get(mark.element) ?? '' }
  }
}

const placeOf = ({ row, column, rowSpan, columnSpan }: PlacedCell): Omit<PlacedCell, 'cell'> => ({
  row,
  column,
  rowSpan,
  columnSpan,
})

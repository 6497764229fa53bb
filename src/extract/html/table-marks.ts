// The tables of a page as the markup has them: rows, and cells with their spans. Gathered while the parser runs.
import type { GridCell } from '../tables/table-grid.ts'
import type { HtmlElement } from './element-tree.ts'
import { type TagAttributes, wholeNumber } from './tag-attributes.ts'

/** What a `<td>` or `<th>` says of itself; its text is known when the page is read. */
export type CellMark = Omit<GridCell, 'text' | 'isBold'> & {
  readonly element: HtmlElement
  isBold: boolean
}

export interface RowMark {
  readonly group: HtmlElement | null
  readonly isHead: boolean
  readonly cells: CellMark[]
}

export interface TableMark {
  readonly rows: RowMark[]
  /** It is said to be, or is, no table to a reader but a means of layout. */
  isLayout: boolean
}

/** More than any page shows; what goes beyond is text without a table. */
const MOST_CELLS = 50_000
const LAYOUT_ROLE = new Set(['presentation', 'none'])
/** Far enough to leave the elements that a cell is dressed with. */
const CELL_DISTANCE = 3

/** Gathers the tables of one page. */
export function createTableMarks() {
  const tables = new Map<HtmlElement, TableMark>()
  const rows = new Map<HtmlElement, RowMark>()
  const cells = new Map<HtmlElement, CellMark>()

  function openTable(element: HtmlElement, { role = '' }: TagAttributes): void {
    tables.set(element, { rows: [], isLayout: LAYOUT_ROLE.has(role) })
    const around = element.parent === null ? null : tableAround(element.parent)
    const outer = around === null ? undefined : tables.get(around)
    if (outer !== undefined) outer.isLayout = true
  }

  function openRow(element: HtmlElement): void {
    const around = tableAround(element)
    const table = around === null ? undefined : tables.get(around)
    if (table === undefined) return
    const row = { group: element.parent, isHead: element.parent?.name === 'thead', cells: [] }
    table.rows.push(row)
    rows.set(element, row)
  }

  function openCell(element: HtmlElement, { colspan, rowspan, scope }: TagAttributes): void {
    const row = element.parent === null ? undefined : rows.get(element.parent)
    if (row === undefined || cells.size >= MOST_CELLS) return
    const cell: CellMark = {
      element,
      columnSpan: Math.max(1, wholeNumber(colspan) ?? 1),
      rowSpan: Math.max(0, wholeNumber(rowspan) ?? 1),
      isHeader: element.name === 'th',
      scope: scopeOf(scope),
      isBold: false,
    }
    row.cells.push(cell)
    cells.set(element, cell)
  }

  function openBold(element: HtmlElement): void {
    let at = element.parent
    for (let steps = 0; at !== null && steps < CELL_DISTANCE; steps++, at = at.parent) {
      const cell = cells.get(at)
      if (cell === undefined) continue
      cell.isBold = true
      return
    }
  }

  return {
    tables: tables as ReadonlyMap<HtmlElement, TableMark>,

    /** Takes note of an element that opens. */
    open(element: HtmlElement, attributes: TagAttributes): void {
      const { name } = element
      if (name === 'td' || name === 'th') openCell(element, attributes)
      else if (name === 'tr') openRow(element)
      else if (name === 'table') openTable(element, attributes)
      else if (name === 'b' || name === 'strong') openBold(element)
    },
  }
}

function tableAround(element: HtmlElement): HtmlElement | null {
  let at: HtmlElement | null = element
  while (at !== null && at.name !== 'table') at = at.parent
  return at
}

const scopeOf = (scope: string | undefined): CellMark['scope'] => {
  if (scope === undefined) return null
  if (/^col/iu.test(scope)) return 'column'
  return /^row/iu.test(scope) ? 'row' : null
}

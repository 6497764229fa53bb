// The tables of a page as the markup has them: rows, and cells with their spans. Gathered while the parser runs.
import type { GridCell } from '../tables/table-grid.ts'
import type { HtmlElement } from './element-tree.ts'
import { createTableRoles, isGrid, isHeaderRole, type TablePart } from './table-roles.ts'
import { type TagAttributes, wholeNumber } from './tag-attributes.ts'

/** What a cell says of itself; its text is known when the page is read. */
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
  /** A grid by its role that has named no column or row yet; one that never does is layout. */
  isUnnamed: boolean
}

export const isData = ({ isLayout, isUnnamed }: TableMark): boolean => !isLayout && !isUnnamed

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
  const roles = createTableRoles()

  const tableAround = (element: HtmlElement | null): TableMark | undefined => nearestOf(tables, element)

  function isInLayout(element: HtmlElement | null): boolean {
    const table = tableAround(element)
    return table !== undefined && !isData(table)
  }

  function openTable(element: HtmlElement, role: string | undefined, isUnnamed: boolean): void {
    const outer = tableAround(element.parent)
    tables.set(element, { rows: [], isLayout: LAYOUT_ROLE.has(role ?? ''), isUnnamed })
    if (outer !== undefined) outer.isLayout = true
  }

  function openRow(element: HtmlElement, group: HtmlElement | null): void {
    const table = tableAround(element)
    if (table === undefined) return
    const row = { group, isHead: group?.name === 'thead', cells: [] }
    table.rows.push(row)
    rows.set(element, row)
  }

  function openCell(element: HtmlElement, around: HtmlElement | null, attributes: TagAttributes): void {
    const row = around === null ? undefined : rows.get(around)
    if (row === undefined || cells.size >= MOST_CELLS) return
    const cell = markOf(element, attributes)
    row.cells.push(cell)
    cells.set(element, cell)
  }

  function openPart(element: HtmlElement, { name, container }: TablePart, attributes: TagAttributes): void {
    if (name === 'table') openTable(element, attributes.role, isGrid(attributes.role))
    else if (name === 'tr') openRow(element, roles.groupOf(element, container))
    else if (container !== null) openCell(element, container, attributes)
    const table = name === 'th' ? tableAround(element) : undefined
    if (table !== undefined) table.isUnnamed = false
  }

  return {
    tables: tables as ReadonlyMap<HtmlElement, TableMark>,

    /** The name of an element, or of the one that it is by its role in a table that is no mere layout. */
    nameOf: (element: HtmlElement): string => {
      const part = roles.parts.get(element)
      return part === undefined || isInLayout(element) ? element.name : part.name
    },

    /**
     * What an element below `parent` is to a table by its role; null for most, and for a cell of what is, as far as
     * it has been read, layout.
     */
    partOf: (name: string, role: string | undefined, parent: HtmlElement): TablePart | null => {
      const part = roles.partOf(name, role, parent)
      return part?.name === 'td' && isInLayout(part.container) ? null : part
    },

    /** Takes note of an element that opens. */
    open(element: HtmlElement, attributes: TagAttributes): void {
      const { name, parent } = element
      const part = roles.open(element, attributes.role)
      if (part !== null) openPart(element, part, attributes)
      else if (name === 'td' || name === 'th') openCell(element, parent, attributes)
      else if (name === 'tr') openRow(element, parent)
      else if (name === 'table') openTable(element, attributes.role, false)
      else if (name === 'b' || name === 'strong') noteBold(element, cells)
    },
  }
}

/** What is known of the element itself, or of the nearest around it of which something is. */
function nearestOf<Mark>(
  marks: ReadonlyMap<HtmlElement, Mark>,
  element: HtmlElement | null,
): Mark | undefined {
  let at = element
  while (at !== null && !marks.has(at)) at = at.parent
  return at === null ? undefined : marks.get(at)
}

function noteBold(element: HtmlElement, cells: ReadonlyMap<HtmlElement, CellMark>): void {
  let at = element.parent
  for (let steps = 0; at !== null && steps < CELL_DISTANCE; steps++, at = at.parent) {
    const cell = cells.get(at)
    if (cell === undefined) continue
    cell.isBold = true
    return
  }
}

function markOf(element: HtmlElement, attributes: TagAttributes): CellMark {
  const { colspan = attributes['aria-colspan'], rowspan = attributes['aria-rowspan'] } = attributes
  const { scope = attributes.role } = attributes
  return {
    element,
    columnSpan: Math.max(1, wholeNumber(colspan) ?? 1),
    rowSpan: Math.max(0, wholeNumber(rowspan) ?? 1),
    isHeader: element.name === 'th' || isHeaderRole(attributes.role),
    scope: scopeOf(scope),
    isBold: false,
  }
}

/** "col", "colgroup" and "columnheader" say the same. */
const scopeOf = (scope: string | undefined): CellMark['scope'] => {
  if (scope === undefined) return null
  if (/^col/iu.test(scope)) return 'column'
  return /^row/iu.test(scope) ? 'row' : null
}

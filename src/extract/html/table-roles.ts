// What elements are to a table by their roles (WAI-ARIA 1.2): a <div> with the role of a row, in one with that of a table,
// is a row to who reads the page.
import { TRAIT } from './elements.ts'
import type { HtmlElement } from './element-tree.ts'

/** Of the element that is what a role makes of others. */
type TableElementName = 'table' | 'tbody' | 'tr' | 'td' | 'th'

export interface TablePart {
  readonly name: TableElementName
  /** The table of a row, the row of a cell; null for others. */
  readonly container: HtmlElement | null
}

interface KnownRole {
  readonly name: TableElementName
  /** What it must stand in. */
  readonly within: TableElementName | null
}

const ROLES: ReadonlyMap<string, KnownRole> = new Map<string, KnownRole>([
  ['table', { name: 'table', within: null }],
  ['grid', { name: 'table', within: null }],
  ['treegrid', { name: 'table', within: null }],
  ['rowgroup', { name: 'tbody', within: null }],
  ['row', { name: 'tr', within: 'table' }],
  ['cell', { name: 'td', within: 'tr' }],
  ['gridcell', { name: 'td', within: 'tr' }],
  ['columnheader', { name: 'th', within: 'tr' }],
  ['rowheader', { name: 'th', within: 'tr' }],
])
/** Roles are said of these, too, where styles have taken the table from them: they are what their names say. */
const TABLE_ELEMENTS: ReadonlySet<string> = new Set(
  'table caption colgroup thead tbody tfoot tr td th'.split(' '),
)
const PARTS: ReadonlySet<string> = new Set(['table', 'tr', 'td', 'th'])
/** Elements that mean nothing may stand between a part and what it is a part of. */
const CONTAINER_DISTANCE = 12

/** Grids lay out menus, cards and pictures as well: they are tables when they name their columns or rows. */
export const isGrid = (role: string | undefined): boolean => role === 'grid' || role === 'treegrid'

export const isHeaderRole = (role: string | undefined): boolean =>
  role === 'columnheader' || role === 'rowheader'

/** `traits` as what an element is by its role makes them: a cell begins no line, any other part does. */
export function traitsInTable(traits: number, part: TablePart | null): number {
  if (part === null) return traits
  return part.name === 'td' || part.name === 'th' ? (traits & TRAIT.boxes) | TRAIT.cell : traits | TRAIT.block
}

/** Follows the elements of one page. */
export function createTableRoles() {
  const parts = new Map<HtmlElement, TablePart>()
  const nameOf = (element: HtmlElement): string => parts.get(element)?.name ?? element.name

  /** The nearest part of a table around, `element` with it, if it is what is wanted. */
  function containerOf(element: HtmlElement, wanted: TableElementName): HtmlElement | null {
    let at: HtmlElement | null = element
    for (let steps = 0; at !== null && steps < CONTAINER_DISTANCE; steps++, at = at.parent) {
      const name = nameOf(at)
      if (PARTS.has(name)) return name === wanted ? at : null
    }
    return null
  }

  /** What an element below `parent` is by its role; null for one that is none, or is one by its name. */
  function partOf(name: string, role: string | undefined, parent: HtmlElement): TablePart | null {
    const known = role === undefined || TABLE_ELEMENTS.has(name) ? undefined : ROLES.get(role)
    if (known === undefined) return null
    if (known.within === null) return { name: known.name, container: null }
    const container = containerOf(parent, known.within)
    return container === null ? null : { name: known.name, container }
  }

  /** The group of rows that a row of `table` stands in, the table itself where there is none. */
  function groupOf(row: HtmlElement, table: HtmlElement | null): HtmlElement | null {
    let at = row.parent
    while (at !== null && at !== table && parts.get(at)?.name !== 'tbody') at = at.parent
    return at
  }

  return {
    groupOf,
    parts: parts as ReadonlyMap<HtmlElement, TablePart>,
    partOf,

    /** Takes note of an element that opens. */
    open(element: HtmlElement, role: string | undefined): TablePart | null {
      const part =
        role === undefined || element.parent === null ? null : partOf(element.name, role, element.parent)
      if (part !== null) parts.set(element, part)
      return part
    },
  }
}

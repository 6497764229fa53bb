// Where a run of text stands in the page: what kind of block it is, the headings above it, the header of its table.
import type { BlockKind } from '../document.ts'
import type { HtmlRun } from '../html/text-runs.ts'
import { type HtmlElement, isInside } from '../html/element-tree.ts'
import { headingLevel } from '../html/elements.ts'

/** The level of a `<summary>`: below every heading. */
const SUMMARY_LEVEL = 7
const LONGEST_HEADING = 200
/** Headings in these say nothing about what follows the element. */
const HEADING_SCOPES: ReadonlySet<string> = new Set([
  'details',
  'article',
  'aside',
  'nav',
  'footer',
  'dialog',
])

const KIND_BY_ELEMENT: ReadonlyMap<string, BlockKind> = new Map([
  ['pre', 'code'],
  ['li', 'list'],
  ['dt', 'definition'],
  ['dd', 'definition'],
  ['blockquote', 'quote'],
  ['q', 'quote'],
  ['figcaption', 'caption'],
  ['caption', 'caption'],
])
const NO_KIND_ABOVE: ReadonlySet<string> = new Set(['article', 'section', 'main', 'body', 'table'])

interface OpenHeading {
  level: number
  text: string
  scope: HtmlElement | null
}

/** Returns a function that tells kind and headings of each run. Runs must be given in the order of the page. */
export function createOutline() {
  let open: OpenHeading[] = []
  let headings: readonly string[] = []
  const tableHeaders = new Map<HtmlElement, readonly string[]>()

  function openHeading(run: HtmlRun, level: number): void {
    open = open.filter((heading) => heading.level < level)
    headings = open.map(({ text }) => text)
    open.push({
      level,
      text: run.text.replace(/\s+/g, ' ').slice(0, LONGEST_HEADING),
      scope: scopeOf(run.element, level),
    })
  }

  function closeHeadings(element: HtmlElement): void {
    if (open.every(({ scope }) => scope === null || isInside(element, scope))) return
    open = open.filter(({ scope }) => scope === null || isInside(element, scope))
    headings = open.map(({ text }) => text)
  }

  return (run: HtmlRun): { kind: BlockKind; headings: readonly string[] } => {
    closeHeadings(run.element)
    const level = levelOf(run.element)
    if (level > 0) {
      openHeading(run, level)
      const above = headings
      headings = open.map(({ text }) => text)
      return { kind: 'heading', headings: above }
    }
    const row = rowOf(run.element)
    if (row !== null) return { kind: 'table', headings: headingsInTable(run, row, headings, tableHeaders) }
    return { kind: kindOf(run.element, run.preformatted), headings }
  }
}

function levelOf(element: HtmlElement): number {
  for (let at: HtmlElement | null = element; at !== null; at = at.parent) {
    const level = at.name === 'summary' ? SUMMARY_LEVEL : headingLevel(at.name)
    if (level > 0) return level
    if (NO_KIND_ABOVE.has(at.name) || KIND_BY_ELEMENT.has(at.name)) return 0
  }
  return 0
}

/** The element outside which a heading no longer holds; a page's h1 holds to the end. */
function scopeOf(element: HtmlElement, level: number): HtmlElement | null {
  if (level === 1) return null
  let at = element.parent
  while (at !== null && !HEADING_SCOPES.has(at.name)) at = at.parent
  return at
}

/** The row a run belongs to when it is one of several cells; a table of one column is layout. */
function rowOf(element: HtmlElement): HtmlElement | null {
  let at: HtmlElement | null = element
  while (at !== null && at.name !== 'tr') {
    if (at.name === 'table' || at.name === 'body') return null
    at = at.parent
  }
  return at !== null && at.cells > 1 ? at : null
}

function headingsInTable(
  run: HtmlRun,
  row: HtmlElement,
  above: readonly string[],
  headers: Map<HtmlElement, readonly string[]>,
): readonly string[] {
  let table: HtmlElement = row
  while (table.name !== 'table' && table.parent !== null) table = table.parent
  const known = headers.get(table)
  if (known !== undefined) return known
  const isHeader = row.headerCells === row.cells || row.parent?.name === 'thead'
  const headings = isHeader ? [...above, run.text.replace(/\s+/g, ' ').slice(0, LONGEST_HEADING)] : above
  headers.set(table, headings)
  return headings
}

function kindOf(element: HtmlElement, preformatted: boolean): BlockKind {
  if (preformatted) return 'code'
  for (let at: HtmlElement | null = element; at !== null; at = at.parent) {
    const kind = KIND_BY_ELEMENT.get(at.name)
    if (kind !== undefined) return kind
    if (NO_KIND_ABOVE.has(at.name)) break
  }
  return 'paragraph'
}

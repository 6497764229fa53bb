// A page as plain HTML, derived from its blocks: structure and words alone, no scripts, styles or images.
import type { Element, ElementContent, Properties, RootContent } from 'hast'
import { toHtml as writeHtml } from 'hast-util-to-html'
import type { PageText } from '../document.ts'
import type { Inline } from './inline-text.ts'
import { markdownToHast } from './markdown-to-hast.ts'
import { type ListNode, type PageNode, type TreeOptions, treeOf } from './page-tree.ts'
import { type DenseCell, denseTable, type TableNode } from './table-node.ts'

/** Headings, nested lists, tables with their spans, quotations, code with its language, links with absolute addresses. */
export function toHtml(page: PageText, options: TreeOptions): string {
  return writeHtml(
    { type: 'root', children: lines(contentOf(page, options)) },
    { characterReferences: { useNamedReferences: true } },
  )
}

function contentOf(page: PageText, options: TreeOptions): RootContent[] {
  if (page.notation === 'markdown') return markdownToHast(page)
  if (page.notation === 'json') return [codeElement(page.text, 'json')]
  return elementsOf(treeOf(page, options))
}

/** Each on a line of its own. */
const lines = (nodes: readonly RootContent[]): RootContent[] =>
  nodes.flatMap((node): RootContent[] => [node, { type: 'text', value: '\n' }])

const element = (tagName: string, children: ElementContent[], properties: Properties = {}): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
})

/** Terms and definitions that follow one another are one list. */
function elementsOf(nodes: readonly PageNode[]): Element[] {
  const elements: Element[] = []
  for (const node of nodes) {
    const made = elementOf(node)
    const isEntry = made.tagName === 'dt' || made.tagName === 'dd'
    const last = elements.at(-1)
    if (isEntry && last?.tagName === 'dl') last.children.push(made)
    else elements.push(isEntry ? element('dl', [made]) : made)
  }
  return elements
}

const TAG_OF_TEXT = { paragraph: 'p', term: 'dt', definition: 'dd' } as const

function elementOf(node: PageNode): Element {
  if (node.kind === 'table') return tableElement(node)
  if (node.kind === 'list') return listElement(node)
  if (node.kind === 'code') return codeElement(node.text, node.language)
  if (node.kind === 'quote') return element('blockquote', elementsOf(node.children))
  const words = phrasing(node.inline)
  if (node.kind === 'heading') return element(`h${Math.min(6, Math.max(1, node.level))}`, words)
  if (node.kind === 'caption') return element('figure', [element('figcaption', words)])
  return element(TAG_OF_TEXT[node.kind], words)
}

const listElement = ({ start, items }: ListNode): Element =>
  element(
    start === null ? 'ul' : 'ol',
    items.map((item) => element('li', itemContent(item))),
    start === null || start === 1 ? {} : { start },
  )

/** A list with one paragraph an item is a tight one. */
function itemContent(item: readonly PageNode[]): ElementContent[] {
  const [first, ...others] = item
  const isTight = first?.kind === 'paragraph' && others.every(({ kind }) => kind !== 'paragraph')
  return isTight ? [...phrasing(first.inline), ...elementsOf(others)] : elementsOf(item)
}

const codeElement = (text: string, language: string | null): Element =>
  element('pre', [
    element(
      'code',
      [{ type: 'text', value: text }],
      language === null ? {} : { className: [`language-${language}`] },
    ),
  ])

function phrasing(inline: readonly Inline[]): ElementContent[] {
  return inline.map((piece): ElementContent => {
    if (piece.kind === 'text') return { type: 'text', value: piece.text }
    if (piece.kind === 'break') return element('br', [])
    return element('a', [{ type: 'text', value: piece.text }], { href: piece.url })
  })
}

function tableElement(node: TableNode): Element {
  const { rows, headerRows } = denseTable(node)
  const all = rows.map((row) => element('tr', cellsOf(row)))
  const head = all.slice(0, headerRows)
  const body = all.slice(headerRows)
  return element('table', [
    ...(head.length === 0 ? [] : [element('thead', head)]),
    ...(body.length === 0 ? [] : [element('tbody', body)]),
  ])
}

/** A slot that no cell covers is an empty cell: those behind it keep their columns. */
function cellsOf(row: readonly (DenseCell | undefined)[]): Element[] {
  const cells: Element[] = []
  let covered = 0
  for (let column = 0; column < row.length; column++) {
    const cell = row[column]
    if (cell === undefined) {
      if (column >= covered) cells.push(element('td', []))
      continue
    }
    covered = column + cell.columnSpan
    if (cell.isContinued) continue
    cells.push(
      element(cell.isHeader ? 'th' : 'td', phrasing(cell.inline), {
        ...(cell.columnSpan > 1 ? { colSpan: cell.columnSpan } : {}),
        ...(cell.rowSpan > 1 ? { rowSpan: cell.rowSpan } : {}),
      }),
    )
  }
  return cells
}

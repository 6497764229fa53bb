// A page as Markdown (CommonMark with the tables of GitHub), derived from its blocks: to be read, never to be quoted
// from.
import type {
  Link,
  List,
  Paragraph,
  PhrasingContent,
  RootContent,
  Table,
  TableCell,
  TableRow,
  Text,
} from 'mdast'
import { gfmTableToMarkdown } from 'mdast-util-gfm-table'
import { type Info, type State, toMarkdown as writeMarkdown } from 'mdast-util-to-markdown'
import type { PageText } from '../document.ts'
import type { Inline } from './inline-text.ts'
import { type ListNode, type PageNode, type TreeOptions, treeOf } from './page-tree.ts'
import { type DenseCell, denseTable, type TableNode } from './table-node.ts'

/** Between the headers of a column that has several, one above the other. */
const HEADER_SEPARATOR = ' / '

/**
 * Headings, nested lists, tables, quotations, code with its language, links with absolute addresses. What the page's
 * words would mean in Markdown is escaped. A page that is Markdown is given as it was sent.
 */
export function toMarkdown(page: PageText, options: TreeOptions): string {
  if (page.notation === 'markdown') return page.text
  const children: RootContent[] =
    page.notation === 'json'
      ? [{ type: 'code', lang: 'json', value: page.text }]
      : treeOf(page, options).map(contentOf)
  return writeMarkdown(
    { type: 'root', children },
    {
      bullet: '-',
      fences: true,
      listItemIndent: 'one',
      handlers: { link: writeLink, text: writeText },
      // GitHub strikes through what stands between two of them.
      unsafe: [{ character: '~', inConstruct: 'phrasing' }],
      // Columns of equal width would take the widest cell's width in every row.
      extensions: [gfmTableToMarkdown({ tablePipeAlign: false })],
    },
  )
}

/** Letters and digits with a space between them mean nothing in Markdown. */
const PLAIN = /^ ?(?:[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)* ?)?$/u
const BREAK = /^[\r\n]$/u

/** The writer's own looks for each thing that could mean something, even in the one space between two links of a menu. */
function writeText({ value }: Text, _: unknown, state: State, info: Info): string {
  const isOpen =
    (value.startsWith(' ') && BREAK.test(info.before)) || (value.endsWith(' ') && BREAK.test(info.after))
  return PLAIN.test(value) && !isOpen ? value : state.safe(value, info)
}

/** A plain link: the writer's own puts a backslash before every "&" of an address. */
function writeLink(node: Link, _: unknown, state: State, info: Info): string {
  const exit = state.enter('link')
  const exitLabel = state.enter('label')
  const tracker = state.createTracker(info)
  const opening = tracker.move('[')
  const text = tracker.move(
    state.containerPhrasing(node, { before: opening, after: '](', ...tracker.current() }),
  )
  exitLabel()
  exit()
  return `${opening}${text}](${destinationOf(node.url)})`
}

/** What stands before a link asks for its first character: without this the link is written twice. */
writeLink.peek = (): string => '['

/** What ends or changes the destination of a link (CommonMark §6.3) or a cell of a table, percent-encoded. */
function destinationOf(url: string): string {
  const plain = url.replace(/[\\|`\s<>]/gu, encodeURIComponent).replace(/&(#?\w{1,40});/gu, '&$1%3B')
  return hasBalancedParentheses(plain) ? plain : plain.replaceAll('(', '%28').replaceAll(')', '%29')
}

const DEEPEST_PARENTHESES = 8

function hasBalancedParentheses(url: string): boolean {
  let depth = 0
  for (const character of url) {
    if (character === '(') depth++
    else if (character === ')') depth--
    if (depth < 0 || depth > DEEPEST_PARENTHESES) return false
  }
  return depth === 0
}

type BlockContent = Extract<
  RootContent,
  { type: 'paragraph' | 'heading' | 'code' | 'list' | 'blockquote' | 'table' }
>

function contentOf(node: PageNode): BlockContent {
  if (node.kind === 'table') return tableOf(node)
  if (node.kind === 'list') return listOf(node)
  if (node.kind === 'code') return { type: 'code', lang: node.language, value: node.text }
  if (node.kind === 'quote') return { type: 'blockquote', children: node.children.map(contentOf) }
  const words = phrasing(node.inline)
  if (node.kind === 'heading') return { type: 'heading', depth: depthOf(node.level), children: words }
  if (node.kind === 'caption') return paragraph([{ type: 'emphasis', children: words }])
  return paragraph(node.kind === 'term' ? [{ type: 'strong', children: words }] : words)
}

const paragraph = (children: PhrasingContent[]): Paragraph => ({ type: 'paragraph', children })

const listOf = ({ start, items }: ListNode): List => ({
  type: 'list',
  ordered: start !== null,
  ...(start === null ? {} : { start: Math.max(0, start) }),
  spread: false,
  children: items.map((item) => ({ type: 'listItem', spread: false, children: item.map(contentOf) })),
})

function depthOf(level: number): 1 | 2 | 3 | 4 | 5 | 6 {
  if (level <= 1) return 1
  if (level === 2 || level === 3 || level === 4 || level === 5) return level
  return 6
}

function phrasing(inline: readonly Inline[]): PhrasingContent[] {
  return inline.map((piece): PhrasingContent => {
    if (piece.kind === 'text') return { type: 'text', value: piece.text }
    if (piece.kind === 'break') return { type: 'break' }
    return { type: 'link', url: piece.url, children: [{ type: 'text', value: piece.text }] }
  })
}

/** In a cell a line cannot end. */
const onOneLine = (inline: readonly Inline[]): Inline[] =>
  inline.map((piece) => (piece.kind === 'break' ? { kind: 'text', text: ' ' } : piece))

/**
 * The first row of such a table is its header, empty where the page's table has none; headers above one another are
 * joined. A cell that reaches over rows is repeated in each, one that reaches over columns stands in the first.
 */
function tableOf(node: TableNode): Table {
  const { rows, columns, headerRows } = denseTable(node)
  const header = Array.from({ length: columns }, (_, column) =>
    cellOf(headersIn(rows.slice(0, headerRows), column)),
  )
  const body = rows.slice(headerRows).map((row): TableRow => ({
    type: 'tableRow',
    children: Array.from(row, (cell) => cellOf(cell === undefined ? [] : onOneLine(cell.inline))),
  }))
  return { type: 'table', children: [{ type: 'tableRow', children: header }, ...body] }
}

const cellOf = (inline: readonly Inline[]): TableCell => ({ type: 'tableCell', children: phrasing(inline) })

/** What the header rows say of a column, with what reaches over several columns. */
function headersIn(rows: readonly (readonly (DenseCell | undefined)[])[], column: number): Inline[] {
  const inline: Inline[] = []
  for (const row of rows) {
    const cell = row.find((found) => found !== undefined && covers(found, column))
    if (cell === undefined || cell.isContinued) continue
    if (inline.length > 0) inline.push({ kind: 'text', text: HEADER_SEPARATOR })
    inline.push(...onOneLine(cell.inline))
  }
  return inline
}

const covers = (cell: DenseCell, column: number): boolean =>
  cell.column <= column && column < cell.column + cell.columnSpan

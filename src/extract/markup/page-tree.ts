// The blocks of a page as a tree: lists with their items, quotations, tables with their rows, code in one piece. What
// Markdown and HTML are written from.
import type { Block, ListItem, PageText } from '../document.ts'
import { createInlineReader, type Inline } from './inline-text.ts'
import { addToTable, newTable, type TableNode } from './table-node.ts'

export type PageNode =
  | { kind: 'heading'; level: number; inline: Inline[] }
  | { kind: 'paragraph' | 'caption' | 'term' | 'definition'; inline: Inline[] }
  | { kind: 'code'; language: string | null; text: string }
  | { kind: 'quote'; children: PageNode[] }
  | ListNode
  | TableNode

export interface ListNode {
  kind: 'list'
  /** The number of the first item; null for a list without numbers. */
  start: number | null
  items: PageNode[][]
}

export interface TreeOptions {
  /** Blocks less likely content than this are left out, 0..1; 0 takes them all. */
  contentWeightLeast: number
}

/** Lists and quotations within one another; what stands deeper is written at this depth. */
const DEEPEST_CONTAINER = 12
const LINE_NUMBERS = /^[\d\s]+$/u

/** A quotation or an item that is open, and where its content goes. */
interface Frame {
  readonly item: ListItem | null
  readonly children: PageNode[]
}

/** Opens and closes the quotations and items of a tree as its blocks come. */
function createContainers() {
  const root: PageNode[] = []
  const frames: Frame[] = []
  const lists = new Map<PageNode, number>()

  /** Where the content of what is open goes. */
  const container = (): PageNode[] => frames.at(-1)?.children ?? root

  function open(item: ListItem | null): void {
    const around = container()
    if (item === null) {
      const quote: PageNode = { kind: 'quote', children: [] }
      around.push(quote)
      frames.push({ item, children: quote.children })
      return
    }
    const children: PageNode[] = []
    const last = around.at(-1)
    if (last?.kind === 'list' && lists.get(last) === item.list) last.items.push(children)
    else {
      const list: ListNode = { kind: 'list', start: item.number, items: [children] }
      lists.set(list, item.list)
      around.push(list)
    }
    frames.push({ item, children })
  }

  /** Closes what the block does not stand in, and opens what it does. */
  function enter(block: Block): void {
    const path = containersOf(block)
    let shared = 0
    while (shared < path.length && shared < frames.length && isSame(frames[shared]?.item, path[shared]))
      shared++
    frames.length = shared
    for (const item of path.slice(shared)) open(item)
  }

  return { root, container, enter }
}

/** The tree of the blocks of `page`, in their order. */
export function treeOf(page: PageText, { contentWeightLeast }: TreeOptions): PageNode[] {
  const { root, container, enter } = createContainers()
  const tables = new Map<PageNode, number>()
  const codes = new Map<PageNode, { number: number; start: number }>()
  const readInline = createInlineReader(page)

  function addCode(block: Block): void {
    const { number = -1, language = null } = block.code ?? {}
    const last = container().at(-1)
    const begun = last === undefined ? undefined : codes.get(last)
    if (last?.kind === 'code' && begun !== undefined && begun.number === number && number >= 0) {
      last.text = page.text.slice(begun.start, block.end)
      return
    }
    const text = page.text.slice(block.start, block.end)
    if (block.table !== undefined && LINE_NUMBERS.test(text)) return
    const node: PageNode = { kind: 'code', language, text }
    codes.set(node, { number, start: block.start })
    container().push(node)
  }

  function addCells(block: Block, table: NonNullable<Block['table']>): void {
    const last = container().at(-1)
    const isOpen = last?.kind === 'table' && tables.get(last) === table.number
    const node = isOpen ? last : newTable()
    if (!isOpen) {
      tables.set(node, table.number)
      container().push(node)
    }
    for (const cell of table.cells) addToTable(node, cell, readInline(block, cell).flat())
  }

  for (const block of page.blocks) {
    if (block.contentWeight < contentWeightLeast) continue
    enter(block)
    if (block.kind === 'code') addCode(block)
    else if (block.table !== undefined) addCells(block, block.table)
    else for (const inline of readInline(block, block)) container().push(textNode(block, inline))
  }
  return root
}

function textNode({ kind, level = 1 }: Block, inline: Inline[]): PageNode {
  if (kind === 'heading') return { kind, level, inline }
  return { kind: kind === 'caption' || kind === 'term' || kind === 'definition' ? kind : 'paragraph', inline }
}

/** What the block stands in, outermost first: items, and null for a quotation. */
function containersOf({ item, quoteDepth = 0 }: Block): (ListItem | null)[] {
  const path =
    item === undefined ? quotes(quoteDepth) : [...pathTo(item), ...quotes(quoteDepth - item.quoteDepth)]
  return path.slice(0, DEEPEST_CONTAINER)
}

function pathTo(item: ListItem): (ListItem | null)[] {
  const path: (ListItem | null)[] = []
  let at: ListItem | null = item
  while (at !== null) {
    path.push(at)
    path.push(...quotes(at.quoteDepth - (at.parent?.quoteDepth ?? 0)))
    at = at.parent
  }
  return path.toReversed()
}

const quotes = (count: number): null[] => Array.from({ length: Math.max(0, count) }, () => null)

const isSame = (one: ListItem | null | undefined, other: ListItem | null | undefined): boolean =>
  one?.list === other?.list && one?.index === other?.index

// What the marks at the beginning of lines say about the blocks of a text: items within items, quotations, rows of
// tables, the language of code; and the links of Markdown.
import type { Block, Link, ListItem, TableCell } from '../../document.ts'
import { createNestedItems } from '../nested-items.ts'
import { LIST_ITEM, type LineBlock } from './line-blocks.ts'

type Structure = Pick<Block, 'item' | 'quoteDepth' | 'code' | 'table' | 'links'>

interface OpenTable {
  readonly number: number
  /** Where its last row ends. */
  end: number
  rows: number
  readonly names: readonly string[]
}

const QUOTE_MARKS = /^ {0,3}((?:> ?){1,20})/
const DELIMITER_ROW = /^[\s|:-]{3,}$/
/** Of an inline link: its text, and its target without a title. */
const LINK = /(?<!!)\[([^[\]\n]{1,300})\]\(\s{0,3}<?([^\s()<>]{1,2000})>?/g
const MOST_LINKS = 500

/** Returns a function that tells the structure of each block; to be asked in the order of the text. */
export function createLineStructure(
  text: string,
  isMarkdown: boolean,
): (block: LineBlock, next: LineBlock | undefined) => Structure {
  const itemOf = createItems()
  const tableOf = createTables(text)
  return (block, next) => {
    const slice = text.slice(block.start, block.end)
    if (block.kind === 'code') return block.fence === null ? {} : { code: block.fence }
    const item = itemOf(block.kind === 'list', slice)
    const quotes = QUOTE_MARKS.exec(slice)?.[1]?.replaceAll(' ', '').length ?? 0
    const table = block.kind === 'table' ? tableOf(block, slice, next) : undefined
    const links = isMarkdown ? linksIn(slice, block.start) : []
    return {
      ...(item === null ? {} : { item }),
      ...(block.kind === 'quote' && quotes > 0 ? { quoteDepth: quotes } : {}),
      ...(table === undefined ? {} : { table }),
      ...(links.length === 0 ? {} : { links }),
    }
  }
}

/** What is indented further than an item's mark belongs to it. */
function createItems(): (isList: boolean, slice: string) => ListItem | null {
  const items = createNestedItems()
  return (isList, slice) => {
    const [, space = '', number] = (isList ? LIST_ITEM.exec(slice) : /^(\s{0,12})/.exec(slice)) ?? []
    const indent = space.replaceAll('\t', '    ').length
    if (!isList) return items.around(indent)
    return items.next(indent, number === undefined ? null : Number(number))
  }
}

/** Rows right below one another are a table; where the second is a row of dashes, the first holds its names. */
function createTables(
  text: string,
): (block: LineBlock, slice: string, next: LineBlock | undefined) => Block['table'] {
  let open: OpenTable | null = null
  let tables = 0
  return ({ start, end }, slice, next) => {
    const cells = cellsIn(slice, start)
    const isFirst = open === null || start > open.end + 1
    if (isFirst) {
      const below = next === undefined || next.start > end + 1 ? '' : text.slice(next.start, next.end)
      const names = DELIMITER_ROW.test(below) ? cells.map((cell) => text.slice(cell.start, cell.end)) : []
      open = { number: tables++, end, rows: 0, names }
    }
    const table = open
    if (table === null) return undefined
    table.end = end
    if (DELIMITER_ROW.test(slice)) return undefined
    const row = table.rows++
    return { number: table.number, cells: cells.map((cell) => placed(cell, row, table)) }
  }
}

function placed(
  { start, end, column }: Pick<TableCell, 'start' | 'end' | 'column'>,
  row: number,
  { names }: OpenTable,
): TableCell {
  const isHeader = row === 0 && names.length > 0
  const name = isHeader ? undefined : names[column]
  const columnHeaders = name === undefined ? [] : [name]
  return { start, end, row, column, rowSpan: 1, columnSpan: 1, isHeader, rowHeaders: [], columnHeaders }
}

/** Cells with text, between bars that no backslash stands before. */
function cellsIn(slice: string, offset: number): Pick<TableCell, 'start' | 'end' | 'column'>[] {
  const found: Pick<TableCell, 'start' | 'end' | 'column'>[] = []
  let at = slice.indexOf('|') + 1
  for (const [column, raw] of slice
    .slice(at)
    .split(/(?<!\\)\|/)
    .entries()) {
    const text = raw.trim()
    const start = offset + at + raw.length - raw.trimStart().length
    if (text !== '') found.push({ start, end: start + text.length, column })
    at += raw.length + 1
  }
  return found
}

function linksIn(slice: string, offset: number): Link[] {
  const links: Link[] = []
  for (const { 1: text = '', 2: target = '', index } of slice.matchAll(LINK)) {
    if (links.length === MOST_LINKS) break
    links.push({ start: offset + index + 1, end: offset + index + 1 + text.length, target })
  }
  return links
}

// Tables with the truth about some of their cells, as test/fixtures/tables holds them: behind each table stands a comment
// of lines "cell | row headers | column headers | names of its part of the table", outermost first and parted by ">",
// those in brackets may be left out.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageText, TableCell } from '../../src/extract/document.ts'
import { cutPassages, type Passage } from '../../src/extract/passages/cut-passages.ts'
import { readHtmlPage } from './read-html-page.ts'

/** Labelled by hand before the resolver was mended; after it was, for those apart; tables by the roles of their elements. */
export const TABLE_FOLDERS = ['tables', 'tables-apart', 'tables-by-role'] as const
const FIXTURES = 'test/fixtures'
const TRUTH = /<!-- truth\n([^]*?)-->/gu
const MOST_PASSAGES = 1_000

interface Header {
  text: string
  isOptional: boolean
}

interface LabelledCell {
  text: string
  rowHeaders: readonly Header[]
  columnHeaders: readonly Header[]
  /** Names of a part of the table, which may count as headers of rows or of columns. */
  parts: readonly Header[]
}

/** What became of a labelled cell. */
export interface ReadCell {
  file: string
  truth: LabelledCell
  found: TableCell | null
  hasRowHeaders: boolean
  hasColumnHeaders: boolean
  /** All its headers stand in the passage that holds it, or beside that. */
  isQuotedWithHeaders: boolean
}

/** Reads and cuts the tables of one folder, every block of them taken for content. */
export async function readLabelledTables(
  name: (typeof TABLE_FOLDERS)[number],
): Promise<{ tables: number; cells: ReadCell[] }> {
  const folder = join(FIXTURES, name)
  const cells: ReadCell[] = []
  let tables = 0
  for (const file of readdirSync(folder).toSorted()) {
    for (const html of tablesOf(readFileSync(join(folder, file), 'utf8'))) {
      tables++
      const page = await readTable(html)
      const passages = cutPassages(page, { overlap: false, limit: MOST_PASSAGES })
      for (const truth of truthOf(html)) cells.push({ file, truth, ...judge(page, passages, truth) })
    }
  }
  return { tables, cells }
}

/** Each table with its truth behind it. */
function tablesOf(html: string): string[] {
  const ends = [...html.matchAll(TRUTH)].map((match) => match.index + match[0].length)
  return ends.map((end, index) => html.slice(ends[index - 1] ?? 0, end))
}

function truthOf(html: string): LabelledCell[] {
  const lines = [...html.matchAll(TRUTH)].flatMap(([, truth = '']) => truth.trim().split('\n'))
  return lines.map((line) => {
    const [text = '', rows = '', columns = '', parts = ''] = line.split('|').map((part) => part.trim())
    return {
      text,
      rowHeaders: headersOf(rows),
      columnHeaders: headersOf(columns),
      parts: headersOf(parts),
    }
  })
}

const headersOf = (list: string): Header[] =>
  list
    .split(/\s>\s/u)
    .filter((text) => text !== '')
    .map((text) => ({ text: text.replace(/^\((.*)\)$/u, '$1'), isOptional: text.startsWith('(') }))

async function readTable(html: string): Promise<PageText> {
  const page = await readHtmlPage(html, 'https://tables.example/')
  for (const block of page.blocks) block.contentWeight = 1
  return page
}

type Judgement = Omit<ReadCell, 'file' | 'truth'>

function judge(page: PageText, passages: readonly Passage[], truth: LabelledCell): Judgement {
  const cells = page.blocks.flatMap(({ table }) => table?.cells ?? [])
  const found = cells.filter(({ start, end }) => plain(page.text.slice(start, end)) === truth.text)
  if (found.length > 1) throw new Error(`"${truth.text}" stands in several cells of its table.`)
  const [cell] = found
  if (cell === undefined)
    return { found: null, hasRowHeaders: false, hasColumnHeaders: false, isQuotedWithHeaders: false }
  const passage = passages.find(({ start, end }) => start <= cell.start && cell.end <= end)
  const shown = plain([...(passage?.headings ?? []), passage?.text ?? ''].join(' '))
  const wanted = [truth.rowHeaders, truth.columnHeaders, truth.parts].flat()
  const unnamed = truth.parts.filter(
    ({ text }) => !cell.rowHeaders.includes(text) && !cell.columnHeaders.includes(text),
  )
  return {
    found: cell,
    hasRowHeaders: isSame(cell.rowHeaders, truth.rowHeaders, truth.parts),
    hasColumnHeaders: unnamed.length === 0 && isSame(cell.columnHeaders, truth.columnHeaders, truth.parts),
    isQuotedWithHeaders: wanted.every(({ text, isOptional }) => isOptional || shown.includes(text)),
  }
}

const plain = (text: string): string => text.replace(/\s+/gu, ' ').trim()

/** Nothing is missing, nothing is there that is not true, and the order is right. */
function isSame(found: readonly string[], truth: readonly Header[], parts: readonly Header[]): boolean {
  const own = found.filter((text) => !parts.some((part) => part.text === text))
  const expected = truth.filter(({ text, isOptional }) => !isOptional || own.includes(text))
  return own.join('\n') === expected.map(({ text }) => text).join('\n')
}

// What it costs to part two neighbouring units of a page, and what to keep them in one passage.
import type { Block, ListItem } from '../document.ts'
import type { Unit } from './page-units.ts'
import { weighedLength } from './spans.ts'

/** Costs are relative: 1 is what a passage at the length limit costs. */
export const BORDER = {
  /** Never but where the page leaves no other way. */
  afterHeading: 6,
  afterTableHeader: 6,
  insideRow: 6,
  afterTerm: 3,
  insideSentence: 3,
  afterQuestion: 3,
  afterColon: 3,
  afterOpenEnd: 1,
  afterParentItem: 1,
  /** A question that closes a longer block may be one that the next block answers. */
  afterLastQuestion: 1,
  afterLabel: 0.6,
  insideItem: 0.5,
  beforeList: 0.4,
  insideParagraph: 0.45,
  betweenLines: 0.25,
  betweenItems: 0.12,
  betweenRows: 0.12,
  betweenBlocks: 0.12,
  beforeLabel: 0.05,
  none: 0,
} as const
/** What each element that ends between two blocks takes off a cost: a card or a section is a thing of its own. */
const ENDED = { each: 0.03, most: 4 } as const

const JOIN = { acrossHeading: 0.5, acrossKinds: 0.4, acrossTables: 0.4, acrossWeights: 1.2 } as const

/** Longer lines say something themselves. */
const LABEL_CHARACTERS = 80
const ENDS_SENTENCE = /[.!?…。！？;,،、]["'”’»)\]]{0,2}$/u
const STOPS = /[.!?…。！？]["'”’»)\]]{0,2}$/u
const GOES_ON = /^[\p{Ll}.,;:!?)\]”’»]/u
const NAME_CHARACTERS = 40
const ENDS_QUESTION = /[?？؟]["'”’»)\]]{0,2}$/u
const ENDS_COLON = /[:：]$/u
/** Enough of a unit to see how it ends. */
const ENDING_CHARACTERS = 4

const isOfTable = ({ kind, table }: Block): boolean => kind === 'table' || table !== undefined
const isProse = ({ kind }: Block): boolean => kind !== 'table' && kind !== 'code'

/** What it costs that a passage ends between `left` and `right`; `before` is the unit before `left`, if there is one. */
export function borderCost(text: string, left: Unit, right: Unit, before: Unit | undefined): number {
  if (left.isHeading) return BORDER.afterHeading
  if (left.block === right.block) return insideBlockCost(text, left, right)
  if (right.isHeading) return BORDER.none
  if (isOfTable(left.block) && isOfTable(right.block) && !isSameCell(left.block, right.block))
    return rowBorderCost(left.block, right.block, before?.block)
  const ending = endingOf(text, left)
  if (goesOn(text, left, right)) return BORDER.insideSentence
  if (left.block.kind === 'term') return BORDER.afterTerm
  if (ENDS_QUESTION.test(ending)) return left.opensBlock ? BORDER.afterQuestion : BORDER.afterLastQuestion
  if (ENDS_COLON.test(ending)) return BORDER.afterColon
  const opens = isLabel(text, right)
  if (isLabel(text, left) && !opens) return BORDER.afterLabel
  if (isOpenProse(text, left)) return BORDER.afterOpenEnd
  if (opens && !isLabel(text, left)) return BORDER.beforeLabel
  const ended = Math.min(ENDED.most, Math.max(1, right.block.ended ?? 1)) - 1
  return Math.max(0, itemBorderCost(left.block.item, right.block.item) - ended * ENDED.each)
}

const endingOf = (text: string, { start, end }: Unit): string =>
  text.slice(Math.max(start, end - ENDING_CHARACTERS), end)

function insideBlockCost(text: string, left: Unit, right: Unit): number {
  const linesEnded = text.slice(left.end, right.start).split('\n').length - 1
  if (left.block.kind === 'code') return linesEnded > 1 ? BORDER.betweenItems : BORDER.insideParagraph
  const ending = endingOf(text, left)
  if (ENDS_COLON.test(ending)) return BORDER.afterColon
  if (linesEnded === 0) return BORDER.insideParagraph
  if (isLabel(text, left)) return isLabel(text, right) ? BORDER.betweenLines : BORDER.afterLabel
  return isLabel(text, right) ? BORDER.beforeLabel : BORDER.betweenLines
}

/** A short line that is no sentence names what stands below it, unless that is one of its kind. */
function isLabel(text: string, { block, start, end }: Unit): boolean {
  if (!isProse(block) || block.item !== undefined || end - start > LABEL_CHARACTERS) return false
  const slice = text.slice(start, end)
  return weighedLength(slice) <= LABEL_CHARACTERS && !ENDS_SENTENCE.test(slice)
}

/** Markup may lay one sentence out as several blocks. Short lines of small letters are names, one below the other. */
function goesOn(text: string, left: Unit, right: Unit): boolean {
  if (!isProse(left.block) || !isProse(right.block) || !isInOneItem(left.block, right.block)) return false
  if (Math.max(left.end - left.start, right.end - right.start) <= NAME_CHARACTERS) return false
  return GOES_ON.test(text.slice(right.start, right.start + 2)) && !STOPS.test(endingOf(text, left))
}

const isInOneItem = ({ item: left }: Block, { item: right }: Block): boolean =>
  left === undefined || right === undefined ? left === right : isSameItem(left, right)

/** A paragraph that ends without a stop: what comes next may belong to its last sentence. */
const isOpenProse = (text: string, unit: Unit): boolean =>
  unit.block.kind === 'paragraph' &&
  unit.end - unit.start > LABEL_CHARACTERS &&
  !ENDS_SENTENCE.test(endingOf(text, unit))

/** Cells that hold paragraphs are blocks of their own. */
function rowBorderCost(left: Block, right: Block, before: Block | undefined): number {
  if (!isSameTable(left, right)) return BORDER.none
  if (isSameRow(left, right)) return BORDER.insideRow
  const isHeader = left.table?.cells.every((cell) => cell.isHeader) ?? false
  // The first row of a table is its header more often than not.
  const isFirst = before === undefined || !isOfTable(before) || !isSameTable(before, left)
  return isHeader || isFirst ? BORDER.afterTableHeader : BORDER.betweenRows
}

/** A cell may hold as many paragraphs as a page. */
function isSameCell(left: Block, right: Block): boolean {
  const column = left.table?.cells.at(-1)?.column
  return column !== undefined && column === right.table?.cells[0]?.column && isSameRow(left, right)
}

const isSameTable = (left: Block, right: Block): boolean => left.table?.number === right.table?.number

/** Rows of one table, or cells of one row. */
export const isOfOneTable = (left: Block, right: Block): boolean =>
  isOfTable(left) && isOfTable(right) && isSameTable(left, right)

function isSameRow(left: Block, right: Block): boolean {
  const row = left.table?.cells.at(-1)?.row
  return row !== undefined && row === right.table?.cells[0]?.row
}

function itemBorderCost(left: ListItem | undefined, right: ListItem | undefined): number {
  if (right === undefined) return BORDER.betweenBlocks
  if (left === undefined) return right.index === 0 ? BORDER.beforeList : BORDER.betweenItems
  if (isSameItem(left, right)) return BORDER.insideItem
  return right.parent !== null && isSameItem(left, right.parent)
    ? BORDER.afterParentItem
    : BORDER.betweenItems
}

const isSameItem = (left: ListItem, right: ListItem): boolean =>
  left.list === right.list && left.index === right.index

/** What it costs that `left` and `right` stay in one passage. */
export function joinCost(left: Unit, right: Unit): number {
  if (left.block === right.block || left.isHeading) return 0
  const heading = right.isHeading ? JOIN.acrossHeading : 0
  const kinds = isProse(left.block) === isProse(right.block) ? 0 : JOIN.acrossKinds
  const areTables = isOfTable(left.block) && isOfTable(right.block)
  const tables = areTables && !isSameTable(left.block, right.block) ? JOIN.acrossTables : 0
  const weights = right.isHeading ? 0 : Math.abs(left.block.contentWeight - right.block.contentWeight)
  return heading + kinds + tables + JOIN.acrossWeights * weights
}

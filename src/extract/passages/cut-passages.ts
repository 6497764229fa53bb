// Cuts a page's text into passages: slices of 200 to 600 characters on sentence borders, within one section.
import type { Block, PageText } from '../document.ts'
import { breakUp } from './split-long-sentence.ts'
import { createSentenceFinder } from './sentences.ts'
import { type Span, trimSpan } from './spans.ts'

export interface Passage {
  /** UTF-16 offsets into the page's text. */
  start: number
  end: number
  /** Exactly `page.text.slice(start, end)`, without white space at its ends. */
  text: string
  headings: readonly string[]
  /** 0..1, the mean of its blocks, weighed by their length. */
  contentWeight: number
}

export interface CutOptions {
  /** Also give windows that lie across the borders of two neighbouring passages. */
  overlap: boolean
  /** The most passages to return; the ones most likely content are kept, in the order of the page. */
  limit: number
}

export const PASSAGE_CHARACTERS = { min: 200, target: 420, max: 600 } as const

/**
 * Blocks less likely to be content than this are not cut. Far below the classifier's working point, because a relevant
 * passage from a doubtful block is still an answer.
 */
const HOPELESS_WEIGHT = 0.04
/** Neighbours are joined only when the classifier thinks alike of them. */
const JOINED_WEIGHT_DIFFERENCE = 0.5

/** Neighbouring blocks that may share a passage, as the smallest units a passage is made of. */
interface Section {
  headings: readonly string[]
  units: Unit[]
}

interface Unit extends Span {
  contentWeight: number
  /** The unit begins a block: the better place to cut. */
  opensBlock: boolean
}

/**
 * Cuts `page` into passages. Together they cover every block worth reading; without `overlap` no two share a
 * character. None is longer than 600 characters, and none shorter than 200 unless its section is.
 */
export function cutPassages(page: PageText, options: CutOptions): Passage[] {
  const findSentences = createSentenceFinder(page.language?.code ?? null)
  const passages: Passage[] = []
  for (const section of sectionsOf(page, findSentences)) {
    const groups = balance(pack(section.units))
    for (const group of groups) passages.push(toPassage(page, section, group))
    if (!options.overlap) continue
    for (const group of windowsBetween(groups)) passages.push(toPassage(page, section, group))
  }
  passages.sort((left, right) => left.start - right.start)
  return mostLikelyContent(passages, options.limit)
}

function mostLikelyContent(passages: Passage[], limit: number): Passage[] {
  if (passages.length <= limit) return passages
  const kept = new Set(
    passages.toSorted((left, right) => right.contentWeight - left.contentWeight).slice(0, limit),
  )
  return passages.filter((passage) => kept.has(passage))
}

function sectionsOf(page: PageText, findSentences: (text: string) => Span[]): Section[] {
  const sections: Section[] = []
  let last: Block | null = null
  for (const block of worthCutting(page.blocks)) {
    let section = sections.at(-1)
    if (section === undefined || last === null || !mayShare(page.text, last, block)) {
      section = { headings: block.headings, units: [] }
      sections.push(section)
    }
    for (const unit of unitsOf(page.text, block, findSentences)) section.units.push(unit)
    last = block
  }
  return sections.filter((section) => section.units.length > 0)
}

/** Drops hopeless blocks, and headings that the passages below them carry anyway. */
function worthCutting(blocks: readonly Block[]): Block[] {
  const hopeful = blocks.filter((block) => block.contentWeight >= HOPELESS_WEIGHT)
  return hopeful.filter((block, index) => {
    if (block.kind !== 'heading') return true
    const below = hopeful[index + 1]
    return below === undefined || below.headings.length <= block.headings.length
  })
}

/** The headings that are left at this point have nothing below them: headlines in a list, which read on like its items. */
const isProse = (block: Block): boolean => block.kind !== 'table' && block.kind !== 'code'

function mayShare(text: string, left: Block, right: Block): boolean {
  if (left.kind !== right.kind && !(isProse(left) && isProse(right))) return false
  if (Math.abs(left.contentWeight - right.contentWeight) > JOINED_WEIGHT_DIFFERENCE) return false
  if (left.headings !== right.headings && left.headings.join('\n') !== right.headings.join('\n')) return false
  return text.slice(left.end, right.start).trim() === ''
}

/** Sentences of prose, rows of a table, lines of code; anything longer than a passage may be is broken up. */
function unitsOf(text: string, block: Block, findSentences: (text: string) => Span[]): Unit[] {
  const slice = text.slice(block.start, block.end)
  const spans = isProse(block)
    ? findSentences(slice)
    : block.kind === 'code'
      ? linesOf(slice)
      : wholeOf(slice)
  const units: Unit[] = []
  for (const span of spans.flatMap((whole) => breakUp(slice, whole, PASSAGE_CHARACTERS))) {
    units.push({
      start: block.start + span.start,
      end: block.start + span.end,
      contentWeight: block.contentWeight,
      opensBlock: units.length === 0,
    })
  }
  return units
}

const wholeOf = (text: string): Span[] => {
  const span = trimSpan(text, 0, text.length)
  return span === null ? [] : [span]
}

function linesOf(text: string): Span[] {
  const spans: Span[] = []
  let from = 0
  while (from < text.length) {
    const newline = text.indexOf('\n', from)
    const to = newline === -1 ? text.length : newline
    const span = trimSpan(text, from, to)
    if (span !== null) spans.push(span)
    from = to + 1
  }
  return spans
}

const lengthOf = (group: readonly Unit[]): number => (group.at(-1)?.end ?? 0) - (group[0]?.start ?? 0)

/** Fills groups in order, closing one at the end of a block once it is long enough. */
function pack(units: readonly Unit[]): Unit[][] {
  const groups: Unit[][] = []
  let group: Unit[] = []
  for (const unit of units) {
    const length = lengthOf(group)
    const lengthWith = group[0] === undefined ? 0 : unit.end - group[0].start
    const isFull =
      lengthWith > PASSAGE_CHARACTERS.max ||
      length >= PASSAGE_CHARACTERS.target ||
      (length >= PASSAGE_CHARACTERS.min && unit.opensBlock)
    if (group.length > 0 && isFull) {
      groups.push(group)
      group = []
    }
    group.push(unit)
  }
  if (group.length > 0) groups.push(group)
  return groups
}

/** Gives short groups to a neighbour, or shares the units of both more evenly. */
function balance(groups: readonly Unit[][]): Unit[][] {
  const result: Unit[][] = []
  for (const group of groups) {
    const last = result.at(-1)
    if (last === undefined || Math.min(lengthOf(last), lengthOf(group)) >= PASSAGE_CHARACTERS.min) {
      result.push(group)
      continue
    }
    result.pop()
    for (const shared of share([...last, ...group])) result.push(shared)
  }
  return result
}

/** One group when it fits; else the two whose shorter part is longest, both within the limit. */
function share(units: Unit[]): Unit[][] {
  if (lengthOf(units) <= PASSAGE_CHARACTERS.max) return [units]
  let best: [Unit[], Unit[]] | null = null
  let bestLength = -1
  for (let at = 1; at < units.length; at++) {
    const left = units.slice(0, at)
    const right = units.slice(at)
    if (Math.max(lengthOf(left), lengthOf(right)) > PASSAGE_CHARACTERS.max) continue
    const shorter = Math.min(lengthOf(left), lengthOf(right))
    if (shorter <= bestLength) continue
    bestLength = shorter
    best = [left, right]
  }
  return best ?? [units]
}

/** Windows from the second half of one group to the first half of the next. */
function windowsBetween(groups: readonly Unit[][]): Unit[][] {
  const windows: Unit[][] = []
  for (const [index, left] of groups.entries()) {
    const right = groups[index + 1]
    if (right === undefined) continue
    const window = [
      ...left.slice(Math.ceil(left.length / 2)),
      ...right.slice(0, Math.floor(right.length / 2)),
    ]
    const isBetween = window.length > 0 && window.length < left.length + right.length
    if (isBetween && lengthOf(window) >= PASSAGE_CHARACTERS.min && lengthOf(window) <= PASSAGE_CHARACTERS.max)
      windows.push(window)
  }
  return windows
}

function toPassage(page: PageText, section: Section, group: readonly Unit[]): Passage {
  const start = group[0]?.start ?? 0
  const end = group.at(-1)?.end ?? 0
  let characters = 0
  let weight = 0
  for (const unit of group) {
    characters += unit.end - unit.start
    weight += unit.contentWeight * (unit.end - unit.start)
  }
  return {
    start,
    end,
    text: page.text.slice(start, end),
    headings: section.headings,
    contentWeight: weight / characters,
  }
}

// Cuts a page's text into passages: exact slices of a few sentences that begin at their heading where they have one.
import type { PageText } from '../document.ts'
import { BORDER, borderCost, isOfOneTable } from './cut-costs.ts'
import { withoutLooseEnds } from './loose-ends.ts'
import { GAP_MAX, gapBetween, packUnits, PASSAGE_LENGTH, type Group } from './pack-units.ts'
import { unitsOf } from './page-units.ts'
import { createQuoteJudge } from './quote-judge.ts'
import type { Span } from './spans.ts'

export interface Passage {
  /** UTF-16 offsets into the page's text. */
  start: number
  end: number
  /** Exactly `page.text.slice(start, end)`, without white space at its ends. */
  text: string
  /** The headings above the passage, outermost first; one that opens the passage stands in its text. */
  headings: readonly string[]
  /** 0..1, the mean of its blocks, weighed by their length. */
  contentWeight: number
  /** Its sentences, list items, rows or lines, in order: offsets into its text. A heading that opens it is none of them. */
  parts: readonly Span[]
}

export interface CutOptions {
  /** Also give windows that lie across the borders of two neighbouring passages. */
  overlap: boolean
  /** The most passages to return; the ones most likely content are kept, in the order of the page. */
  limit: number
}

/** Longest passage in UTF-16 units, and the shortest part a sentence beyond that is broken into. */
export const PASSAGE_CHARACTERS = { min: 200, max: PASSAGE_LENGTH.max } as const

/**
 * Cuts `page` into passages. They cover all text worth quoting, without `overlap` no two share a character, and none is
 * longer than 700 UTF-16 units. Left out are bare headings, contents lists, labels of advertisements, loose words and
 * what was said before.
 */
export function cutPassages(page: PageText, options: CutOptions): Passage[] {
  const units = unitsOf(page, PASSAGE_CHARACTERS)
  const groups = packUnits(page.text, units)
    .map((group) => withoutLooseEnds(page.text, group))
    .filter(({ length }) => length > 0)
  const all = options.overlap ? [...groups, ...windowsBetween(page.text, groups)] : groups
  const judge = createQuoteJudge(page, units)
  const quotable = all.filter((group) => judge(group) === 'quotable')
  // A page that says everything that briefly is quoted as it is.
  const kept = quotable.length > 0 ? quotable : all.filter((group) => judge(group) === 'loose')
  const passages = kept.map((group) => toPassage(page, group))
  passages.sort((left, right) => left.start - right.start || left.end - right.end)
  return mostLikelyContent(withoutRepeats(passages), options.limit)
}

function mostLikelyContent(passages: Passage[], limit: number): Passage[] {
  if (passages.length <= limit) return passages
  const kept = new Set(
    passages.toSorted((left, right) => right.contentWeight - left.contentWeight).slice(0, limit),
  )
  return passages.filter((passage) => kept.has(passage))
}

/** Of passages with the same words, whatever their case and spaces, the first. */
function withoutRepeats(passages: readonly Passage[]): Passage[] {
  const seen = new Set<string>()
  return passages.filter(({ text }) => {
    const words = text.replace(/\s+/gu, ' ').toLowerCase()
    if (seen.has(words)) return false
    seen.add(words)
    return true
  })
}

/** Windows from the second half of one group to the first half of the next, as far as neither is torn apart there. */
function windowsBetween(text: string, groups: readonly Group[]): Group[] {
  return groups.slice(1).flatMap((right, index) => {
    const left = groups[index] ?? []
    const [last, first] = [left.at(-1), right[0]]
    if (last === undefined || first === undefined) return []
    if (first.isHeading || first.isCutOff || gapBetween(text, last, first) > GAP_MAX) return []
    let from = Math.ceil(left.length / 2)
    while (from < left.length && isTorn(text, left, from)) from += 1
    let to = Math.floor(right.length / 2)
    while (to > 0 && isTorn(text, right, to)) to -= 1
    const window = [...left.slice(from), ...right.slice(0, to)]
    const length = lengthOf(window)
    return length >= PASSAGE_CHARACTERS.min && length <= PASSAGE_CHARACTERS.max ? [window] : []
  })
}

/** Whether a border before the unit at `at` parts what belongs together: a term and its meaning, the rows of a table. */
function isTorn(text: string, group: Group, at: number): boolean {
  const [left, right] = [group[at - 1], group[at]]
  if (left === undefined || right === undefined) return false
  return (
    isOfOneTable(left.block, right.block) || borderCost(text, left, right, group[at - 2]) > BORDER.insideItem
  )
}

const lengthOf = (group: Group): number => (group.at(-1)?.end ?? 0) - (group[0]?.start ?? 0)

function toPassage(page: PageText, group: Group): Passage {
  const start = group[0]?.start ?? 0
  const end = group.at(-1)?.end ?? 0
  let [characters, weight] = [0, 0]
  const body = group.filter(({ isHeading }) => !isHeading)
  for (const unit of body) {
    characters += unit.end - unit.start
    weight += unit.block.contentWeight * (unit.end - unit.start)
  }
  return {
    start,
    end,
    text: page.text.slice(start, end),
    headings: group[0]?.block.headings ?? [],
    contentWeight: weight / characters,
    parts: body.map((unit) => ({ start: unit.start - start, end: unit.end - start })),
  }
}

// Where a page is cut: the borders that make the cheapest passages, found by dynamic programming over its units.
import type { Unit } from './page-units.ts'
import { weighedLength } from './spans.ts'

/** In characters of an alphabet; one of a script that needs fewer counts as several. */
export const PASSAGE_LENGTH = { short: 320, target: 560, max: 700 } as const

/** Characters between two units that neither holds; beyond, they have nothing to do with each other. */
export const GAP_MAX = 60

/** Costs are relative: 1 is what a passage at the length limit costs. */
const COST = {
  /** Of every passage: two that fit into one are one. */
  passage: 0.15,
  /** Of an empty passage; falls to 0 at `short`. */
  tooShort: 2,
  /** Of parting what belongs together. */
  afterHeading: 6,
  afterTableHeader: 3,
  afterQuestion: 1.5,
  afterColon: 1,
  insideBlock: 0.3,
  betweenItems: 0.12,
  betweenBlocks: 0.05,
  /** Of keeping together what does not. */
  acrossHeading: 0.5,
  acrossKinds: 0.4,
  acrossWeights: 1.2,
} as const

/** Units of one passage, in order. */
export type Group = readonly Unit[]

/** Shares the units among passages: every unit in one of them, none longer than `max` but a unit that is so by itself. */
export function packUnits(text: string, units: readonly Unit[]): Group[] {
  const groups: Group[] = []
  let start = 0
  for (let at = 1; at <= units.length; at++) {
    const [left, right] = [units[at - 1], units[at]]
    const isNear = left !== undefined && right !== undefined && right.start - left.end <= GAP_MAX
    if (isNear && !right.isCutOff) continue
    for (const group of cheapestCut(text, units.slice(start, at))) groups.push(group)
    start = at
  }
  return groups
}

function cheapestCut(text: string, units: readonly Unit[]): Group[] {
  const lengths = units.map((unit) => weighedLength(text.slice(unit.start, unit.end)) + 1)
  const best: number[] = [0]
  const from: number[] = [0]
  for (let end = 1; end <= units.length; end++) {
    best[end] = Number.POSITIVE_INFINITY
    let [length, joins] = [0, 0]
    for (let start = end - 1; start >= 0; start--) {
      length += lengths[start] ?? 0
      if (length > PASSAGE_LENGTH.max && start < end - 1) break
      if (start < end - 1) joins += joinCost(units, start)
      const cost =
        (best[start] ?? 0) + COST.passage + lengthCost(length) + joins + borderCost(text, units, end)
      if (cost >= (best[end] ?? 0)) continue
      best[end] = cost
      from[end] = start
    }
  }
  const groups: Group[] = []
  for (let end = units.length; end > 0; end = from[end] ?? 0) groups.push(units.slice(from[end], end))
  return groups.toReversed()
}

function lengthCost(length: number): number {
  const { short, target, max } = PASSAGE_LENGTH
  const missing = Math.max(0, short - length) / short
  const excess = Math.max(0, length - target) / (max - target)
  return COST.tooShort * missing * missing + excess * excess
}

/** What it costs that the units at `at` and behind it stay in one passage. */
function joinCost(units: readonly Unit[], at: number): number {
  const [left, right] = [units[at], units[at + 1]]
  if (left === undefined || right === undefined || left.block === right.block || left.isHeading) return 0
  const heading = right.isHeading ? COST.acrossHeading : 0
  const kinds = isProse(left) === isProse(right) ? 0 : COST.acrossKinds
  const weights = right.isHeading ? 0 : Math.abs(left.block.contentWeight - right.block.contentWeight)
  return heading + kinds + COST.acrossWeights * weights
}

/** What it costs that a passage ends before the unit at `end`. */
function borderCost(text: string, units: readonly Unit[], end: number): number {
  const [left, right] = [units[end - 1], units[end]]
  if (left === undefined || right === undefined) return 0
  if (left.isHeading) return COST.afterHeading
  if (left.block === right.block) return COST.insideBlock
  if (right.isHeading) return 0
  if (left.block.kind === 'table' && right.block.kind === 'table') return tableBorderCost(units, end)
  const last = text.slice(Math.max(left.start, left.end - 2), left.end)
  if (/[?？]/u.test(last)) return COST.afterQuestion
  if (/[:：]/u.test(last)) return COST.afterColon
  return left.block.kind === 'list' && right.block.kind === 'list' ? COST.betweenItems : COST.betweenBlocks
}

/** The first row of a table is its header more often than not. */
function tableBorderCost(units: readonly Unit[], end: number): number {
  const opens = units[end - 2]?.block.kind !== 'table'
  return opens ? COST.afterTableHeader : COST.betweenItems
}

const isProse = ({ block }: Unit): boolean => block.kind !== 'table' && block.kind !== 'code'

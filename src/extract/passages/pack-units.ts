// Where a page is cut: the borders that make the cheapest passages, found by dynamic programming over its units.
import { borderCost, joinCost } from './cut-costs.ts'
import type { Unit } from './page-units.ts'
import { weighedLength } from './spans.ts'

/** In characters of an alphabet; one of a script that needs fewer counts as several. */
export const PASSAGE_LENGTH = { short: 320, target: 560, max: 700 } as const

/** Characters but white space between two units that neither holds; beyond, they have nothing to do with each other. */
export const GAP_MAX = 60

/** Of every passage: two that fit into one are one. In the measure of `cut-costs.ts`. */
const PASSAGE_COST = 0.15
/** Of an empty passage; falls to 0 at `short`. */
const TOO_SHORT_COST = 2

/** Units of one passage, in order. */
export type Group = readonly Unit[]

/** Shares the units among passages: every unit in one of them, none longer than `max` but a unit that is so by itself. */
export function packUnits(text: string, units: readonly Unit[]): Group[] {
  const groups: Group[] = []
  let start = 0
  for (let at = 1; at <= units.length; at++) {
    const [left, right] = [units[at - 1], units[at]]
    const isNear = left !== undefined && right !== undefined && gapBetween(text, left, right) <= GAP_MAX
    if (isNear && !right.isCutOff) continue
    for (const group of cheapestCut(text, units.slice(start, at))) groups.push(group)
    start = at
  }
  return groups
}

/** How much text lies between two units. */
export const gapBetween = (text: string, left: Unit, right: Unit): number =>
  text.slice(left.end, right.start).replace(/\s+/gu, '').length

/** What neighbours cost, by the position of the second of them. */
interface NeighbourCosts {
  joins: readonly number[]
  borders: readonly number[]
}

function costsBetween(text: string, units: readonly Unit[]): NeighbourCosts {
  const joins: number[] = [0]
  const borders: number[] = [0]
  for (const [index, right] of units.entries()) {
    const left = units[index - 1]
    if (left === undefined) continue
    joins.push(joinCost(left, right))
    borders.push(borderCost(text, left, right, units[index - 2]))
  }
  return { joins, borders }
}

function cheapestCut(text: string, units: readonly Unit[]): Group[] {
  const lengths = units.map((unit) => weighedLength(text.slice(unit.start, unit.end)) + 1)
  const { joins, borders } = costsBetween(text, units)
  const best: number[] = [0]
  const from: number[] = [0]
  for (let end = 1; end <= units.length; end++) {
    best[end] = Number.POSITIVE_INFINITY
    let [length, joined] = [0, 0]
    for (let start = end - 1; start >= 0; start--) {
      length += lengths[start] ?? 0
      if (length > PASSAGE_LENGTH.max && start < end - 1) break
      if (start < end - 1) joined += joins[start + 1] ?? 0
      const cost = (best[start] ?? 0) + PASSAGE_COST + lengthCost(length) + joined + (borders[end] ?? 0)
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
  return TOO_SHORT_COST * missing * missing + excess * excess
}

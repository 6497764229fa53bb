// Dates that a page gives and that are not taken for its own, for whoever asks why.
import type { FoundDate, OtherDate } from '../document.ts'
import type { DateCandidate } from './date-evidence.ts'
import { daysApart } from './parse-date.ts'

/** Below, a date on a page is anything's. */
const TRUST_MIN = 3
const OTHERS_MAX = 5
/** A day more or less is a matter of zones. */
const DAYS_APART_MIN = 2

const SAYS: Readonly<Record<DateCandidate['kind'], OtherDate['says']>> = {
  published: 'published',
  modified: 'updated',
  any: 'unclear',
}

/**
 * The candidates that lie more than a day from every chosen date, most trusted first, each day once. `best` are those that
 * would have been chosen by themselves: where one of them was not, the two contradicted each other.
 */
export function otherDates(
  candidates: readonly DateCandidate[],
  chosen: readonly (FoundDate | null)[],
  best: readonly (DateCandidate | null)[],
): OtherDate[] {
  const days = chosen.filter((date) => date !== null).map(({ iso }) => iso.slice(0, 10))
  const others = new Map<string, OtherDate>()
  for (const candidate of candidates.toSorted((left, right) => right.trust - left.trust)) {
    const { date, kind, source, trust } = candidate
    const isOther = days.every((day) => daysApart(day, date.day) >= DAYS_APART_MIN)
    if (trust < TRUST_MIN || !isOther || others.has(date.day) || others.size === OTHERS_MAX) continue
    const reason = best.includes(candidate) ? 'updated_before_published' : 'less_trusted'
    others.set(date.day, { iso: date.iso, source, says: SAYS[kind], reason })
  }
  return [...others.values()]
}

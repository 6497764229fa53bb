// What a passage's probability becomes beside its rivals: one that stands out of its pool is right more often than its
// own evidence says, one that is beaten less often.
import { z } from 'zod'
import { logOddsOf, sigmoid } from './calibration.ts'

/**
 * Of the log odds that a passage has by itself, of its lead over the best other one and over the mean of its best rivals,
 * each at most `leadMax` either way, of the natural logarithm of how many passages the pool has, and of the share of the
 * query's words that any of them holds.
 */
export const standingSchema = z.object({
  logOdds: z.number().positive(),
  lead: z.number().nonnegative(),
  field: z.number().nonnegative(),
  leadMax: z.number().positive(),
  size: z.number(),
  answerable: z.number(),
  intercept: z.number(),
})

export type Standing = z.infer<typeof standingSchema>

/** Probabilities nearer to 0 or 1 than this say no more; as in models/relevance/fit.py. */
const LEAST_PROBABILITY = 0.0005
/** Rivals that make the field; as in models/relevance/fit.py. */
export const RIVALS = 4

/** What is known of a pool beside its probabilities. */
interface Pool {
  /** Which passages are no rivals of each other: pieces of one text. */
  documentOf: (row: number) => number
  /** Share of the query's words that any passage holds, 0..1. */
  answerable: number
}

/**
 * Probabilities of one pool, 0..1, into such that know of each other; the order of the best of each document stays. A passage
 * alone in its pool has no lead.
 */
export function besideRivals(
  probabilities: Float64Array<ArrayBuffer>,
  { logOdds, lead, field, leadMax, size, answerable, intercept }: Standing,
  { documentOf, answerable: held }: Pool = { documentOf: (row) => row, answerable: 0 },
): Float64Array<ArrayBuffer> {
  const odds = probabilities.map((probability) => logOddsOf(probability, LEAST_PROBABILITY))
  const best = bestOfDocuments(odds, documentOf)
  const leading = [...best.entries()].toSorted(([, left], [, right]) => right - left).slice(0, RIVALS + 1)
  const bounded = (ahead: number): number => Math.max(-leadMax, Math.min(leadMax, ahead))
  const base = intercept + size * Math.log(Math.max(1, odds.length)) + answerable * held
  return odds.map((own, row) => {
    const rivals = rivalsOf(documentOf(row), leading)
    const [next = own] = rivals
    const ofField = rivals.length === 0 ? own : rivals.reduce((sum, rival) => sum + rival, 0) / rivals.length
    return sigmoid(base + logOdds * own + lead * bounded(own - next) + field * bounded(own - ofField))
  })
}

function bestOfDocuments(
  odds: Float64Array,
  documentOf: (row: number) => number,
): ReadonlyMap<number, number> {
  const best = new Map<number, number>()
  for (const [row, own] of odds.entries()) {
    const document = documentOf(row)
    best.set(document, Math.max(own, best.get(document) ?? own))
  }
  return best
}

/** What the best others are worth. */
const rivalsOf = (own: number, leading: readonly (readonly [number, number])[]): number[] =>
  leading
    .filter(([document]) => document !== own)
    .slice(0, RIVALS)
    .map(([, odds]) => odds)

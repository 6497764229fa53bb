// What a passage's probability becomes beside its rivals: one that stands out of its pool is right more often than its
// own evidence says, one that is beaten less often.
import { z } from 'zod'
import { logOddsOf, sigmoid } from './calibration.ts'

/**
 * Of the log odds that a passage has by itself, of its lead over the best other one and over the mean of its best rivals,
 * each at most `leadMax` either way, and of the natural logarithm of how many passages the pool has.
 */
export const standingSchema = z.object({
  logOdds: z.number().positive(),
  lead: z.number().nonnegative(),
  field: z.number().nonnegative(),
  leadMax: z.number().positive(),
  size: z.number(),
  intercept: z.number(),
})

export type Standing = z.infer<typeof standingSchema>

/** Probabilities nearer to 0 or 1 than this say no more; as in models/relevance/fit.py. */
const LEAST_PROBABILITY = 0.0005
/** Rivals that make the field; as in models/relevance/fit.py. */
export const RIVALS = 4

/** Probabilities of one pool, 0..1, into such that know of each other; their order stays. A passage alone has no lead. */
export function besideRivals(
  probabilities: Float64Array<ArrayBuffer>,
  { logOdds, lead, field, leadMax, size, intercept }: Standing,
): Float64Array<ArrayBuffer> {
  const odds = probabilities.map((probability) => logOddsOf(probability, LEAST_PROBABILITY))
  const best = bestOf(odds, RIVALS + 1)
  const bounded = (ahead: number): number => Math.max(-leadMax, Math.min(leadMax, ahead))
  const base = intercept + size * Math.log(Math.max(1, odds.length))
  return odds.map((own) => {
    const rivals = rivalsOf(own, best)
    const [next = own] = rivals
    const ofField = rivals.length === 0 ? own : rivals.reduce((sum, rival) => sum + rival, 0) / rivals.length
    return sigmoid(base + logOdds * own + lead * bounded(own - next) + field * bounded(own - ofField))
  })
}

/** The `count` greatest values, the greatest first. */
function bestOf(values: Float64Array, count: number): number[] {
  const best: number[] = []
  for (const value of values) {
    if (best.length === count && value <= (best.at(-1) ?? value)) continue
    const place = best.findIndex((other) => other < value)
    best.splice(place === -1 ? best.length : place, 0, value)
    best.length = Math.min(best.length, count)
  }
  return best
}

/** The best of the pool but for itself. */
function rivalsOf(own: number, best: readonly number[]): number[] {
  const self = best.indexOf(own)
  return best.filter((_, place) => place !== (self === -1 ? best.length - 1 : self)).slice(0, RIVALS)
}

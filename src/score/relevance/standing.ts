// What a passage's probability becomes beside its rivals: one that stands out of its pool is right more often than its
// own evidence says, one that is beaten less often.
import { z } from 'zod'
import { logOddsOf, sigmoid } from './calibration.ts'

/**
 * Of the log odds that a passage has by itself, and of its lead over the best other one, at most `leadMax` either way.
 */
export const standingSchema = z.object({
  logOdds: z.number().positive(),
  lead: z.number().nonnegative(),
  leadMax: z.number().positive(),
  intercept: z.number(),
})

export type Standing = z.infer<typeof standingSchema>

/** Probabilities nearer to 0 or 1 than this say no more; as in models/relevance/fit.py. */
const LEAST_PROBABILITY = 0.0005

/** Probabilities of one pool, 0..1, into such that know of each other; their order stays. A passage alone has no lead. */
export function besideRivals(
  probabilities: Float64Array<ArrayBuffer>,
  { logOdds, lead, leadMax, intercept }: Standing,
): Float64Array<ArrayBuffer> {
  const odds = probabilities.map((probability) => logOddsOf(probability, LEAST_PROBABILITY))
  let [best, next] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of odds) {
    next = Math.max(next, Math.min(best, value))
    best = Math.max(best, value)
  }
  const isAlone = odds.length < 2
  return odds.map((own) => {
    const ahead = isAlone ? 0 : own - (own === best ? next : best)
    return sigmoid(intercept + logOdds * own + lead * Math.max(-leadMax, Math.min(leadMax, ahead)))
  })
}

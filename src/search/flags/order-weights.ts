// What was learned of orders to a model: a weight for each feature (logistic regression). Learned offline.
import { createRequire } from 'node:module'
import { z } from 'zod'
import { orderFeaturesOf } from './order-features.ts'

const weightsSchema = z.object({
  version: z.string(),
  /** Added to every sum. */
  intercept: z.number(),
  /** From which sum on a stretch is taken for an order. */
  least: z.number(),
  weights: z.record(z.string(), z.number()),
})

export type OrderWeights = z.output<typeof weightsSchema>

/** Whether a folded stretch of text, a clause or two, gives orders to a model. */
export type OrderJudge = (folded: string) => boolean

export function createOrderJudge({ intercept, least, weights }: OrderWeights): OrderJudge {
  const known = new Map(Object.entries(weights))
  return (folded) => {
    const features = orderFeaturesOf(folded)
    let sum = 0
    for (const feature of features) sum += known.get(feature) ?? 0
    // The longer a stretch, the less each of its words says of it.
    return sum / Math.sqrt(Math.max(1, features.size)) + intercept >= least
  }
}

/** Reads the weights that ship with the service, which are data to the compiler: by their name in package.json. */
export function loadOrderWeights(): OrderWeights {
  const weights: unknown = createRequire(import.meta.url)('#models/flags/orders.json')
  return weightsSchema.parse(weights)
}

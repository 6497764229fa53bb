// From features to a probability: one logistic map per model, kept in models/calibration.json.
import { z } from 'zod'

/** What a map may weigh. A feature absent from a map weighs nothing. */
export const FEATURE_NAMES = [
  /** Cosine of the mean vectors: the bundled model's in its own map, the tier's model's in the others. */
  'cosine',
  'maxSim',
  /** What the words in common tell: BM25 (0..1) times `queryInformation`. */
  'information',
  'adjacency',
  /** How much the query asks for: ln(1 + its information in nats). All of two common words is little of an answer. */
  'queryInformation',
  /** What BM25 an ordinary passage of the pool reaches: the noise that a passage must stand out of. */
  'poolBm25',
  /** The same for MaxSim, which is higher in languages that the model knows well. */
  'poolMaxSim',
  /** The logit of the first stage's own relevance, for the maps of the models that come after it. */
  'firstStage',
  /** From the same pass as the cosine: the best sentence's, and how well each word of the query is met. */
  'bestSentence',
  'bodyMaxSim',
  'weakestWords',
  /** The logit of a cross-encoder. */
  'crossEncoder',
] as const

export type FeatureName = (typeof FEATURE_NAMES)[number]
export type Features = Partial<Record<FeatureName, number>>

const reliabilityBinSchema = z.object({
  /** Bin borders on the score. */
  from: z.number(),
  to: z.number(),
  count: z.int().nonnegative(),
  meanScore: z.number(),
  /** Share of passages in this bin that were judged relevant. */
  relevantShare: z.number(),
})

const mapSchema = z.object({
  /** Whether the weights were fitted on labelled passages, or chosen by hand where the model was not at hand. */
  source: z.enum(['fitted', 'default']),
  intercept: z.number(),
  weights: z.partialRecord(z.enum(FEATURE_NAMES), z.number()),
  /** Measured on sets the fit did not see (leave one set out); absent for defaults. */
  expectedCalibrationError: z.number().nullable(),
  reliability: z.array(reliabilityBinSchema),
})

export const calibrationSchema = z.object({ maps: z.record(z.string(), mapSchema) })

export type CalibrationMap = z.infer<typeof mapSchema>
export type ReliabilityBin = z.infer<typeof reliabilityBinSchema>

export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit))

/** Log odds beyond 14 say no more than "certainly". */
const LEAST_PROBABILITY = sigmoid(-14)

/** The inverse of `sigmoid`, of a probability (0..1) that is kept `least` away from 0 and from 1. */
export function logOddsOf(probability: number, least = LEAST_PROBABILITY): number {
  const bounded = Math.min(1 - least, Math.max(least, probability))
  return Math.log(bounded / (1 - bounded))
}

/** The logit of a map: its intercept and weighted features. Missing features count as 0. */
export function logitOf(map: Pick<CalibrationMap, 'intercept' | 'weights'>, features: Features): number {
  let logit = map.intercept
  for (const name of FEATURE_NAMES) logit += (map.weights[name] ?? 0) * (features[name] ?? 0)
  return logit
}

/**
 * Checks the content of models/calibration.json and returns its maps by model name (`bundled`, `all-MiniLM-L6-v2`…).
 *
 * @throws {z.ZodError} when the file does not have this shape.
 * @throws {RangeError} when a map falls while the cosine rises: such a score would mislead.
 */
export function loadCalibration(json: unknown) {
  const { maps } = calibrationSchema.parse(json)
  for (const [model, map] of Object.entries(maps)) {
    if ((map.weights.cosine ?? 0) < 0)
      throw new RangeError(`The calibration of ${model} falls with the cosine.`)
  }
  const byModel: ReadonlyMap<string, CalibrationMap> = new Map(Object.entries(maps))
  return {
    models: Array.from(byModel.keys()),
    has: (model: string): boolean => byModel.has(model),

    /** @throws {RangeError} for a model without a map. */
    mapOf(model: string): CalibrationMap {
      const map = byModel.get(model)
      if (!map) throw new RangeError(`No calibration for the model ${model}.`)
      return map
    },

    /** Probability, 0..1, that a passage with these features is relevant. */
    relevance(model: string, features: Features): number {
      return sigmoid(logitOf(this.mapOf(model), features))
    },
  }
}

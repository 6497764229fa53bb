// Fits one weight for each feature by Newton's method, so that passages come in the right order and the probability of those
// that are shown is right.
import { type FeatureName, sigmoid } from '../relevance/calibration.ts'
import { bestPassages, type LabelledPool, SHOWN_PASSAGES } from './labelled-pool.ts'

/** Weight of "the probability is right" against "the order is right" in the loss. */
const CALIBRATION_SHARE = 4
/** The order is judged on logits this much flatter than the calibrated ones. */
const RANKING_SHARPNESS = 0.65 ** -1
const NEWTON_STEPS = 12
/** Keeps weights finite where a feature separates the sets perfectly. */
const RIDGE = 1e-4
/** Which passages are shown depends on the weights, so the fit starts again from its own result. */
const ROUNDS = 2

/** Features that may count against a passage; all others only for it, so that a better match never scores lower. */
const MAY_BE_NEGATIVE: ReadonlySet<FeatureName> = new Set(['queryInformation', 'poolBm25', 'poolMaxSim'])

export interface Weights {
  intercept: number
  weights: Partial<Record<FeatureName, number>>
}

/** A pool as numbers: one row per passage, its features and a 1 for the intercept. */
export interface PoolRows {
  set: string
  weight: number
  width: number
  values: Float64Array
  isRelevant: Uint8Array
}

/** Every set weighs the same. */
export function toRows(pools: readonly LabelledPool[], features: readonly FeatureName[]): PoolRows[] {
  const sizes = new Map<string, number>()
  for (const { set } of pools) sizes.set(set, (sizes.get(set) ?? 0) + 1)
  return pools.map(({ set, passages, relevant }) => {
    const isRelevant = new Uint8Array(passages.length)
    for (const index of relevant) isRelevant[index] = 1
    return {
      set,
      weight: 1 / ((sizes.get(set) ?? 1) * sizes.size),
      width: features.length + 1,
      values: Float64Array.from(
        passages.flatMap((passage) => [...features.map((name) => passage[name] ?? 0), 1]),
      ),
      isRelevant,
    }
  })
}

/** First and second derivatives of the loss, summed over all passages. */
interface Slope {
  gradient: Float64Array
  /** Gauss and Newton's approximation: never negative, so a step always goes down. */
  curvature: Float64Array
}

function logits({ values, width, isRelevant }: PoolRows, parameters: Float64Array): Float64Array {
  return Float64Array.from(isRelevant, (_, row) => {
    let sum = 0
    for (let at = 0; at < width; at++) sum += (parameters[at] ?? 0) * (values[row * width + at] ?? 0)
    return sum
  })
}

/** Adds `first` times a row to the gradient and `second` times its square to the curvature. */
function addRow(slope: Slope, values: Float64Array, start: number, first: number, second: number): void {
  const width = slope.gradient.length
  for (let one = 0; one < width; one++) {
    const value = values[start + one] ?? 0
    slope.gradient[one] = (slope.gradient[one] ?? 0) + first * value
    for (let other = 0; other < width; other++) {
      const at = one * width + other
      slope.curvature[at] = (slope.curvature[at] ?? 0) + second * value * (values[start + other] ?? 0)
    }
  }
}

/**
 * The listwise loss (softmax cross entropy, Cao et al., "Learning to Rank", ICML 2007) of one pool: the relevant
 * passages together should hold all of the probability.
 */
function addRanking(slope: Slope, pool: PoolRows, scores: Float64Array): void {
  if (!pool.isRelevant.includes(1)) return
  const { width, values, weight } = pool
  const top = scores.reduce((most, score) => Math.max(most, score), -Infinity)
  const powers = scores.map((score) => Math.exp(RANKING_SHARPNESS * (score - top)))
  const all = powers.reduce((sum, power) => sum + power, 0)
  const relevant = powers.reduce((sum, power, row) => sum + (pool.isRelevant[row] === 1 ? power : 0), 0)
  const mean = new Float64Array(width)
  for (const [row, power] of powers.entries()) {
    const share = power / all
    const excess = share - (pool.isRelevant[row] === 1 ? power / Math.max(relevant, Number.MIN_VALUE) : 0)
    const factor = weight * RANKING_SHARPNESS
    addRow(slope, values, row * width, factor * excess, factor * RANKING_SHARPNESS * share)
    for (let at = 0; at < width; at++) mean[at] = (mean[at] ?? 0) + share * (values[row * width + at] ?? 0)
  }
  addRow(
    { gradient: new Float64Array(width), curvature: slope.curvature },
    mean,
    0,
    0,
    -weight * RANKING_SHARPNESS ** 2,
  )
}

/** The logistic loss of the passages of one pool that would be shown. */
function addCalibration(slope: Slope, pool: PoolRows, shown: readonly number[], scores: Float64Array): void {
  const weight = (CALIBRATION_SHARE * pool.weight) / SHOWN_PASSAGES
  for (const row of shown) {
    const probability = sigmoid(scores[row] ?? 0)
    const error = probability - (pool.isRelevant[row] ?? 0)
    addRow(slope, pool.values, row * pool.width, weight * error, weight * probability * (1 - probability))
  }
}

/** Solves the symmetric system for the free parameters by Gauss elimination; the others get 0. */
function solve({ gradient, curvature }: Slope, isFree: readonly boolean[]): Float64Array {
  const width = gradient.length
  const rows = Array.from({ length: width }, (_, one) =>
    Float64Array.from({ length: width + 1 }, (__, other) => {
      if (isFree[one] !== true || isFree[other] === false) return one === other ? 1 : 0
      return other === width ? (gradient[one] ?? 0) : (curvature[one * width + other] ?? 0)
    }),
  )
  for (const [pivot, row] of rows.entries()) {
    const lead = row[pivot] ?? 1
    for (const [index, other] of rows.entries()) {
      const factor = index === pivot ? 0 : (other[pivot] ?? 0) / lead
      for (let at = pivot; at <= width; at++) other[at] = (other[at] ?? 0) - factor * (row[at] ?? 0)
    }
  }
  return Float64Array.from(rows, (row, index) =>
    isFree[index] === true ? (row[width] ?? 0) / (row[index] ?? 1) : 0,
  )
}

/** Newton's method over all pools at once, kept inside the allowed signs; no chance is involved. */
function descend(
  pools: readonly PoolRows[],
  features: readonly FeatureName[],
  parameters: Float64Array,
): void {
  const width = parameters.length
  const shown = pools.map((pool) => bestPassages(logits(pool, parameters), SHOWN_PASSAGES))
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const slope: Slope = {
      gradient: parameters.map((value) => 2 * RIDGE * value),
      curvature: new Float64Array(width * width),
    }
    for (let at = 0; at < width; at++) slope.curvature[at * width + at] = 2 * RIDGE
    for (const [index, pool] of pools.entries()) {
      const scores = logits(pool, parameters)
      addRanking(slope, pool, scores)
      addCalibration(slope, pool, shown[index] ?? [], scores)
    }
    const isBounded = features.map((name) => !MAY_BE_NEGATIVE.has(name))
    const isFree = Array.from(
      parameters,
      (value, at) => !(isBounded[at] === true && value === 0 && (slope.gradient[at] ?? 0) > 0),
    )
    const change = solve(slope, isFree)
    for (let at = 0; at < width; at++) {
      const value = (parameters[at] ?? 0) - (change[at] ?? 0)
      parameters[at] = isBounded[at] === true ? Math.max(0, value) : value
    }
  }
}

/** The weights that fit these pools best. */
export function fitWeights(rows: readonly PoolRows[], features: readonly FeatureName[]): Weights {
  const parameters = Float64Array.from([...features.map((name) => (MAY_BE_NEGATIVE.has(name) ? 0 : 1)), -2])
  for (let round = 0; round < ROUNDS; round++) descend(rows, features, parameters)
  const weights = Object.fromEntries(features.map((name, index) => [name, parameters[index] ?? 0]))
  return { intercept: parameters[features.length] ?? 0, weights }
}

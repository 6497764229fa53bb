// Fits a calibration map to labelled passages and measures it on sets it has not seen.
import { type CalibrationMap, type FeatureName, logitOf, sigmoid } from '../relevance/calibration.ts'
import { fitWeights, toRows, type Weights } from './fit-weights.ts'
import { bestPassages, type LabelledPool, SHOWN_PASSAGES } from './labelled-pool.ts'
import { expectedCalibrationError, type JudgedScore, reliabilityOf } from './reliability.ts'

/** Scores of the passages that would be shown, each with the judgement. */
function shownScores(pool: LabelledPool, map: Weights): JudgedScore[] {
  const scores = pool.passages.map((features) => sigmoid(logitOf(map, features)))
  return bestPassages(scores, SHOWN_PASSAGES).map((index) => ({
    score: scores[index] ?? 0,
    isRelevant: pool.relevant.includes(index),
  }))
}

/** Sets whose names begin alike ("xquad_de", "xquad_es") come from one collection. */
const collectionOf = (set: string): string => set.split('_', 1)[0] ?? set

/**
 * What is left out together: the sets of one collection ask the same questions of the same pages, so one would give the
 * other away. Where there is but one collection, its sets are left out one by one.
 */
function foldOf(sets: readonly string[]): (set: string) => string {
  return new Set(sets.map(collectionOf)).size > 1 ? collectionOf : (set) => set
}

/**
 * Fits the map of one model: ranks within each query and is right as a probability for the passages shown. Weights of
 * what a passage matches are at least 0; those of the query and the pool are free. The reliability comes from leaving
 * one collection of sets out at a time; `heldOut` holds, for every set, the weights fitted without its collection.
 *
 * @throws {RangeError} without pools of at least two sets: nothing could be left out.
 */
export function fitCalibration(
  pools: readonly LabelledPool[],
  features: readonly FeatureName[],
): { map: CalibrationMap; heldOut: ReadonlyMap<string, Weights> } {
  const sets = Array.from(new Set(pools.map(({ set }) => set)))
  if (sets.length < 2) throw new RangeError('Calibration needs labelled passages of at least two sets.')
  const rows = toRows(pools, features)
  const fold = foldOf(sets)
  const byFold = new Map(
    Array.from(new Set(sets.map(fold)), (left) => {
      const others = rows.filter(({ set }) => fold(set) !== left)
      return [left, fitWeights(others, features)]
    }),
  )
  const heldOut = new Map(
    sets.flatMap((set) => {
      const weights = byFold.get(fold(set))
      return weights ? [[set, weights] as const] : []
    }),
  )
  const judged = pools.flatMap((pool) => {
    const weights = heldOut.get(pool.set)
    return weights ? shownScores(pool, weights) : []
  })
  const reliability = reliabilityOf(judged)
  const { intercept, weights } = fitWeights(rows, features)
  const map: CalibrationMap = {
    source: 'fitted',
    intercept,
    weights,
    expectedCalibrationError: expectedCalibrationError(reliability),
    reliability,
  }
  return { map, heldOut }
}

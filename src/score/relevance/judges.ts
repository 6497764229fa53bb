// Who judges at which stage: the learned relevance of a stage where one was fitted, else the logistic map of its model
// over what the first stage says.
import { z } from 'zod'
import { calibrationSchema, loadCalibration, logOddsOf, type Features } from './calibration.ts'
import type { Steps } from '../steps.ts'
import {
  columnIndex,
  comparePassagesInSteps,
  MODEL_COLUMNS,
  valueAt,
  type FeatureTable,
} from './feature-table.ts'
import { loadRelevanceModel, type ErrorPromise } from './relevance-model.ts'

/** The stage that every passage passes, which needs no transformer. */
export const FIRST_STAGE = 'first-stage'

/** The stage after an embedding model, or after it and a cross-encoder, by their ids. */
export const stageOf = (embedding: string, crossEncoder: string | null): string =>
  crossEncoder === null ? embedding : `${embedding}+${crossEncoder}`

export const judgesSchema = z.object({
  /** What models/relevance/fit.py wrote, by stage. */
  learned: z.record(z.string(), z.unknown()),
  /** Maps of models without a learned relevance (models/calibration.json). */
  calibration: calibrationSchema,
})

/**
 * @throws {RangeError} when the first stage has no learned relevance, without which nothing is judged; {z.ZodError} when
 * a file does not hold together.
 */
export function createJudges({ learned, calibration }: z.infer<typeof judgesSchema>) {
  const models = new Map(Object.entries(learned).map(([stage, json]) => [stage, loadRelevanceModel(json)]))
  const maps = loadCalibration(calibration)
  const first = models.get(FIRST_STAGE)
  if (first === undefined) throw new RangeError(`There is no learned relevance for ${FIRST_STAGE}.`)

  /** What the map of the last model that read a passage makes of it; the first stage's word where none did. */
  const mapped = (stage: string, table: FeatureTable, row: number, firstStage: number): number => {
    const [embedding = '', crossEncoder = ''] = stage.split('+')
    const features: Features = { firstStage: logOddsOf(firstStage) }
    for (const name of MODEL_COLUMNS) {
      const value = valueAt(table, row, columnIndex(name))
      if (!Number.isNaN(value)) features[name] = value
    }
    const reader = features.crossEncoder === undefined ? embedding : crossEncoder
    return features.cosine === undefined || !maps.has(reader) ? firstStage : maps.relevance(reader, features)
  }

  /** The learned relevance of a stage; of the stage before it where a cross-encoder has neither that nor a map. */
  const learnedOf = (stage: string) => {
    const [embedding = '', crossEncoder] = stage.split('+')
    return (
      models.get(stage) ??
      (crossEncoder === undefined || maps.has(crossEncoder) ? undefined : models.get(embedding))
    )
  }

  return {
    /** The version of the fit that judges a stage. */
    versionOf: (stage: string): string => (learnedOf(stage) ?? first).version,

    /** What the scores of a stage promise; nothing for a stage without a fit of its own. */
    promisesOf: (stage: string): readonly ErrorPromise[] => learnedOf(stage)?.promises ?? [],

    /** The probability of each passage; completes the columns that compare passages. */
    *judge(stage: string, table: FeatureTable, pages: ArrayLike<number>): Steps<Float64Array<ArrayBuffer>> {
      yield* comparePassagesInSteps(table, pages)
      const model = learnedOf(stage)
      if (model !== undefined) return yield* model.judgeInSteps(table, pages)
      const alone = yield* first.judgeInSteps(table, pages)
      return alone.map((value, row) => mapped(stage, table, row, value))
    },
  }
}

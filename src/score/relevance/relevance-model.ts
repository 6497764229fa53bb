// The learned relevance: boosted trees over the feature table, the curves that make their sum a probability, and what
// that is worth beside the rest of the pool.
import { z } from 'zod'
import { finish, mapInSteps, type Steps } from '../steps.ts'
import { columnIndex, valueAt, type FeatureTable } from './feature-table.ts'
import { besideRivals, RIVALS, standingSchema } from './standing.ts'
import { SCRIPTS } from './surface.ts'

/** A tree as parallel lists, a node each; a child below 0 is the leaf with the bitwise complement of its number. */
const treeSchema = z.object({
  /** Index into `columns`. */
  column: z.array(z.int().nonnegative()),
  threshold: z.array(z.number()),
  /** Where a row goes whose value is at most the threshold, and where the others go. */
  below: z.array(z.int()),
  above: z.array(z.int()),
  /** 1 where a row goes below whose value is not known. */
  unknownBelow: z.array(z.literal([0, 1])),
  leaves: z.array(z.number()).min(1),
})

/** Points of a rising curve from log odds to a probability; linear between them, level beyond. */
const curveSchema = z.array(z.tuple([z.number(), z.number().min(0).max(1)])).min(2)

/**
 * No more than `maxError` are wrong of the passages that score `least` or more, on questions that were left out of the
 * fit.
 */
const promiseSchema = z.object({
  maxError: z.number().min(0).max(1),
  least: z.number().min(0).max(1),
})

export type ErrorPromise = z.infer<typeof promiseSchema>

/** Of passages of pages, of few or untitled ones, and of texts by themselves. */
const STANDINGS = ['pages', 'few', 'texts'] as const

const relevanceModelSchema = z.object({
  /** Names the fit; answers carry it, so that scores of different fits are not compared. */
  version: z.string(),
  /** Names of COLUMNS that the trees read. */
  columns: z.array(z.string()).min(1),
  intercept: z.number(),
  trees: z.array(treeSchema),
  curves: z.record(z.enum(SCRIPTS), curveSchema),
  standings: z.record(z.enum(STANDINGS), standingSchema),
  promises: z.array(promiseSchema),
})

type Tree = z.infer<typeof treeSchema>
type Curve = z.infer<typeof curveSchema>
export type RelevanceModel = ReturnType<typeof loadRelevanceModel>

/**
 * Reads a model that models/relevance/fit.py wrote.
 * @throws {z.ZodError} when it does not hold together; {RangeError} when it names a feature that does not exist.
 */
export function loadRelevanceModel(json: unknown) {
  const { version, columns, intercept, trees, curves, standings, promises } = relevanceModelSchema.parse(json)
  const columnOf = columns.map(columnIndex)
  const scriptColumn = columnIndex('script')
  const answerableColumn = columnIndex('answerable')

  /** Log odds of one row. */
  function logOdds(table: FeatureTable, row: number): number {
    let sum = intercept
    for (const tree of trees) sum += leafOf(tree, (column) => valueAt(table, row, columnOf[column] ?? 0))
    return sum
  }

  function probability(table: FeatureTable, row: number): number {
    const script = SCRIPTS[valueAt(table, row, scriptColumn)] ?? 'other'
    return interpolate(curves[script], logOdds(table, row))
  }

  /**
   * The probability, 0..1, that each passage answers the query, aligned with the rows of the table. Of texts by themselves
   * `pages` tells which of them each row is a piece of; left out where every row is one.
   */
  function* judgeInSteps(
    table: FeatureTable,
    pages: ArrayLike<number> | null = null,
  ): Steps<Float64Array<ArrayBuffer>> {
    const rows = Array.from({ length: table.rows }, (_, row) => row)
    const alone = Float64Array.from(yield* mapInSteps(rows, (row) => probability(table, row)))
    const kind = standingOf(table)
    const held = table.rows === 0 ? Number.NaN : valueAt(table, 0, answerableColumn)
    return besideRivals(alone, standings[kind], {
      documentOf: (row) => (kind === 'texts' ? (pages?.[row] ?? row) : row),
      answerable: Number.isNaN(held) ? 0 : held,
    })
  }

  return {
    version,
    promises,
    judgeInSteps,
    /** All of it at once. */
    judge: (table: FeatureTable, pages: ArrayLike<number> | null = null): Float64Array<ArrayBuffer> =>
      finish(judgeInSteps(table, pages)),
    logOdds,
  }
}

/**
 * Pools of pages have hundreds of passages, and by that measure one that has no rivals stands out of nothing, however well
 * it answers.
 */
function standingOf({ of, rows }: FeatureTable): (typeof STANDINGS)[number] {
  if (of === 'texts') return 'texts'
  return of === 'untitled' || rows <= RIVALS ? 'few' : 'pages'
}

function leafOf(tree: Tree, valueOf: (column: number) => number): number {
  let node = tree.column.length === 0 ? -1 : 0
  while (node >= 0) {
    const value = valueOf(tree.column[node] ?? 0)
    const isBelow = Number.isNaN(value) ? tree.unknownBelow[node] === 1 : value <= (tree.threshold[node] ?? 0)
    node = (isBelow ? tree.below[node] : tree.above[node]) ?? -1
  }
  return tree.leaves[-1 - node] ?? 0
}

function interpolate(curve: Curve, at: number): number {
  const next = curve.findIndex(([x]) => x >= at)
  const [first, last] = [curve[0], curve.at(-1)]
  if (next === 0) return first?.[1] ?? 0
  if (next === -1) return last?.[1] ?? 0
  const [[x0, y0], [x1, y1]] = [curve[next - 1] ?? [0, 0], curve[next] ?? [0, 0]]
  return x1 > x0 ? y0 + ((y1 - y0) * (at - x0)) / (x1 - x0) : y1
}

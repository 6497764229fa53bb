// The table of what is known of each passage of a pool, a row a passage, in the order in which the learned relevance
// reads it; what is not known is NaN.
import { finish, type Steps } from '../steps.ts'
import { ANSWER_KINDS } from './answer-kinds.ts'

/** Of the passage and the query alone: what the first stage tells. */
export const FIRST_STAGE_COLUMNS = [
  'bm25Text',
  'bm25Heading',
  'bm25Full',
  'coverText',
  'coverHeading',
  'coverFull',
  'spelling',
  'adjacency',
  'echo',
  'repeated',
  'staticCosine',
  'staticMaxSim',
  'staticHeadingCosine',
  'staticFullMaxSim',
  'isQuery',
  'characters',
  'words',
  'sentences',
  'lines',
  'digits',
  'endsWithQuestion',
  'contentWeight',
  'place',
  'answerable',
  'queryInformation',
  'queryTerms',
  'isQuestion',
  'poolSize',
  'script',
  'isForeign',
  ...ANSWER_KINDS,
] as const

/** What an embedding model and a cross-encoder tell of the passages they read. */
export const MODEL_COLUMNS = [
  'cosine',
  'bestSentence',
  'maxSim',
  'bodyMaxSim',
  'weakestWords',
  'crossEncoder',
] as const

/** Columns whose distance to the pool's best, rank and page's best the learned relevance sees too. */
const COMPARED_COLUMNS = [
  'bm25Full',
  'coverFull',
  'spelling',
  'staticFullMaxSim',
  'cosine',
  'bestSentence',
  'maxSim',
  'crossEncoder',
] as const

/**
 * Columns of which the learned relevance also sees what the passages directly before and after have: an answer often stands
 * beside the words it answers.
 */
const NEIGHBOUR_COLUMNS = ['bm25Full', 'staticFullMaxSim', 'cosine', 'maxSim'] as const

export type FirstStageColumn = (typeof FIRST_STAGE_COLUMNS)[number]
export type ModelColumn = (typeof MODEL_COLUMNS)[number]
export type BaseColumn = FirstStageColumn | ModelColumn

const BASE_COLUMNS: readonly BaseColumn[] = [...FIRST_STAGE_COLUMNS, ...MODEL_COLUMNS]

/** Every column that a learned relevance may name, in order. */
export const COLUMNS: readonly string[] = [
  ...BASE_COLUMNS,
  ...COMPARED_COLUMNS.flatMap((name) => [`${name}Gap`, `${name}Rank`, `${name}PageGap`]),
  ...NEIGHBOUR_COLUMNS.flatMap((name) => [`${name}Before`, `${name}After`]),
]

/** Passages of pages, or of such as have neither title nor heading, or texts by themselves, as they come to be re-ranked. */
export const POOL_KINDS = ['pages', 'untitled', 'texts'] as const
export type PoolKind = (typeof POOL_KINDS)[number]

export interface FeatureTable {
  of: PoolKind
  rows: number
  /** `rows` x COLUMNS.length, row by row. */
  values: Float32Array<ArrayBuffer>
}

const WIDTH = COLUMNS.length
const indexOf = new Map(COLUMNS.map((name, index) => [name, index]))
const ECHO = COLUMNS.indexOf('echo')
const PLACE = COLUMNS.indexOf('place')

/** @throws {RangeError} for a column that is not in COLUMNS. */
export function columnIndex(name: string): number {
  const index = indexOf.get(name)
  if (index === undefined) throw new RangeError(`There is no feature "${name}".`)
  return index
}

export function createFeatureTable(rows: number, of: PoolKind = 'pages'): FeatureTable {
  return { of, rows, values: new Float32Array(rows * WIDTH).fill(Number.NaN) }
}

export function setColumn(table: FeatureTable, name: BaseColumn, valueOf: (row: number) => number): void {
  const column = columnIndex(name)
  for (let row = 0; row < table.rows; row++) table.values[row * WIDTH + column] = valueOf(row)
}

export function setCell(table: FeatureTable, row: number, column: number, value: number): void {
  table.values[row * WIDTH + column] = value
}

export const valueAt = (table: FeatureTable, row: number, column: number): number =>
  table.values[row * WIDTH + column] ?? Number.NaN

/** Fills in how each passage compares with the pool. `pages` tells which page each row stands on. */
export const comparePassages = (table: FeatureTable, pages: ArrayLike<number>): void =>
  finish(comparePassagesInSteps(table, pages))

/** The same, a column a step. */
export function* comparePassagesInSteps(table: FeatureTable, pages: ArrayLike<number>): Steps<void> {
  for (const name of COMPARED_COLUMNS) {
    compareColumn(table, pages, columnIndex(name), columnIndex(`${name}Gap`))
    yield
  }
  const runs = inReadingOrder(table, pages)
  for (const name of NEIGHBOUR_COLUMNS)
    lookAround(table, runs, columnIndex(name), columnIndex(`${name}Before`))
}

/**
 * The rows of each page in the order in which they stand there; null in the place of one that shares its place with
 * another, since which of them comes first is not known.
 */
function inReadingOrder({ rows, values }: FeatureTable, pages: ArrayLike<number>): (number | null)[][] {
  const runs = new Map<number, number[]>()
  for (let row = 0; row < rows; row++) {
    const page = pages[row] ?? 0
    const run = runs.get(page)
    if (run === undefined) runs.set(page, [row])
    else run.push(row)
  }
  const placeOf = (row: number): number => values[row * WIDTH + PLACE] ?? 0
  const isTied = (row: number, other: number | undefined): boolean =>
    other !== undefined && placeOf(other) === placeOf(row)
  return Array.from(runs.values(), (run) => {
    const ordered = run.toSorted((left, right) => placeOf(left) - placeOf(right))
    return ordered.map((row, index) =>
      isTied(row, ordered[index - 1]) || isTied(row, ordered[index + 1]) ? null : row,
    )
  })
}

/**
 * Writes what the passages before and after have in a column, side by side from `target` on; NaN at a page's ends and
 * beside one whose order is not known.
 */
function lookAround(
  { values }: FeatureTable,
  runs: readonly (readonly (number | null)[])[],
  column: number,
  target: number,
): void {
  const at = (row: number | null = null): number =>
    row === null ? Number.NaN : (values[row * WIDTH + column] ?? Number.NaN)
  for (const run of runs)
    for (const [index, row] of run.entries()) {
      if (row === null) continue
      values[row * WIDTH + target] = at(run[index - 1])
      values[row * WIDTH + target + 1] = at(run[index + 1])
    }
}

/** A passage of which this share of the words are the query's says no more than the query, however close it comes. */
const ECHO_SHARE = 0.8

/**
 * Writes gap, rank and page's gap of one column, which stand side by side from `target` on. Passages that only echo the
 * query are held against the others, and no other against them.
 */
function compareColumn(
  { rows, values }: FeatureTable,
  pages: ArrayLike<number>,
  column: number,
  target: number,
): void {
  const at = (row: number): number => values[row * WIDTH + column] ?? Number.NaN
  const isEcho = (row: number): boolean => (values[row * WIDTH + ECHO] ?? 0) >= ECHO_SHARE
  const known = Array.from({ length: rows }, (_, row) => row).filter((row) => !Number.isNaN(at(row)))
  const rivals = known.filter((row) => !isEcho(row))
  const ordered = known.toSorted((left, right) => at(right) - at(left))
  const bestOfPage = new Map<number, number>()
  let best = Number.NEGATIVE_INFINITY
  for (const row of rivals) {
    const page = pages[row] ?? 0
    bestOfPage.set(page, Math.max(bestOfPage.get(page) ?? Number.NEGATIVE_INFINITY, at(row)))
    best = Math.max(best, at(row))
  }
  let [above, equal, previous] = [0, 0, Number.NaN]
  for (const row of ordered) {
    if (at(row) !== previous) [above, equal, previous] = [above + equal, 0, at(row)]
    const cell = row * WIDTH + target
    values[cell] = rivals.length === 0 ? 0 : Math.min(0, at(row) - best)
    values[cell + 1] = Math.log1p(above)
    values[cell + 2] = rivals.length === 0 ? 0 : (bestOfPage.get(pages[row] ?? 0) ?? best) - best
    if (!isEcho(row)) equal += 1
  }
}

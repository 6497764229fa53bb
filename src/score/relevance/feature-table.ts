// The table of what is known of each passage of a pool, a row a passage, in the order in which the learned relevance
// reads it; what is not known is NaN.

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

export type FirstStageColumn = (typeof FIRST_STAGE_COLUMNS)[number]
export type ModelColumn = (typeof MODEL_COLUMNS)[number]
export type BaseColumn = FirstStageColumn | ModelColumn

const BASE_COLUMNS: readonly BaseColumn[] = [...FIRST_STAGE_COLUMNS, ...MODEL_COLUMNS]

/** Every column that a learned relevance may name, in order. */
export const COLUMNS: readonly string[] = [
  ...BASE_COLUMNS,
  ...COMPARED_COLUMNS.flatMap((name) => [`${name}Gap`, `${name}Rank`, `${name}PageGap`]),
]

export interface FeatureTable {
  rows: number
  /** `rows` x COLUMNS.length, row by row. */
  values: Float32Array<ArrayBuffer>
}

const WIDTH = COLUMNS.length
const indexOf = new Map(COLUMNS.map((name, index) => [name, index]))

/** @throws {RangeError} for a column that is not in COLUMNS. */
export function columnIndex(name: string): number {
  const index = indexOf.get(name)
  if (index === undefined) throw new RangeError(`There is no feature "${name}".`)
  return index
}

export function createFeatureTable(rows: number): FeatureTable {
  return { rows, values: new Float32Array(rows * WIDTH).fill(Number.NaN) }
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
export function comparePassages(table: FeatureTable, pages: ArrayLike<number>): void {
  for (const name of COMPARED_COLUMNS)
    compareColumn(table, pages, columnIndex(name), columnIndex(`${name}Gap`))
}

/** Writes gap, rank and page's gap of one column, which stand side by side from `target` on. */
function compareColumn(
  { rows, values }: FeatureTable,
  pages: ArrayLike<number>,
  column: number,
  target: number,
): void {
  const known: number[] = []
  const bestOfPage = new Map<number, number>()
  let best = Number.NEGATIVE_INFINITY
  for (let row = 0; row < rows; row++) {
    const value = values[row * WIDTH + column] ?? Number.NaN
    if (Number.isNaN(value)) continue
    known.push(row)
    const page = pages[row] ?? 0
    bestOfPage.set(page, Math.max(bestOfPage.get(page) ?? Number.NEGATIVE_INFINITY, value))
    best = Math.max(best, value)
  }
  const at = (row: number): number => values[row * WIDTH + column] ?? 0
  const ordered = known.toSorted((left, right) => at(right) - at(left))
  let rank = 0
  for (const [position, row] of ordered.entries()) {
    const before = ordered[position - 1]
    if (before === undefined || at(before) !== at(row)) rank = position
    const cell = row * WIDTH + target
    values[cell] = at(row) - best
    values[cell + 1] = Math.log1p(rank)
    values[cell + 2] = (bestOfPage.get(pages[row] ?? 0) ?? best) - best
  }
}

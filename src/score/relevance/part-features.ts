// What is known of each part of a passage (a sentence, a list item, a row, a line of code) beside the query, a row a
// part, in the order in which the highlight map reads it; what is not known is NaN.
import { PART_SIMILARITIES } from '../models/token-similarity.ts'
import type { ScoredPassage, TextSpan } from '../passage.ts'
import { countOfKind, kindsAsked } from './answer-kinds.ts'
import { columnIndex, valueAt } from './feature-table.ts'
import type { FirstStage } from './first-stage.ts'
import { scriptOf } from './surface.ts'

/** Columns of the first stage's table, which reads parts as if they were passages. */
const FIRST_STAGE_COLUMNS = [
  'bm25Text',
  'bm25Full',
  'coverText',
  'spelling',
  'adjacency',
  'echo',
  'staticCosine',
  'staticMaxSim',
  'isQuery',
  'characters',
  'digits',
  'endsWithQuestion',
] as const

export const PART_COLUMNS = [
  ...FIRST_STAGE_COLUMNS,
  /** What the embedding model says of the part. */
  'cosine',
  'maxSim',
  /** ln(1 + its place in the passage), whether it is the last, and its share of the passage's characters. */
  'order',
  'isLast',
  'share',
  /** Whether the query asks for a number and the part holds one. */
  'askedNumber',
  /** The first stage's columns of the part before: an answer often follows the sentence that repeats the question. */
  'coverBefore',
  'maxSimBefore',
  'questionBefore',
  /** What the re-ranker says of the part's tokens in the mean, where it says that, of a passage in Latin letters. */
  'answering',
] as const

/** What models say of a passage's parts, as far as they read it. */
export interface ReadParts {
  /** PART_SIMILARITIES of each part, one after the other. */
  similarities?: Float32Array
  /** Of the re-ranker, a number a part. */
  answering?: Float32Array
}

/** A passage whose parts are to be told apart. */
export interface PassageToHighlight extends ReadParts {
  passage: ScoredPassage
  /** 0..1, the probability that it answers. */
  relevance: number
}

const WIDTH = PART_COLUMNS.length
const partColumn = (name: (typeof PART_COLUMNS)[number]): number => PART_COLUMNS.indexOf(name)

/**
 * One row of PART_COLUMNS a part, passage after passage. Pure; takes about as long as the first stage over as many
 * passages.
 */
export function readParts(
  firstStage: FirstStage,
  query: string,
  passages: readonly PassageToHighlight[],
): Float32Array<ArrayBuffer> {
  const parts = passages.flatMap(({ passage: { parts: spans = [], text, ...rest } }) =>
    spans.map(({ start, end }) => Object.assign({ text: text.slice(start, end) }, rest)),
  )
  const table = firstStage.readPool(query, parts)
  const values = new Float32Array(parts.length * WIDTH).fill(Number.NaN)
  for (const [to, name] of FIRST_STAGE_COLUMNS.entries())
    for (let row = 0; row < parts.length; row++)
      values[row * WIDTH + to] = valueAt(table, row, columnIndex(name))
  const asksNumber = kindsAsked(query).includes('askedNumbers')
  let row = 0
  for (const asked of passages) {
    const own = asked.passage.parts ?? []
    setPlaces(values, row, asked.passage, own, asksNumber)
    setSimilarities(values, row, own.length, asked)
    // Of other scripts it was taught next to nothing, and their parts are told better without its word.
    if (scriptOf(asked.passage.text, '') === 'latin') setAnswering(values, row, asked)
    setNeighbours(values, row, own.length)
    row += own.length
  }
  return values
}

function setPlaces(
  values: Float32Array,
  first: number,
  { text }: ScoredPassage,
  parts: readonly TextSpan[],
  asksNumber: boolean,
): void {
  for (const [index, { start, end }] of parts.entries()) {
    const cell = (first + index) * WIDTH
    values[cell + partColumn('order')] = Math.log1p(index)
    values[cell + partColumn('isLast')] = index === parts.length - 1 ? 1 : 0
    values[cell + partColumn('share')] = (end - start) / text.length
    values[cell + partColumn('askedNumber')] =
      asksNumber && countOfKind('askedNumbers', text.slice(start, end)) > 0 ? 1 : 0
  }
}

function setSimilarities(
  values: Float32Array,
  first: number,
  count: number,
  { similarities }: ReadParts,
): void {
  if (similarities === undefined) return
  for (let index = 0; index < count; index++)
    for (const [at, name] of PART_SIMILARITIES.entries())
      values[(first + index) * WIDTH + partColumn(name)] =
        similarities[index * PART_SIMILARITIES.length + at] ?? Number.NaN
}

function setAnswering(values: Float32Array, first: number, { answering }: ReadParts): void {
  for (const [index, mean] of answering?.entries() ?? [])
    values[(first + index) * WIDTH + partColumn('answering')] = mean
}

/** What stands directly before a part; 0 for the first. */
function setNeighbours(values: Float32Array, first: number, count: number): void {
  const pairs = [
    ['coverBefore', 'coverText'],
    ['maxSimBefore', 'maxSim'],
    ['questionBefore', 'endsWithQuestion'],
  ] as const
  for (const [name, source] of pairs)
    for (let index = 0; index < count; index++) {
      const before = (first + index - 1) * WIDTH + partColumn(source)
      values[(first + index) * WIDTH + partColumn(name)] = index === 0 ? 0 : (values[before] ?? 0)
    }
}

// Pools of so many documents for labelled questions: what answers, what stands near it, and texts about something else.
import { sharesWordsWith } from '../../models/relevance/shared-words.ts'
import { isEnglish, type LabelledQuery } from './evaluation-set.ts'

export interface RerankPool {
  documents: string[]
  /** Places of the documents that answer. */
  relevant: ReadonlySet<number>
  isEnglish: boolean
}

/** Every fourth question is asked without what answers it: a pool need not hold an answer. */
const WITHOUT_ANSWER_EVERY = 4

/** Coprime with any count of texts there will be, so that steps of it reach each of them once. */
const STEP = 7_919

/** The questions of each group, in the order in which the groups begin. */
export function grouped(
  queries: readonly LabelledQuery[],
  groupOf: (query: LabelledQuery) => string,
): Map<string, LabelledQuery[]> {
  const groups = new Map<string, LabelledQuery[]>()
  for (const query of queries) {
    const group = groups.get(groupOf(query)) ?? []
    groups.set(groupOf(query), group)
    group.push(query)
  }
  return groups
}

/** The language of a set: the sets of one are translated from another, whose texts would answer as well. */
const languageOf = (set: string): string => (isEnglish(set) ? 'en' : set)

/**
 * Makes pools of `size` documents, the same at every call: the question's own passages, nearest to the answer first, and
 * beyond them those of other questions in its language. None but the answers shares eight words in a row with one: sets cut one
 * page in several ways, and such a text answers without a label. Null where there are too few of them.
 */
export function createRerankPools(queries: readonly LabelledQuery[]) {
  const texts = new Map(
    [...grouped(queries, ({ set }) => languageOf(set))].map(([language, list]) => [
      language,
      [...new Set(list.flatMap(({ passages }) => passages))],
    ]),
  )
  return (query: LabelledQuery, size: number, turn: number): RerankPool | null => {
    const isAnswered = turn % WITHOUT_ANSWER_EVERY !== 0
    const { answers, neighbours } = partsOf(query)
    const mayAnswer = sharesWordsWith(answers)
    const beside = neighbours.filter((text) => !mayAnswer(text))
    const documents = new Set([...(isAnswered ? answers : []), ...beside].slice(0, size))
    const others = texts.get(languageOf(query.set)) ?? []
    const own = new Set(query.passages)
    for (let step = 0; step < others.length && documents.size < size; step += 1) {
      const other = others[(turn + step * STEP) % others.length] ?? ''
      if (!own.has(other) && !mayAnswer(other)) documents.add(other)
    }
    if (documents.size < size) return null
    const list = [...documents].toSorted()
    const relevant = new Set(answers.map((text) => list.indexOf(text)).filter((place) => place >= 0))
    return { documents: list, relevant, isEnglish: isEnglish(query.set) }
  }
}

function partsOf({ passages, relevant }: LabelledQuery): { answers: string[]; neighbours: string[] } {
  const [first = 0] = relevant
  const answers = relevant.flatMap((index) => passages[index] ?? [])
  const neighbours = passages
    .map((text, index) => ({ text, distance: Math.abs(index - first) }))
    .filter(({ text }) => !answers.includes(text))
    .toSorted((left, right) => left.distance - right.distance)
    .map(({ text }) => text)
  return { answers, neighbours }
}

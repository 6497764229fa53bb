// The questions relevance is fitted on: over saved pages, or over passages that come with them.
import { readFileSync } from 'node:fs'
import type { ScoredPassage } from '../../src/score/passage.ts'

export interface Question {
  /** The page that answers, by which folds are made; with `passages`, the set. */
  id: string
  query: string
  style: string
  lang: string
  /** The page that answers, then those beside it. */
  pages: readonly string[]
  /** Strings of the page that make a passage an answer. */
  answers?: readonly string[]
  /** What stands under the heading that is the question. */
  section?: string
  /** A pool of its own, and which of it answers. */
  passages?: readonly string[]
  relevant?: readonly number[]
  /** Weight in the fit. */
  weight: number
}

/** One JSON object a line, in the form of a Question. */
export const readQuestions = (path: string): Question[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Question)

const squash = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\u00ad\u200b-\u200f\ufeff]+/gu, ' ')
    .trim()
    .toLowerCase()

const GRAM_WORDS = 4
/** Share of a passage's word 4-grams that must stand in the section. */
const SECTION_SHARE = 0.6
/** Mean letters a word beyond which a text is written without spaces. */
const UNSPACED_LETTERS = 12

function gramsOf(text: string): Set<string> {
  const words = squash(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const isUnspaced = words.length > 0 && words.join('').length / words.length > UNSPACED_LETTERS
  const units = isUnspaced ? [...words.join('')] : words
  if (units.length < GRAM_WORDS) return new Set([units.join(' ')])
  return new Set(units.slice(GRAM_WORDS - 1).map((_, at) => units.slice(at, at + GRAM_WORDS).join(' ')))
}

/** Whether a passage of the question's own page, the one at `index` of its pool, answers it. */
export function isAnswer(question: Question, text: string, index: number): boolean {
  if (question.relevant !== undefined) return question.relevant.includes(index)
  if (question.section !== undefined) {
    const section = gramsOf(question.section)
    const grams = [...gramsOf(text)]
    return grams.filter((gram) => section.has(gram)).length / grams.length >= SECTION_SHARE
  }
  const squashed = squash(text)
  return (question.answers ?? []).some((answer) => squashed.includes(squash(answer)))
}

/**
 * The shortest runs of a passage's parts that hold an answer, as [first, last]; none for a question whose answer is told by
 * its section.
 */
export function answeringParts(
  question: Question,
  { text, parts = [] }: Pick<ScoredPassage, 'text' | 'parts'>,
): [number, number][] {
  const answers = (question.answers ?? []).map(squash)
  const runs: [number, number][] = []
  for (const [first, { start }] of parts.entries()) {
    const holds = ({ end }: { end: number }): boolean => {
      const squashed = squash(text.slice(start, end))
      return answers.some((answer) => squashed.includes(answer))
    }
    const last = parts.findIndex((part, at) => at >= first && holds(part))
    if (last === -1) break
    const previous = runs.at(-1)
    if (previous !== undefined && previous[1] === last) runs.pop()
    runs.push([first, last])
  }
  return runs
}

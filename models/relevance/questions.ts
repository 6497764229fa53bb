// The questions relevance is fitted on: over saved pages, or over passages that come with them.
import { readFileSync } from 'node:fs'

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

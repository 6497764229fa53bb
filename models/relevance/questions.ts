// The questions relevance is fitted on and measured with: over saved pages, or over passages that come with them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ScoredPassage, TextSpan } from '../../src/score/passage.ts'
import { cutSavedPage, piecesOfText } from '../saved-page.ts'

const questionSchema = z.object({
  /** The page that answers, by which folds are made; with `passages`, the set. */
  id: z.string(),
  query: z.string(),
  style: z.string().default('heading'),
  lang: z.string().default('en'),
  /** Names the set it belongs to. */
  set: z.string().default('questions'),
  /** The page that answers, then those beside it; else `id`, then `others`. */
  pages: z.array(z.string()).optional(),
  others: z.array(z.string()).default([]),
  /** Strings of the page that make a passage an answer. */
  answers: z.array(z.string()).optional(),
  /** What stands under the heading that is the question. */
  section: z.string().optional(),
  /** A pool of its own, and which of it answers. */
  passages: z.array(z.string()).optional(),
  relevant: z.array(z.int().nonnegative()).optional(),
})

export type Question = z.output<typeof questionSchema>

export const UNANSWERABLE = 'unanswerable'

/** One JSON object a line, in the form of a Question. @throws {z.ZodError} for a line of another form. */
export const readQuestions = (path: string): Question[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => questionSchema.parse(JSON.parse(line)))

/** A passage, and where it stands in its page's whole text. */
export interface PoolPassage extends ScoredPassage, TextSpan {
  pageText: string
  parts: readonly TextSpan[]
}

/** A text as `/v1/rerank` scores it: by itself, a long one in pieces. */
async function standingAlone(text: string, page: number): Promise<PoolPassage[]> {
  const pieces = await piecesOfText(text)
  return pieces.map((piece) => ({
    text: piece,
    start: 0,
    end: piece.length,
    pageText: piece,
    parts: [],
    title: '',
    headings: [],
    contentWeight: 1,
    place: 0,
    page,
  }))
}

/** Makes pools of saved pages (`FOLDER/ID.html`), each page read and cut once, as the service does. */
export function createPools(pagesFolder: string) {
  const known = new Map<string, Promise<PoolPassage[]>>()

  async function readSaved(id: string): Promise<PoolPassage[]> {
    const path = join(pagesFolder, `${id}.html`)
    if (!existsSync(path)) return []
    const { page, passages } = await cutSavedPage(path)
    return passages.map(({ text, headings, contentWeight, start, end, parts }) => ({
      text,
      start,
      end,
      pageText: page.text,
      parts,
      headings,
      contentWeight,
      title: page.title ?? '',
      place: start / Math.max(1, page.text.length),
      page: 0,
    }))
  }

  /** The passages of a question's pages, its own page first; empty where none of them is saved. */
  return async function poolOf(question: Question): Promise<PoolPassage[]> {
    if (question.passages !== undefined)
      return (await Promise.all(question.passages.map(standingAlone))).flat()
    const pool: PoolPassage[] = []
    for (const [page, id] of (question.pages ?? [question.id, ...question.others]).entries()) {
      const passages = known.get(id) ?? readSaved(id)
      known.set(id, passages)
      for (const passage of await passages) pool.push({ ...passage, page })
    }
    return pool
  }
}

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

/** Whether a passage of its pool answers a question; of pages only its own can, of texts all pieces of a labelled one do. */
export function isAnswer(question: Question, { text, page }: Pick<ScoredPassage, 'text' | 'page'>): boolean {
  if (question.relevant !== undefined) return question.relevant.includes(page)
  if (page !== 0) return false

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

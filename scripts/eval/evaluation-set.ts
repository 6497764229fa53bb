// Where labelled queries come from: a JSONL file, or the documentation that ships with the repository.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const querySchema = z.object({
  id: z.string(),
  set: z.string(),
  query: z.string(),
  passages: z.array(z.string()).min(1),
  /** Indices into `passages`; empty when nothing answers the query. */
  relevant: z.array(z.int().nonnegative()),
})

export type LabelledQuery = z.infer<typeof querySchema>

/** Reads one labelled query a line; `.zst` needs the `zstd` command. */
export function readLabelledQueries(file: string): LabelledQuery[] {
  const lines = file.endsWith('.zst')
    ? execFileSync('zstd', ['-dc', '--long=27', file], { encoding: 'utf8', maxBuffer: 2 ** 30 })
    : readFileSync(file, 'utf8')
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => querySchema.parse(JSON.parse(line)))
}

/** Every third question is asked of few passages too. */
const FEW_EVERY = 3
const FEW_MAX = 5
const FEW = '_few'

/**
 * The same questions asked of one to five passages, as when a single short page is read: the passage that answers and
 * its neighbours, or the neighbours alone. One set for each collection (`xquad_few`).
 */
export function fewPassageQueries(queries: readonly LabelledQuery[]): LabelledQuery[] {
  const answerable = queries.filter(({ relevant }) => relevant.length > 0)
  const some = answerable.filter((_, index) => index % FEW_EVERY === 0)
  return some.flatMap(({ id, set, query, passages, relevant: [answer = 0, ...more] }, turn) => {
    const others = Array.from(passages.keys())
      .filter((index) => index !== answer && !more.includes(index))
      .toSorted((one, other) => Math.abs(one - answer) - Math.abs(other - answer))
    const size = 1 + (turn % FEW_MAX)
    if (others.length < size) return []
    const textsAt = (indices: readonly number[]): string[] => indices.map((index) => passages[index] ?? '')
    const few = { set: `${set.split('_', 1)[0] ?? set}${FEW}`, query }
    const withAnswer = textsAt([answer, ...others.slice(0, size - 1)])
    return [
      { ...few, id: `${id}+${size}`, passages: withAnswer, relevant: [0] },
      { ...few, id: `${id}-${size}`, passages: textsAt(others.slice(0, size)), relevant: [] },
    ]
  })
}

/** Whether a set was made by `fewPassageQueries`: its ranking is too easy to count in a mean. */
export const isFew = (set: string): boolean => set.endsWith(FEW)

/** The languages other than English are named in the set: `xquad_de`. */
export const isEnglish = (set: string): boolean => !/^xquad_(?!en$)/u.test(set)

interface Section {
  /** Null for one that answers no question in particular. */
  question: string | null
  paragraphs: string[]
}

/** A comment below a heading that asks what its section answers. */
const QUESTION = /^<!-- (.+\?) -->$/mu

/** The questions that a page of the documentation answers. */
export const questionsOf = (markdown: string): string[] =>
  sectionsOf(markdown).flatMap(({ question }) => (question === null ? [] : [question]))

function sectionsOf(markdown: string): Section[] {
  const [, ...parts] = markdown.split(/^## /mu)
  return parts.map((part) => {
    const [, ...paragraphs] = part.replace(QUESTION, '').split(/\n{2,}/u)
    return {
      question: QUESTION.exec(part)?.[1] ?? null,
      paragraphs: paragraphs.map((text) => text.trim()).filter((text) => text !== ''),
    }
  })
}

/**
 * Makes a small set of the documentation, whose sections say which question they answer: their paragraphs do, all
 * others of the page do not (`docs_page`), and no paragraph of the next page does (`docs_unanswerable`).
 */
export function documentationQueries(folder: string): LabelledQuery[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const pages = names.toSorted().map((name) => sectionsOf(readFileSync(join(folder, name), 'utf8')))
  const written = pages.filter((sections) => sections.some(({ paragraphs }) => paragraphs.length > 0))
  return written.flatMap((sections, page) => {
    const passages = sections.flatMap(({ paragraphs }) => paragraphs)
    const others = written[(page + 1) % written.length]?.flatMap(({ paragraphs }) => paragraphs) ?? []
    return sections.flatMap(({ question, paragraphs }) => {
      if (question === null || paragraphs.length === 0) return []
      const relevant = paragraphs.map((paragraph) => passages.indexOf(paragraph))
      return [
        { id: `${page}:${question}`, set: 'docs_page', query: question, passages, relevant },
        {
          id: `${page}!${question}`,
          set: 'docs_unanswerable',
          query: question,
          passages: others,
          relevant: [],
        },
      ]
    })
  })
}

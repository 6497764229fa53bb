// What Exa's answers hold of a page: its text, and its best passages as highlights with their scores.
import { cutToFit } from '../../../search/highlights/text-budget.ts'
import type { ReadPage } from '../../../search/given/read-pages.ts'
import type { AnswerBudget } from '../../../search/highlights/fill-budget.ts'
import { roundScore } from '../../../search/rank.ts'
import type { ContentOptions } from './content-options.ts'

interface Highlight {
  text: string
  score: number
}

/** Lists side by side, as Exa gives them; nothing where there are none, since clients take the first unseen. */
export const highlightsOf = (list: readonly Highlight[]) =>
  list.length === 0
    ? {}
    : { highlights: list.map(({ text }) => text), highlightScores: list.map(({ score }) => score) }

/** The passages of a page that was read with a question of its own. */
export const highlightsRead = (page: ReadPage | undefined) =>
  highlightsOf((page?.snippets ?? []).map(({ text, relevance }) => ({ text, score: roundScore(relevance) })))

/** What the highlights of a page that is read may hold. */
export const highlightBudget = ({ highlights: { count, perPage } }: ContentOptions): AnswerBudget => ({
  characters: perPage?.maxCharacters ?? null,
  tokens: null,
  perPage: count,
})

/** As much of the page as was asked for. */
export const textWithin = ({ content }: ReadPage, { text }: ContentOptions): string =>
  cutToFit(content, { maxCharacters: text?.maxCharacters ?? null, maxTokens: null })

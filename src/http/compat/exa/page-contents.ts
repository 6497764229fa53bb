// What Exa's answers hold of a page: its text, and its best passages as highlights with their scores.
import { cutToFit, fits } from '../../../search/highlights/text-budget.ts'
import type { ReadPage } from '../../../search/given/read-pages.ts'
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
export function highlightsWithin(
  page: ReadPage | undefined,
  { highlights: { count, perPage } }: ContentOptions,
) {
  const best = (page?.snippets ?? []).slice(0, count)
  const scored = best.map(({ text, relevance }) => ({ text, score: roundScore(relevance) }))
  return highlightsOf(perPage === null ? scored : withinBudget(scored, perPage.maxCharacters))
}

/** Whole ones, best first, while they fit; where not even the best one does, its beginning. */
function withinBudget(list: readonly Highlight[], maxCharacters: number | null): Highlight[] {
  const kept: Highlight[] = []
  let left = maxCharacters ?? Number.POSITIVE_INFINITY
  for (const highlight of list) {
    const budget = { maxCharacters: left, maxTokens: null }
    if (!fits(highlight.text, budget) && kept.length > 0) break
    const text = cutToFit(highlight.text, budget)
    kept.push({ ...highlight, text })
    left -= text.length
  }
  return kept
}

/** As much of the page as was asked for. */
export const textWithin = ({ content }: ReadPage, { text }: ContentOptions): string =>
  cutToFit(content, { maxCharacters: text?.maxCharacters ?? null, maxTokens: null })

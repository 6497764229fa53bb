// Which passages of which pages make the answer, and in what order. Pure: everything random, slow or external has
// happened before.

import type { TextSpan } from '../score/passage.ts'
import type { ScoreAnswer, ScoredBy } from '../score/scorer.ts'
import type { SearchRequest } from '../contract.ts'
import type { DepthBudget } from './depth.ts'

/** A sentence, list item, row or line: offsets into the passage's text, and how likely it answers. */
export interface ScoredPart extends TextSpan {
  /** 0..1. */
  relevance: number
}

export interface ScoredPassage {
  /** UTF-16 offsets into the page's text. */
  start: number
  end: number
  text: string
  /** What stands above it: headings, outermost first, and for rows of a table the headers of their cells. */
  headings: readonly string[]
  /** Whether it begins with a heading, and a section with it. */
  opensSection: boolean
  /** Calibrated probability of relevance, 0..1. */
  relevance: number
  /** The last stage that judged it. */
  scoredBy: ScoredBy
  /** Null where it was not told part by part. */
  parts: readonly ScoredPart[] | null
}

/** The order of passages of one page: of those that are equally likely the first in the text. */
export const likeliestFirst = (left: ScoredPassage, right: ScoredPassage): number =>
  right.relevance - left.relevance || left.start - right.start

/**
 * The least score of a snippet that is returned, by the depth and by what the caller asks beyond it: 0..1, or infinite
 * when no passage keeps the error that the caller allows: then nothing is returned, which is the promise.
 */
export function leastScoreOf(
  { request, budget }: { request: SearchRequest; budget: DepthBudget },
  { promises }: Pick<ScoreAnswer, 'promises'>,
): number {
  const least = Math.max(budget.threshold, request.min_score ?? 0)
  const maxError = request.max_error ?? null
  if (maxError === null) return least
  const keeping = promises.filter((promise) => promise.maxError <= maxError).map((promise) => promise.least)
  return Math.max(least, Math.min(Number.POSITIVE_INFINITY, ...keeping))
}

/** Four decimals: finer differences mean nothing, and shorter numbers are easier to read and compare. */
export function roundScore(relevance: number): number {
  return Math.round(Math.min(1, Math.max(0, relevance)) * 10_000) / 10_000
}

export interface RankablePage {
  /** Place in the provider's list, from 0. */
  position: number
  /** Its best snippet's relevance; null when it has none. */
  bestRelevance: number | null
  /** True when the page could not be read: it keeps its place in the answer, without snippets. */
  failed: boolean
}

/**
 * The pages of the answer in order, at most `count`. Pages with snippets come first, best first; then the others in
 * the provider's order. A page among the provider's first `count` is never pushed out for having failed.
 */
export function rankPages<T extends RankablePage>(pages: readonly T[], count: number): T[] {
  const first = pages.toSorted((a, b) => a.position - b.position).slice(0, count)
  const kept = new Set(first.filter((page) => page.failed))
  for (const page of pages.toSorted(byRelevance)) {
    if (kept.size === count) break
    kept.add(page)
  }
  return [...kept].toSorted(byRelevance)
}

function byRelevance(left: RankablePage, right: RankablePage): number {
  return (right.bestRelevance ?? -1) - (left.bestRelevance ?? -1) || left.position - right.position
}

// Asks the scorer about every passage of the pages, and hands each page its own back.
import { QueueFullError } from '../concurrency/worker-pool.ts'
import { overloaded } from '../errors.ts'
import type { Passage } from '../extract/passages/cut-passages.ts'
import type { ScoreAnswer } from '../score/scorer.ts'
import type { GatheredPage } from './gather-page.ts'
import type { TextSpan } from '../score/passage.ts'
import type { ScoredPart, ScoredPassage } from './rank.ts'
import type { PipelineParts, Scored, SearchContext } from './search-context.ts'

/** What scoring needs of whatever asks for it. */
export interface ScoringContext extends Pick<SearchContext, 'budget' | 'signal'> {
  request: Pick<SearchContext['request'], 'query' | 'search_depth' | 'language'>
  /** How many of the best passages are told part by part; none when left out. */
  highlighted?: number
  options: Pick<SearchContext['options'], 'arrivedAtMs'>
  parts: Pick<PipelineParts, 'score'>
}

/** Time kept back at the end for ranking and writing the answer. */
const ANSWER_RESERVE_MS = 150

/** @throws {ApiError} overloaded (429) when too many searches wait to be scored. */
export async function scorePages(
  { request, options, budget, parts, signal, highlighted = 0 }: ScoringContext,
  pages: readonly GatheredPage[],
): Promise<Scored> {
  const passages = pages.flatMap((page, index) =>
    page.passages.map(({ text, headings, contentWeight, start, parts: own }) => ({
      text,
      ...(highlighted > 0 ? { parts: own } : {}),
      title: page.page?.title ?? '',
      headings,
      contentWeight,
      place: start / Math.max(1, page.page?.text.length ?? 1),
      page: index,
    })),
  )
  const asked = parts.score(
    request.query,
    passages,
    {
      tier: request.search_depth,
      language: request.language,
      candidates: budget.candidates,
      reranked: budget.reranked,
      highlighted,
      deadlineMs: options.arrivedAtMs + budget.deadlineMs - ANSWER_RESERVE_MS,
    },
    signal,
  )
  const answer = await asked.catch((error: unknown) => {
    throw error instanceof QueueFullError ? overloaded() : error
  })
  const byPosition = passagesByPosition(pages, answer)
  return { answer, byPosition, likeliestElsewhere: likeliestElsewhere(byPosition) }
}

function passagesByPosition(
  pages: readonly GatheredPage[],
  answer: ScoreAnswer,
): Map<number, ScoredPassage[]> {
  let index = 0
  const scored = (page: GatheredPage): ScoredPassage[] =>
    page.passages.map((passage) => scoredPassage(passage, answer, index++))
  return new Map(pages.map((page) => [page.position, scored(page)]))
}

/** By a page's position, how likely the likeliest passage of all other pages is, 0..1. */
export function likeliestElsewhere(byPosition: Scored['byPosition']): Map<number, number> {
  const pages = Array.from(byPosition, ([position, passages]) => ({
    position,
    likeliest: passages.reduce((most, { relevance }) => Math.max(most, relevance), 0),
  })).toSorted((left, right) => right.likeliest - left.likeliest)
  const [first, second] = pages
  return new Map(pages.map((page) => [page.position, (page === first ? second : first)?.likeliest ?? 0]))
}

/** A passage with what the scorer says of it, to which it was given as number `at`. */
export function scoredPassage(
  { start, end, text, headings, parts }: Pick<Passage, 'start' | 'end' | 'text' | 'headings' | 'parts'>,
  { relevance, scoredBy, partRelevance }: ScoreAnswer,
  at: number,
): ScoredPassage {
  const known = partRelevance.get(at)
  return {
    start,
    end,
    text,
    headings,
    // A heading is none of a passage's parts.
    opensSection: (parts[0]?.start ?? 0) > 0,
    relevance: relevance[at] ?? 0,
    scoredBy: scoredBy[at] ?? 'first',
    parts: known === undefined ? null : scoredParts(parts, known),
  }
}

const scoredParts = (parts: readonly TextSpan[], relevance: Float64Array): ScoredPart[] =>
  parts.map(({ start, end }, at) => ({ start, end, relevance: relevance[at] ?? 0 }))

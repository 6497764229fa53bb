// How an answer was made, for whoever asks: engines, filters, models, times, and what became of each page.
import type { SearchResult, Snippet } from '../../contract.ts'
import type { ChainAnswer } from '../../providers/chain.ts'
import type { Gathered } from '../gather.ts'
import { leastScoreOf, roundScore, type ScoredPassage } from '../rank.ts'
import { pickSnippets } from '../snippets/pick-snippets.ts'
import type { Scored, SearchContext, SearchFacts } from '../search-context.ts'
import { lastUpdatedOf, otherDatesOf } from './page-dates.ts'

/** Rejected passages that are told of each page. */
const REJECTED_MAX = 5

/** The passages of a page that came next, best first: those no snippet was taken from. */
function rejectedOf(passages: readonly ScoredPassage[], snippets: readonly Snippet[]) {
  const isReturned = ({ text }: ScoredPassage): boolean =>
    snippets.some((snippet) => text.includes(snippet.text) || snippet.text.includes(text))
  const others = passages.filter((passage) => !isReturned(passage))
  const rejected = pickSnippets(others, { threshold: 0, count: REJECTED_MAX }).map(({ text, relevance }) => ({
    text,
    relevance_score: roundScore(relevance),
  }))
  return { best_rejected: rejected[0] ?? null, rejected }
}

/** What `include: ["explain"]` adds to an answer. */
export function composeExplain(
  context: SearchContext,
  results: readonly SearchResult[],
  answer: ChainAnswer,
  gathered: Gathered & { scored: Scored },
  facts: SearchFacts,
) {
  const threshold = leastScoreOf(context, gathered.scored.answer)
  return {
    depth: context.request.search_depth,
    language: { used: context.request.language, source: context.languageSource },
    provider: { name: answer.provider, failures: answer.failures, hits: answer.hits.length },
    filters: { applied: answer.applied, dropped: facts.dropped, dropped_pages: gathered.dropped },
    // No passage can keep an error that nothing keeps.
    threshold: Number.isFinite(threshold) ? threshold : null,
    model: {
      used: facts.model,
      requested_tier: facts.requestedTier,
      score_version: facts.scoreVersion,
    },
    stages_ms: facts.stages,
    pages: gathered.pages.map((page) => ({
      url: page.url,
      read_by: page.readBy,
      started_ms: Math.max(0, page.startedAtMs - context.options.arrivedAtMs),
      load_ms: page.loadMs,
      elapsed_ms: page.elapsedMs,
      passages: page.passages.length,
      language: page.page?.language ?? null,
      publish_date_source: page.page?.publishDate?.source ?? null,
      last_updated_source: lastUpdatedOf(page)?.source ?? null,
      other_dates: otherDatesOf(page),
      copies: page.copies,
      ...rejectedOf(
        gathered.scored.byPosition.get(page.position) ?? [],
        results.find(({ url }) => url === page.url)?.snippets ?? [],
      ),
    })),
  }
}

// How an answer was made, for whoever asks: engines, filters, models, times, and what became of each page.
import type { SearchResult, Snippet } from '../../contract.ts'
import type { ChainAnswer } from '../../providers/chain.ts'
import type { Gathered } from '../gather.ts'
import { roundScore, type ScoredPassage } from '../rank.ts'
import type { Scored, SearchContext, SearchFacts } from '../search-context.ts'
import { lastUpdatedOf, otherDatesOf } from './page-dates.ts'

/** The passage of a page that came next: the best of those no snippet was taken from; null when there is none. */
function bestRejected(passages: readonly ScoredPassage[], snippets: readonly Snippet[]) {
  const isReturned = ({ text }: ScoredPassage): boolean =>
    snippets.some((snippet) => text.includes(snippet.text) || snippet.text.includes(text))
  const best = passages
    .filter((passage) => !isReturned(passage))
    .reduce<ScoredPassage | null>((top, one) => (one.relevance > (top?.relevance ?? -1) ? one : top), null)
  return best === null ? null : { text: best.text, relevance_score: roundScore(best.relevance) }
}

/** What `include: ["explain"]` adds to an answer. */
export function composeExplain(
  context: SearchContext,
  results: readonly SearchResult[],
  answer: ChainAnswer,
  gathered: Gathered & { scored: Scored },
  facts: SearchFacts,
) {
  return {
    depth: context.request.search_depth,
    language: { used: context.request.language, source: context.languageSource },
    provider: { name: answer.provider, failures: answer.failures, hits: answer.hits.length },
    filters: { applied: answer.applied, dropped: gathered.dropped },
    model: {
      used: facts.model,
      requested_tier: facts.requestedTier,
      score_version: facts.scoreVersion,
    },
    stages_ms: facts.stages,
    pages: gathered.pages.map((page) => ({
      url: page.url,
      read_by: page.readBy,
      elapsed_ms: page.elapsedMs,
      passages: page.passages.length,
      language: page.page?.language ?? null,
      publish_date_source: page.page?.publishDate?.source ?? null,
      last_updated_source: lastUpdatedOf(page)?.source ?? null,
      other_dates: otherDatesOf(page),
      copies: page.copies,
      best_rejected: bestRejected(
        gathered.scored.byPosition.get(page.position) ?? [],
        results.find(({ url }) => url === page.url)?.snippets ?? [],
      ),
    })),
  }
}

// From scored pages to the answer: snippets, ranks, proof and explanation, in the words of the contract.
import type { SearchResponse, SearchResult } from '../contract.ts'
import type { FoundDate } from '../extract/document.ts'
import type { ChainAnswer } from '../providers/chain.ts'
import type { Gathered, GatheredPage } from './gather.ts'
import { leastScoreOf, pickSnippets, rankPages, roundScore, type ScoredPassage } from './rank.ts'
import type { SearchContext, Scored, SearchFacts } from './search-context.ts'
import { proveResult, type ResultProof } from './proof/prove-result.ts'

export async function composeResults(
  context: SearchContext,
  pages: readonly GatheredPage[],
  scored: Scored,
): Promise<SearchResult[]> {
  const rankable = pages.map((page) => {
    const snippets = snippetsOf(context, page, scored)
    return {
      page,
      snippets,
      position: page.position,
      bestRelevance: snippets[0]?.relevance ?? null,
      failed: page.page === null,
    }
  })
  return Promise.all(
    rankPages(rankable, context.request.num_results).map(({ page, snippets }, index) =>
      composeResult(context, page, snippets, index + 1, scored.answer.warning),
    ),
  )
}

export function snippetsOf(context: SearchContext, page: GatheredPage, scored: Scored): ScoredPassage[] {
  return pickSnippets(scored.byPosition.get(page.position) ?? [], {
    threshold: leastScoreOf(context, scored.answer),
    count: context.request.max_snippets_per_result,
  })
}

export async function composeResult(
  context: SearchContext,
  page: GatheredPage,
  snippets: readonly ScoredPassage[],
  rank: number,
  scoringWarning: string | null,
): Promise<SearchResult> {
  const isExplained = context.request.include.includes('explain')
  const text = page.page?.text ?? null
  const proof = await proofOf(context, page, snippets)
  return {
    rank,
    url: page.url,
    title: page.page?.title ?? (page.hit.title || hostOf(page.url)),
    snippets: snippets.map((snippet, index) => {
      assertVerbatim(text, snippet)
      const { start, end, headings, relevance, scoredBy } = snippet
      const place = proof === null ? {} : { start, end, text_fragment_url: proof.links[index] ?? null }
      const explained = isExplained ? { scored_by: scoredBy, headings: [...headings] } : {}
      return { text: snippet.text, relevance_score: roundScore(relevance), ...place, ...explained }
    }),
    warning: page.warning ?? (snippets.length > 0 ? scoringWarning : null),
    publish_date: page.page?.publishDate?.iso ?? null,
    last_updated: lastUpdatedOf(page)?.iso ?? null,
    ...(proof === null ? {} : { content_sha256: proof.contentSha256, fetched_at: proof.fetchedAt }),
  }
}

/**
 * What the page says of its last change; else what the sitemap of its site does, which is believed before the server's
 * `Last-Modified`, and not when the page was published later.
 */
function lastUpdatedOf({ hit, page }: GatheredPage): FoundDate | null {
  const own = page?.lastUpdated ?? null
  const { sitemapDate = null } = hit
  if (sitemapDate === null || page === null || (own !== null && own.source !== 'header')) return own
  const isAfter = sitemapDate.slice(0, 10) >= (page.publishDate?.iso ?? '').slice(0, 10)
  return isAfter ? { iso: sitemapDate, source: 'sitemap' } : own
}

/** Null unless it was asked for. */
async function proofOf(
  { request, options, budget, parts, signal }: SearchContext,
  page: GatheredPage,
  snippets: readonly ScoredPassage[],
): Promise<ResultProof | null> {
  if (!request.include.includes('proof')) return null
  return proveResult(page, snippets, parts, options.arrivedAtMs + budget.deadlineMs, signal)
}

export function composeResponse(
  context: SearchContext,
  results: SearchResult[],
  answer: ChainAnswer,
  gathered: Gathered,
  facts: SearchFacts,
): SearchResponse {
  const response: SearchResponse = {
    query: context.request.query,
    results,
    total_latency_ms: Math.max(0, Math.round(Date.now() - context.options.arrivedAtMs)),
  }
  if (!context.request.include.includes('explain')) return response
  return { ...response, explain: composeExplain(context, answer, gathered, facts) }
}

function composeExplain(context: SearchContext, answer: ChainAnswer, gathered: Gathered, facts: SearchFacts) {
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
    })),
  }
}

/** The promise of the product, checked on every snippet that leaves: an impossible state, hence a 500. */
function assertVerbatim(text: string | null, snippet: ScoredPassage): void {
  if (text?.slice(snippet.start, snippet.end) !== snippet.text)
    throw new Error('a snippet is not a slice of its page')
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'unknown host'
}

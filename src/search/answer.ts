// From scored pages to the answer: snippets, ranks, proof and explanation, in the words of the contract.
import type { SearchResponse, SearchResult } from '../contract.ts'
import type { FoundDate } from '../extract/document.ts'
import type { ChainAnswer } from '../providers/chain.ts'
import type { Gathered, GatheredPage } from './gather.ts'
import { pickSnippets, rankPages, type ScoredPassage } from './rank.ts'
import type { SearchContext, Scored, SearchFacts } from './search-context.ts'
import { createTextFragmentLinks } from './proof/text-fragment.ts'

export function composeResults(
  context: SearchContext,
  pages: readonly GatheredPage[],
  scored: Scored,
): SearchResult[] {
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
  return rankPages(rankable, context.request.num_results).map(({ page, snippets }, index) =>
    composeResult(context, page, snippets, index + 1, scored.answer.warning),
  )
}

export function snippetsOf(context: SearchContext, page: GatheredPage, scored: Scored): ScoredPassage[] {
  return pickSnippets(scored.byPosition.get(page.position) ?? [], {
    threshold: context.budget.threshold,
    count: context.request.max_snippets_per_result,
  })
}

export function composeResult(
  context: SearchContext,
  page: GatheredPage,
  snippets: readonly ScoredPassage[],
  rank: number,
  scoringWarning: string | null,
): SearchResult {
  const withProof = context.request.include.includes('proof')
  const text = page.page?.text ?? null
  const linkTo = withProof ? linksInto(page) : null
  return {
    rank,
    url: page.url,
    title: page.page?.title ?? (page.hit.title || hostOf(page.url)),
    snippets: snippets.map((snippet) => {
      assertVerbatim(text, snippet)
      const { start, end, relevance } = snippet
      const proof = linkTo === null ? {} : { start, end, text_fragment_url: linkTo(snippet) }
      return { text: snippet.text, relevance_score: roundScore(relevance), ...proof }
    }),
    warning: page.warning ?? (snippets.length > 0 ? scoringWarning : null),
    publish_date: page.page?.publishDate?.iso ?? null,
    last_updated: lastUpdatedOf(page)?.iso ?? null,
    ...(withProof ? proofOf(context, page) : {}),
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

/** Only in HTML and plain text does a browser show what we read: not in its viewers of PDF, JSON and feeds. */
const LINKABLE = /^(?:text\/(?:html|plain)|application\/xhtml\+xml)$/u

function linksInto({ url, page, mediaType }: GatheredPage): (passage: ScoredPassage) => string | null {
  if (page === null || mediaType === null || !LINKABLE.test(mediaType)) return () => null
  return createTextFragmentLinks(url, page.text)
}

/** Keeps the page's text, so that POST /v1/verify can check quotes against exactly what was read. */
function proofOf(
  context: SearchContext,
  { page, url, fetchedAt }: GatheredPage,
): { content_sha256: string | null; fetched_at: string | null } {
  if (page === null || fetchedAt === null) return { content_sha256: null, fetched_at: fetchedAt }
  const { title, text } = page
  return {
    content_sha256: context.parts.proofStore.keep({ url, title, text, fetchedAt }),
    fetched_at: fetchedAt,
  }
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
    provider: { name: answer.provider, failures: answer.failures, hits: answer.hits.length },
    filters: { applied: answer.applied, dropped: gathered.dropped },
    model: { used: facts.model, requested_tier: facts.requestedTier },
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

/** Four decimals: finer differences mean nothing, and shorter numbers are easier to read and compare. */
function roundScore(relevance: number): number {
  return Math.round(Math.min(1, Math.max(0, relevance)) * 10_000) / 10_000
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'unknown host'
}

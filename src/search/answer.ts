// From scored pages to the answer: snippets, ranks, proof and explanation, in the words of the contract.
import type { SearchResponse, SearchResult, Snippet } from '../contract.ts'
import type { ChainAnswer } from '../providers/chain.ts'
import { composeExplain } from './explain/compose-explain.ts'
import { lastUpdatedOf } from './explain/page-dates.ts'
import type { Gathered } from './gather.ts'
import type { GatheredPage } from './gather-page.ts'
import { addressesModel } from './flags/addresses-model.ts'
import { type AnswerBudget, fillBudget, fitsWhole, OFFERED_PER_PAGE } from './highlights/fill-budget.ts'
import { highlightsOf } from './highlights/highlight.ts'
import { leastScoreOf, rankPages, roundScore, type ScoredPassage } from './rank.ts'
import type { SearchContext, Scored, SearchFacts } from './search-context.ts'
import { placeAt } from './proof/place-in-document.ts'
import { warningCodeOf } from './page-outcome.ts'
import { pageSnippets } from './snippets/page-snippets.ts'
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
  const ranked = rankPages(rankable, context.request.num_results)
  const chosen = withinBudget(context, ranked, scored)
  return Promise.all(
    ranked.map(({ page }, index) =>
      composeResult(context, page, chosen[index] ?? [], index + 1, scored.answer.warning),
    ),
  )
}

/** The snippets of each page: all of them, or what the caller's limits of length leave room for. */
function withinBudget(
  context: SearchContext,
  ranked: readonly { page: GatheredPage; snippets: ScoredPassage[] }[],
  scored: Scored,
): ScoredPassage[][] {
  const { max_total_characters, max_total_tokens, max_snippets_per_result: perPage } = context.request
  const least = leastScoreOf(context, scored.answer)
  const budget = {
    characters: max_total_characters ?? null,
    tokens: max_total_tokens ?? null,
    perPage,
    least,
  }
  const offersOf = (page: GatheredPage) => snippetsOf(context, page, scored, OFFERED_PER_PAGE)
  const pageBudget = pageBudgetOf(context, least)
  const whole = ranked.map(({ page, snippets }) =>
    pageBudget === null || fitsWhole(snippets, pageBudget)
      ? snippets
      : fillBudget([offersOf(page)], pageBudget).flat(),
  )
  if (fitsWhole(whole.flat(), budget)) return whole
  return fillBudget(pageBudget === null ? ranked.map(({ page }) => offersOf(page)) : whole, budget)
}

/** What the caller allows the snippets of one page; null for no limit. */
function pageBudgetOf({ options, request }: SearchContext, least: number): AnswerBudget | null {
  if (options.perPage === undefined) return null
  const { maxCharacters: characters, maxTokens: tokens } = options.perPage
  return { characters, tokens, perPage: request.max_snippets_per_result, least }
}

export function snippetsOf(
  context: SearchContext,
  page: GatheredPage,
  scored: Scored,
  count = context.request.max_snippets_per_result,
): ScoredPassage[] {
  const threshold = leastScoreOf(context, scored.answer)
  const passages = scored.byPosition.get(page.position) ?? []
  const likeliestElsewhere = scored.likeliestElsewhere.get(page.position) ?? 0
  return pageSnippets(passages, { text: page.page?.text ?? '', threshold, count, likeliestElsewhere })
}

export async function composeResult(
  context: SearchContext,
  page: GatheredPage,
  snippets: readonly ScoredPassage[],
  rank: number,
  scoringWarning: string | null,
): Promise<SearchResult> {
  const { include } = context.request
  const text = page.page?.text ?? null
  const proof = await proofOf(context, page, snippets)
  const isProven = include.includes('proof')
  return {
    rank,
    url: page.url,
    title: page.page?.title ?? (page.hit.title || hostOf(page.url)),
    snippets: snippets.map((snippet, index) => {
      assertVerbatim(text, snippet)
      const { headings, relevance, scoredBy } = snippet
      const place = isProven ? placeOf(page, snippet, proof?.links[index] ?? null) : {}
      return {
        text: snippet.text,
        relevance_score: roundScore(relevance),
        ...(include.includes('highlights') ? { highlights: shownHighlights(snippet) } : {}),
        ...place,
        ...(include.includes('flags') ? { flags: flagsOf(snippet) } : {}),
        ...(include.includes('explain') ? { scored_by: scoredBy, headings: [...headings] } : {}),
      }
    }),
    // Without a snippet, too: that there is none may be for want of time, and says nothing of the page then.
    ...warningOf(page, page.passages.length > 0 ? scoringWarning : null, include),
    publish_date: page.page?.publishDate?.iso ?? null,
    last_updated: lastUpdatedOf(page)?.iso ?? null,
    ...(isProven
      ? { content_sha256: proof?.contentSha256 ?? null, fetched_at: proof?.fetchedAt ?? null }
      : {}),
    ...(include.includes('bundle') ? { bundle: proof?.bundle ?? null } : {}),
  }
}

/** What is said of the page; where nothing is, what is said of its scores. */
function warningOf(
  { warning, outcome }: GatheredPage,
  scoringWarning: string | null,
  include: SearchContext['request']['include'],
): Pick<SearchResult, 'warning' | 'warning_code'> {
  const scoringCode = scoringWarning === null ? null : 'scores_incomplete'
  const code = warning === null ? scoringCode : warningCodeOf(outcome)
  return {
    warning: warning ?? scoringWarning,
    ...(include.includes('warning_code') ? { warning_code: code } : {}),
  }
}

const shownHighlights = (snippet: ScoredPassage) =>
  highlightsOf(snippet).map(({ start, end, relevance }) => ({ start, end, score: roundScore(relevance) }))

const flagsOf = ({ text }: ScoredPassage): NonNullable<Snippet['flags']> =>
  addressesModel(text) ? ['addresses_model'] : []

const placeOf = ({ page }: GatheredPage, { start, end }: ScoredPassage, link: string | null) => {
  return { start, end, text_fragment_url: link, place: placeAt(page?.places, start) }
}

/** Null unless it was asked for. */
async function proofOf(
  { request, options, budget, parts, signal }: SearchContext,
  page: GatheredPage,
  snippets: readonly ScoredPassage[],
): Promise<ResultProof | null> {
  const wanted = {
    areLinksWanted: request.include.includes('proof'),
    isBundleWanted: request.include.includes('bundle'),
  }
  if (!wanted.areLinksWanted && !wanted.isBundleWanted) return null
  return proveResult(page, snippets, wanted, parts, options.arrivedAtMs + budget.deadlineMs, signal)
}

export function composeResponse(
  context: SearchContext,
  results: SearchResult[],
  answer: ChainAnswer,
  gathered: Gathered & { scored: Scored },
  facts: SearchFacts,
): SearchResponse {
  const response: SearchResponse = {
    query: context.request.query,
    results,
    total_latency_ms: Math.max(0, Math.round(Date.now() - context.options.arrivedAtMs)),
  }
  if (!context.request.include.includes('explain')) return response
  return { ...response, explain: composeExplain(context, results, answer, gathered, facts) }
}

/** The promise of the product, checked on every snippet that leaves: an impossible state, hence a 500. */
function assertVerbatim(text: string | null, snippet: ScoredPassage): void {
  if (text?.slice(snippet.start, snippet.end) !== snippet.text)
    throw new Error('a snippet is not a slice of its page')
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'unknown host'
}

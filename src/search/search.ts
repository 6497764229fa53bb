// The pipeline, read top to bottom: ask the search engines, open the pages, score their passages, make the answer.
// It owns the order of the steps and the request's deadline; every step itself lives in a room of its own.
import { createHash } from 'node:crypto'
import type { SearchRequest, SearchResponse, SearchResult } from '../contract.ts'
import { searchUnavailable } from '../errors.ts'
import type { Capture, LoadOptions } from '../pages/capture.ts'
import type { ProviderQuery, SearchHit } from '../providers/provider.ts'
import { createStageTimer, type Logger, type StageTimer } from '../telemetry.ts'
import { DEPTHS, type DepthBudget } from './depth.ts'
import { dropReason, passesDomains } from './filters.ts'
import { gatherPages, type Gathered, type GatheredPage, type ReadResult } from './gather.ts'
import { pickSnippets, rankPages, type ScoredPassage } from './rank.ts'
import { textFragmentUrl } from './text-fragment.ts'

type FilterName = 'recency' | 'language' | 'includeDomains' | 'excludeDomains'

/** What the provider chain answers. */
export interface ProviderAnswer {
  hits: SearchHit[]
  provider: string
  /** Whether each filter was applied by the engine (`native`), is applied here (`after`) or was not asked for. */
  applied: Readonly<Record<FilterName, 'native' | 'after' | 'none'>>
  failures: readonly { provider: string; failure: string }[]
}

/** What the scorer answers: `relevance` is aligned with the passages it was given, 0..1. */
export interface ScoreAnswer {
  relevance: Float64Array
  stage: 'model' | 'first'
  model: string
  requestedTier: string
  warning: string | null
}

export interface ScoreOptions {
  tier: SearchRequest['search_depth']
  language: string
  candidates: number
  deadlineMs: number
}

/** The parts the pipeline is made of; service.ts builds them. */
export interface SearchParts {
  findHits(query: ProviderQuery, signal: AbortSignal): Promise<ProviderAnswer>
  loadPage(url: string, options: LoadOptions, signal: AbortSignal): Promise<Capture>
  readPage(
    capture: Capture,
    options: { overlap: boolean; limit: number },
    signal: AbortSignal,
  ): Promise<ReadResult>
  score(
    query: string,
    passages: readonly { text: string; heading: string }[],
    options: ScoreOptions,
    signal: AbortSignal,
  ): Promise<ScoreAnswer>
  log: Logger
}

export interface SearchContext {
  /** Epoch milliseconds at which the request arrived; the deadline counts from here. */
  arrivedAtMs: number
  /** Read every page anew (`Cache-Control: no-cache`). */
  fresh: boolean
  /** Told of each result as soon as its page is done; its rank is the order of arrival. */
  onResult?(result: SearchResult): void
}

/** What the answer's headers and the log tell about how it was made. */
export interface SearchFacts {
  provider: string
  model: string
  requestedTier: string
  stages: Readonly<Record<string, number>>
  snippets: number
}

export interface SearchOutcome {
  response: SearchResponse
  facts: SearchFacts
}

export type Search = ReturnType<typeof createSearch>

interface Run {
  request: SearchRequest
  context: SearchContext
  budget: DepthBudget
  timer: StageTimer
  parts: SearchParts
  signal: AbortSignal
}

/** Time kept back at the end for ranking and writing the answer. */
const ANSWER_RESERVE_MS = 150
const HITS_MAX = 30

/**
 * Makes the search function. It rejects with `ApiError` search_unavailable (500) when every provider failed, with the
 * abort reason when `signal` aborts, and never because of a page.
 */
export function createSearch(parts: SearchParts) {
  return async function search(
    request: SearchRequest,
    context: SearchContext,
    signal: AbortSignal,
  ): Promise<SearchOutcome> {
    const run: Run = {
      request,
      context,
      budget: DEPTHS[request.search_depth],
      timer: createStageTimer(),
      parts,
      signal,
    }
    const answer = await run.timer.time('provider', () => askProviders(run))
    const gathered = await run.timer.time('pages', () => openPages(run, answer))
    const scored = await run.timer.time('score', () => scorePages(run, gathered.pages))
    const results = composeResults(run, gathered.pages, scored)
    const facts: SearchFacts = {
      provider: answer.provider,
      model: scored.answer.model,
      requestedTier: scored.answer.requestedTier,
      stages: run.timer.stages,
      snippets: results.reduce((sum, result) => sum + result.snippets.length, 0),
    }
    return { response: composeResponse(run, results, answer, gathered, facts), facts }
  }
}

async function askProviders({ request, budget, parts, signal }: Run): Promise<ProviderAnswer> {
  const isFiltered =
    request.recency !== null || request.include_domains.length + request.exclude_domains.length > 0
  const pageCount = Math.ceil(request.num_results * budget.pagesPerResult)
  const query: ProviderQuery = {
    text: request.query,
    count: Math.min(HITS_MAX, pageCount * (isFiltered ? 3 : 2)),
    recency: request.recency,
    language: request.language,
    includeDomains: request.include_domains,
    excludeDomains: request.exclude_domains,
  }
  try {
    const answer = await parts.findHits(
      query,
      AbortSignal.any([signal, AbortSignal.timeout(budget.providerBudgetMs)]),
    )
    return { ...answer, hits: answer.hits.filter((hit) => passesDomains(hit.url, request)) }
  } catch (error) {
    signal.throwIfAborted()
    throw searchUnavailable(error)
  }
}

async function openPages(run: Run, answer: ProviderAnswer): Promise<Gathered> {
  const { request, context, budget, parts, signal } = run
  const plan = {
    ...budget,
    pageCount: Math.ceil(request.num_results * budget.pagesPerResult),
    deadlineMs: context.arrivedAtMs + budget.deadlineMs - budget.scoringReserveMs,
    fresh: context.fresh,
  }
  const filterContext = { now: new Date(), undatedIsRecent: answer.applied.recency === 'native' }
  let arrived = 0
  const emit = async (page: GatheredPage): Promise<void> => {
    const scored = await scorePages(run, [page])
    arrived += 1
    context.onResult?.(
      composeResult(run, page, snippetsOf(run, page, scored), arrived, scored.answer.warning),
    )
  }
  const emitted: Promise<void>[] = []
  const gathered = await gatherPages(
    answer.hits,
    plan,
    {
      ...parts,
      judge: (page) => dropReason(factsOf(page), request, filterContext),
      onPage: (page) => {
        if (context.onResult !== undefined) emitted.push(emit(page))
      },
      onFailure: (url, error) => parts.log.warn({ host: hostOf(url), err: describe(error) }, 'page failed'),
    },
    signal,
  )
  await Promise.all(emitted)
  return gathered
}

interface Scored {
  answer: ScoreAnswer
  /** Passages of each page with their relevance, by the page's position. */
  byPosition: ReadonlyMap<number, ScoredPassage[]>
}

async function scorePages(run: Run, pages: readonly GatheredPage[]): Promise<Scored> {
  const { request, context, budget, parts, signal } = run
  const passages = pages.flatMap((page) =>
    page.passages.map((passage) => ({ text: passage.text, heading: headingOf(page, passage.headings) })),
  )
  const answer = await parts.score(
    request.query,
    passages,
    {
      tier: request.search_depth,
      language: request.language,
      candidates: budget.candidates,
      deadlineMs: context.arrivedAtMs + budget.deadlineMs - ANSWER_RESERVE_MS,
    },
    signal,
  )
  let index = 0
  const byPosition = new Map<number, ScoredPassage[]>()
  for (const page of pages) {
    byPosition.set(
      page.position,
      page.passages.map(({ start, end, text }) => ({
        start,
        end,
        text,
        relevance: answer.relevance[index++] ?? 0,
      })),
    )
  }
  return { answer, byPosition }
}

function composeResults(run: Run, pages: readonly GatheredPage[], scored: Scored): SearchResult[] {
  const rankable = pages.map((page) => {
    const snippets = snippetsOf(run, page, scored)
    return {
      page,
      snippets,
      position: page.position,
      bestRelevance: snippets[0]?.relevance ?? null,
      failed: page.page === null,
    }
  })
  return rankPages(rankable, run.request.num_results).map(({ page, snippets }, index) =>
    composeResult(run, page, snippets, index + 1, scored.answer.warning),
  )
}

function snippetsOf(run: Run, page: GatheredPage, scored: Scored): ScoredPassage[] {
  return pickSnippets(scored.byPosition.get(page.position) ?? [], {
    threshold: run.budget.threshold,
    count: run.request.max_snippets_per_result,
  })
}

function composeResult(
  run: Run,
  page: GatheredPage,
  snippets: readonly ScoredPassage[],
  rank: number,
  scoringWarning: string | null,
): SearchResult {
  const withProof = run.request.include.includes('proof')
  const text = page.page?.text ?? null
  return {
    rank,
    url: page.url,
    title: page.page?.title ?? (page.hit.title || hostOf(page.url)),
    snippets: snippets.map((snippet) => {
      assertVerbatim(text, snippet)
      const { start, end, relevance } = snippet
      const proof = { start, end, text_fragment_url: textFragmentUrl(page.url, snippet.text) }
      return { text: snippet.text, relevance_score: roundScore(relevance), ...(withProof ? proof : {}) }
    }),
    warning: page.warning ?? (snippets.length > 0 ? scoringWarning : null),
    publish_date: page.page?.publishDate?.iso ?? null,
    last_updated: page.page?.lastUpdated?.iso ?? null,
    ...(withProof ? { content_sha256: text === null ? null : sha256(text), fetched_at: page.fetchedAt } : {}),
  }
}

function composeResponse(
  run: Run,
  results: SearchResult[],
  answer: ProviderAnswer,
  gathered: Gathered,
  facts: SearchFacts,
): SearchResponse {
  const response: SearchResponse = {
    query: run.request.query,
    results,
    total_latency_ms: Math.max(0, Math.round(Date.now() - run.context.arrivedAtMs)),
  }
  if (!run.request.include.includes('explain')) return response
  return { ...response, explain: composeExplain(run, answer, gathered, facts) }
}

function composeExplain(run: Run, answer: ProviderAnswer, gathered: Gathered, facts: SearchFacts) {
  return {
    depth: run.request.search_depth,
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
      last_updated_source: page.page?.lastUpdated?.source ?? null,
    })),
  }
}

/** The promise of the product, checked on every snippet that leaves: an impossible state, hence a 500. */
function assertVerbatim(text: string | null, snippet: ScoredPassage): void {
  if (text?.slice(snippet.start, snippet.end) !== snippet.text)
    throw new Error('a snippet is not a slice of its page')
}

function factsOf(page: GatheredPage) {
  return {
    url: page.url,
    publishDate: page.page?.publishDate?.iso ?? page.hit.publishedAt,
    language: page.page?.language?.code ?? null,
  }
}

function headingOf(page: GatheredPage, headings: readonly string[]): string {
  return [page.page?.title ?? '', ...headings].filter((heading) => heading !== '').join(' — ')
}

/** Four decimals: finer differences mean nothing, and shorter numbers are easier to read and compare. */
function roundScore(relevance: number): number {
  return Math.round(Math.min(1, Math.max(0, relevance)) * 10_000) / 10_000
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'unknown host'
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.name}: ${error.message}${cause}`
}

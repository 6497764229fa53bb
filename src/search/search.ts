// The pipeline, read top to bottom: ask the search engines, open the pages, score their passages, make the answer.
// It owns the order of the steps and the request's deadline; every step itself lives in a room of its own.
import type { SearchRequest } from '../contract.ts'
import { outOfPatience, searchUnavailable } from '../errors.ts'
import { type ChainAnswer, isRefusedQuery } from '../providers/chain.ts'
import type { ProviderQuery } from '../providers/provider.ts'
import { runTaskGroup } from '../concurrency/task-group.ts'
import { createStageTimer } from '../telemetry/stage-timer.ts'
import { composeResponse, composeResults, hostOf } from './answer.ts'
import { budgetWithin, DEPTHS } from './depth.ts'
import { hitWindow, type HitWindow, pagesToOpen } from './hits/hit-window.ts'
import { chooseHits } from './hits/order-hits.ts'
import { createRememberedOrders } from './hits/remembered-orders.ts'
import { createEarlyResults, type EarlyResults } from './early-results.ts'
import { dropReason, passesDomains, recencySince, type DropReason } from './filters.ts'
import { chooseLanguage } from './query-language.ts'
import { gatherPages, type DroppedPage, type Gathered } from './gather.ts'
import type { GatheredPage } from './gather-page.ts'
import { faultBehind } from './page-outcome.ts'
import { scorePages } from './score-pages.ts'
import type {
  SearchContext,
  SearchOptions,
  SearchFacts,
  SearchOutcome,
  PipelineParts,
} from './search-context.ts'

export type Search = ReturnType<typeof createSearch>

/**
 * Makes the search function. It rejects with `ApiError` search_unavailable (500) when every provider failed, with the
 * abort reason when `signal` aborts, and never because of a page.
 */
export function createSearch(parts: PipelineParts) {
  const orders = createRememberedOrders()
  return async function search(
    request: SearchRequest,
    options: SearchOptions,
    signal: AbortSignal,
  ): Promise<SearchOutcome> {
    const chosen = chooseLanguage(request)
    const context: SearchContext = {
      request: { ...request, language: chosen.language },
      languageSource: chosen.source,
      options,
      budget: budgetWithin(request.search_depth, options.patienceMs ?? null),
      highlighted: needsParts(request, options) ? HIGHLIGHTED : 0,
      timer: createStageTimer(parts.trace),
      parts,
      orders,
      signal,
    }
    const window = hitWindow(context)
    const found = await context.timer.time('provider', () => askProviders(context, window))
    const answer = { ...found, hits: await chooseHits(context, found.hits, window) }
    const early = createEarlyResults(context, scorePages)
    const gathered = await context.timer.time('pages', () => openPages(context, answer, early))
    const scored = await context.timer.time('score', () => scorePages(context, gathered.pages))
    await early.emitRest(gathered.pages, scored)
    const results = await composeResults(context, gathered.pages, scored)
    const facts: SearchFacts = {
      provider: answer.provider,
      model: scored.answer.model,
      scoreVersion: scored.answer.version,
      requestedTier: scored.answer.requestedTier,
      stages: context.timer.stages,
      snippets: results.reduce((sum, result) => sum + result.snippets.length, 0),
      pages: gathered.pages.map(({ url, outcome, readBy, elapsedMs }) => ({
        host: hostOf(url),
        outcome,
        isOurFault: faultBehind(outcome) === 'ours',
        readBy,
        elapsedMs,
      })),
      dropped: countReasons(gathered.dropped),
    }
    return { response: composeResponse(context, results, answer, { ...gathered, scored }, facts), facts }
  }
}

/** Enough for the snippets of an answer, and for a choice among the sentences of more. */
const HIGHLIGHTED = 60

const needsParts = (
  { include, max_total_characters, max_total_tokens }: SearchRequest,
  { perPage }: SearchOptions,
): boolean =>
  include.includes('highlights') ||
  perPage !== undefined ||
  (max_total_characters ?? null) !== null ||
  (max_total_tokens ?? null) !== null

/** The hits among which those of the asked page of results are, in the engine's order. */
async function askProviders(
  { request, options, budget, parts, signal }: SearchContext,
  { skipped, together, from }: HitWindow,
): Promise<ChainAnswer> {
  const endOfTime = AbortSignal.timeout(budget.providerBudgetMs)
  const query: ProviderQuery = {
    text: request.query,
    count: skipped + together,
    needed: skipped + from + request.num_results,
    recency: request.recency ?? recencySince(request.start_date ?? null, new Date()),
    language: request.language,
    includeDomains: request.include_domains,
    excludeDomains: request.exclude_domains,
  }
  try {
    const answer = await parts.findHits(query, AbortSignal.any([signal, endOfTime]), options.engine)
    const hits = answer.hits.filter((hit) => passesDomains(hit.url, request))
    return { ...answer, hits: hits.slice(skipped, skipped + together) }
  } catch (error) {
    signal.throwIfAborted()
    const isCallersTime = budget.providerBudgetMs < DEPTHS[request.search_depth].providerBudgetMs
    if (endOfTime.aborted && isCallersTime) throw outOfPatience(error)
    throw searchUnavailable(error, !isRefusedQuery(error))
  }
}

/** Opens the pages; early results are scored beside that and end with it, whatever ends first. */
async function openPages(
  context: SearchContext,
  answer: ChainAnswer,
  early: EarlyResults,
): Promise<Gathered> {
  const { request, options, budget, parts } = context
  const plan = {
    ...budget,
    pageCount: pagesToOpen(context),
    deadlineMs: options.arrivedAtMs + budget.deadlineMs - budget.scoringReserveMs,
    fresh: options.fresh,
    ...(typeof request.max_age === 'number' ? { maxAgeMs: request.max_age * 1_000 } : {}),
    language: request.language,
  }
  const filterContext = { now: new Date(), undatedIsRecent: answer.applied.recency === 'native' }
  const tellPage = progressOf(options, answer.provider, Math.min(plan.pageCount, answer.hits.length))
  return runTaskGroup(context.signal, ({ start, signal }) =>
    gatherPages(
      answer.hits,
      plan,
      {
        ...parts,
        judge: (page) => dropReason(factsOf(page), request, filterContext),
        onPage: (page) => {
          tellPage()
          if (early.isWanted) start((pageSignal) => early.emit(page, pageSignal))
        },
        onFailure: (url, error) => parts.log.warn({ host: hostOf(url), err: describe(error) }, 'page failed'),
      },
      signal,
    ),
  )
}

/** Tells the beginning, and returns what tells that one more page is done. */
function progressOf({ onProgress }: SearchOptions, engine: string, pages: number): () => void {
  let done = 0
  onProgress?.({ engine, pages, done })
  return () => {
    done += 1
    onProgress?.({ engine, pages, done })
  }
}

function countReasons(dropped: readonly DroppedPage[]): SearchFacts['dropped'] {
  const counts: Partial<Record<DropReason, number>> = {}
  for (const { reason } of dropped) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

function factsOf(page: GatheredPage) {
  return {
    url: page.url,
    publishDate: page.page?.publishDate?.iso ?? page.hit.publishedAt,
    language: page.page?.language?.code ?? null,
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.name}: ${error.message}${cause}`
}

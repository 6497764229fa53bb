// Tavily's search contract over our pipeline, so that its SDKs and every tool built on them work with only their base
// URL changed. Its errors are `{"detail":{"error":…}}`, because both SDKs read exactly that.
import type { Middleware } from 'koa'
import { z } from 'zod'
import {
  LIMITS,
  parseSearchRequest,
  type SearchDepth,
  type SearchRequest,
  type SearchResponse,
} from '../../contract.ts'
import { badRequest } from '../../errors.ts'
import type { Search } from '../../search/search.ts'
import type { CallerState } from '../request/authenticate.ts'
import { goneSignal } from '../request/client-gone.ts'
import { parseJsonObject } from '../request/json-body.ts'
import { toApiError } from '../request/error-boundary.ts'
import type { RequestState } from '../request/request-log.ts'

const DEPTH_OF: Readonly<Record<string, SearchDepth>> = {
  'ultra-fast': 'precise',
  fast: 'precise',
  basic: 'balanced',
  advanced: 'exhaustive',
}
const RECENCY_OF: Readonly<Record<string, string>> = { d: 'day', w: 'week', m: 'month', y: 'year' }
/** How Tavily itself joins the chunks of one source. */
const CHUNK_SEPARATOR = ' […] '

/** Only what changes our answer; everything else that Tavily's clients send is accepted and ignored. */
const tavilyRequestSchema = z.object({
  query: z.unknown(),
  max_results: z.int().min(0).max(20).nullish(),
  chunks_per_source: z.int().min(1).max(5).nullish(),
  search_depth: z.string().nullish(),
  time_range: z.string().nullish(),
  include_domains: z.array(z.string()).nullish(),
  exclude_domains: z.array(z.string()).nullish(),
  language: z.string().nullish(),
})

/** Turns every error behind it into Tavily's shape and statuses: its SDKs know no 422. */
export function tavilyErrors(): Middleware<RequestState> {
  return async function tavilyErrorsMiddleware(context, next) {
    try {
      await next()
    } catch (thrown) {
      const error = toApiError(thrown)
      if (error.status >= 500) throw thrown
      context.status = error.status === 422 ? 400 : error.status
      context.set({ ...error.headers })
      context.body = { detail: { error: error.detail } }
    }
  }
}

export function tavilyRoute({ search }: { search: Search }): Middleware<CallerState> {
  return async function tavilyRouteMiddleware(context) {
    const startedAt = performance.now()
    const request = toSearchRequest(parseJsonObject(context))
    const searchContext = {
      arrivedAtMs: context.state.arrivedAtMs,
      callerId: context.state.caller.id,
      fresh: false,
    }
    const { response, facts } = await search(request, searchContext, goneSignal(context))
    context.state.snippets = facts.snippets
    context.body = {
      query: response.query,
      follow_up_questions: null,
      answer: null,
      images: [],
      results: response.results.filter((result) => result.snippets.length > 0).map(toTavilyResult),
      response_time: Math.round(performance.now() - startedAt) / 1000,
      request_id: context.state.requestId,
    }
  }
}

function toSearchRequest(body: Record<string, unknown>): SearchRequest {
  const parsed = tavilyRequestSchema.safeParse(body)
  if (!parsed.success) {
    throw badRequest(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join(' '),
    )
  }
  const sent = parsed.data
  const timeRange = sent.time_range ?? null
  const translated = parseSearchRequest({
    query: sent.query,
    num_results: Math.min(LIMITS.resultsMax, Math.max(1, sent.max_results ?? LIMITS.resultsDefault)),
    max_snippets_per_result: sent.chunks_per_source ?? LIMITS.snippetsDefault,
    search_depth: DEPTH_OF[sent.search_depth ?? 'basic'] ?? sent.search_depth,
    recency: timeRange === null ? null : (RECENCY_OF[timeRange] ?? timeRange),
    include_domains: sent.include_domains ?? [],
    exclude_domains: sent.exclude_domains ?? [],
    ...(sent.language === null ? {} : { language: sent.language }),
  })
  if (!translated.ok) throw badRequest(translated.issues.map((issue) => issue.message).join(' '))
  return translated.request
}

function toTavilyResult(result: SearchResponse['results'][number]) {
  return {
    title: result.title,
    url: result.url,
    content: result.snippets.map((snippet) => snippet.text).join(CHUNK_SEPARATOR),
    score: result.snippets[0]?.relevance_score ?? 0,
    raw_content: null,
    ...(result.publish_date === null ? {} : { published_date: result.publish_date }),
  }
}

// Tavily's search contract over our pipeline, so that its SDKs and every tool built on them work with only their base
// URL changed. Its errors are `{"detail":{"error":…}}`, because both SDKs read exactly that.
import { z } from 'zod'
import {
  LIMITS,
  parseForeignSearch,
  type SearchDepth,
  type SearchRequest,
  type SearchResponse,
} from '../../contract.ts'
import { badRequest } from '../../errors.ts'
import type { Search } from '../../search/search.ts'
import { goneSignal } from '../request/client-gone.ts'
import { foreignLanguage } from '../request/foreign-language.ts'
import { parseJsonObject } from '../request/json-body.ts'
import { searchOptionsOf } from '../request/search-options.ts'
import type { ErrorShape, Route } from '../route.ts'
import { liesUnder, readTavilyDomain, type TavilyDomain } from './tavily-domains.ts'

const DEPTH_OF: Readonly<Record<string, SearchDepth>> = {
  'ultra-fast': 'precise',
  fast: 'precise',
  basic: 'balanced',
  advanced: 'exhaustive',
}
const RECENCY_OF: Readonly<Record<string, string>> = { d: 'day', w: 'week', m: 'month', y: 'year' }
/** How Tavily itself joins the chunks of one source. */
const CHUNK_SEPARATOR = ' […] '

/** What is sent for a field that was left empty. */
const isUnset = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === false
const unsupported = (advice: string) =>
  z.unknown().refine(isUnset, `is not supported here; ${advice}`).optional()

/**
 * What decides which pages are found is honoured or refused; what asks for more than passages (images, answers, raw
 * content) is accepted, and the answer says plainly that there is none.
 */
const tavilyRequestSchema = z.object({
  query: z.unknown(),
  max_results: z.int().min(0).max(20).nullish(),
  chunks_per_source: z.int().min(1).max(5).nullish(),
  search_depth: z.string().nullish(),
  time_range: z.string().nullish(),
  include_domains: z.array(z.string()).nullish(),
  exclude_domains: z.array(z.string()).nullish(),
  language: z.string().nullish(),
  start_date: unsupported('use time_range ("day", "week", "month" or "year").'),
  end_date: unsupported('use time_range ("day", "week", "month" or "year").'),
  max_hours: unsupported('use time_range ("day", "week", "month" or "year").'),
  country: unsupported('name the country in the query, or use language.'),
  exact_match: unsupported('put the phrase in quotes in the query.'),
})

/** Its SDKs know no 422. */
export const tavilyErrors: ErrorShape = {
  prefix: '/compat/tavily/',
  spell: ({ status, detail }) => ({
    status: status === 422 ? 400 : status,
    body: {
      detail: { error: status === 404 ? `${detail} Of Tavily's API this service answers search.` : detail },
    },
  }),
}

export const tavilyRoute: Route<{ search: Search }> = {
  method: 'post',
  path: '/compat/tavily/search',
  door: 'key',
  scope: 'search',
  operation: null,
  createHandler: ({ search }) =>
    async function answerTavily(context) {
      const startedAt = performance.now()
      const { request, accepts } = readRequest(parseJsonObject(context))
      const { response, facts } = await search(request, searchOptionsOf(context), goneSignal(context))
      const results = response.results.filter(({ url, snippets }) => snippets.length > 0 && accepts(url))
      context.state.snippets = results.reduce((sum, { snippets }) => sum + snippets.length, 0)
      context.set('Verbatim-Engine', facts.provider)
      context.body = {
        query: response.query,
        follow_up_questions: null,
        answer: null,
        images: [],
        results: results.map(toTavilyResult),
        response_time: Math.round(performance.now() - startedAt) / 1000,
        request_id: context.state.requestId,
      }
    },
}

/** The request in our words, and what must hold of an answer's addresses besides. */
function readRequest(body: Record<string, unknown>): {
  request: SearchRequest
  accepts: (url: string) => boolean
} {
  const parsed = tavilyRequestSchema.safeParse(body)
  if (!parsed.success) {
    throw badRequest(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join(' '))
  }
  const sent = parsed.data
  const timeRange = sent.time_range ?? null
  const included = (sent.include_domains ?? []).map(readTavilyDomain)
  const excluded = (sent.exclude_domains ?? []).map(readTavilyDomain)
  const translated = parseForeignSearch({
    query: sent.query,
    num_results: Math.max(1, sent.max_results ?? LIMITS.resultsDefault),
    max_snippets_per_result: sent.chunks_per_source ?? LIMITS.snippetsDefault,
    search_depth: DEPTH_OF[sent.search_depth ?? 'basic'] ?? sent.search_depth,
    recency: timeRange === null ? null : (RECENCY_OF[timeRange] ?? timeRange),
    include_domains: included.map(({ domain }) => domain),
    exclude_domains: excluded.filter(({ path }) => path === '').map(({ domain }) => domain),
    ...foreignLanguage(sent.language),
  })
  if (!translated.ok) throw badRequest(translated.issues.map((issue) => issue.message).join(' '))
  return { request: translated.request, accepts: createFilter(included, excluded) }
}

/** What domains with a path ask for, which the pipeline does not know. */
function createFilter(included: readonly TavilyDomain[], excluded: readonly TavilyDomain[]) {
  const without = excluded.filter(({ path }) => path !== '')
  const isAnyPath = included.every(({ path }) => path === '')
  return (url: string): boolean =>
    (isAnyPath || included.some((one) => liesUnder(url, one))) && !without.some((one) => liesUnder(url, one))
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

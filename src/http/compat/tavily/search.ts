// Tavily's search over our pipeline, so that its SDKs and every tool built on them work with only their base URL
// changed.
import { z } from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import type { SearchDepth, SearchResult } from '../../../contract.ts'
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { ReadPage } from '../../../search/given/read-pages.ts'
import type { Search } from '../../../search/search.ts'
import { foreignLanguage } from '../../request/foreign-language.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { Route } from '../../route.ts'
import { readForeignDomains } from '../foreign-domains.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { searchAndRead } from '../foreign-pages.ts'
import { bestScoreOf, hasSnippets, passagesOf, patienceOfSeconds } from '../foreign-search.ts'
import { anything, dayOf, duration, given, optionalList, optionalText } from '../foreign-values.ts'

const DEPTH_OF: Readonly<Record<string, SearchDepth>> = {
  'ultra-fast': 'precise',
  fast: 'precise',
  basic: 'balanced',
  advanced: 'exhaustive',
}
const RECENCY_OF: Readonly<Record<string, string>> = { d: 'day', w: 'week', m: 'month', y: 'year' }
/** How Tavily itself joins the chunks of one source. */
const CHUNK_SEPARATOR = ' […] '
const DAY_MS = 86_400_000
/** LibreChat gives a search fifteen seconds and says so to nobody; the SDKs give it sixty. */
const PATIENCE_MS = 14_500

/**
 * What asks for more than passages (images, a written answer) is harmless: the answer says plainly that there is none.
 */
export const tavilySearchFields = {
  honoured: {
    query: anything,
    max_results: z.int().min(0).max(LIMITS.foreignResultsMax).nullish(),
    chunks_per_source: z.int().min(1).max(5).nullish(),
    search_depth: optionalText,
    time_range: optionalText,
    topic: optionalText,
    days: z.int().min(1).max(36_500).nullish(),
    max_age_hours: z
      .number()
      .min(0)
      .max(LIMITS.maxAgeSeconds / 3_600)
      .nullish(),
    start_date: optionalText,
    end_date: optionalText,
    include_domains: optionalList,
    include_domains_mode: optionalText,
    exclude_domains: optionalList,
    language: optionalText,
    include_raw_content: z.union([z.boolean(), z.enum(['markdown', 'text'])]).nullish(),
    timeout: duration,
  },
  refused: {
    max_hours: 'use time_range ("day", "week", "month" or "year").',
    exact_match: 'put the phrase in quotes in the query.',
  },
  harmless: [
    // It lifts pages of a country and leaves out none; no engine here is told of the countries of those who ask.
    'country',
    'auto_parameters',
    'include_answer',
    'include_images',
    'include_image_descriptions',
    'include_favicon',
    'include_usage',
    'include_published_date',
    'filter_by_published_date',
    'filter_by_language',
    'fetch_timeout',
    'cache_fallback',
    'safe_search',
    'api_key',
  ],
} satisfies ForeignFields

/** What our fields are called there. */
const NAMES = {
  num_results: 'max_results',
  max_snippets_per_result: 'chunks_per_source',
  recency: 'time_range',
  max_age: 'max_age_hours',
} as const

type TavilySearch = ReturnType<typeof readFields<typeof tavilySearchFields.honoured>>

export const tavilyRoute: Route<{ search: Search; readPages: AdmittedReadPages }> = {
  method: 'post',
  path: '/compat/tavily/search',
  door: 'key',
  scope: 'search',
  operation: null,
  createHandler: (parts) =>
    async function answerTavily(context) {
      const startedAt = performance.now()
      const sent = readFields(tavilySearchFields, parseJsonObject(context))
      const isPreferred = ['prefer', 'boost'].includes(sent.include_domains_mode ?? '')
      const domains = readForeignDomains(isPreferred ? [] : sent.include_domains, sent.exclude_domains)
      const fields = { ...toOurFields(sent), ...domains.fields }
      const options = {
        names: NAMES,
        patienceMs: PATIENCE_MS,
        ...patienceOfSeconds(sent.timeout),
        accepts: (result: SearchResult) => hasSnippets(result) && domains.accepts(result),
      }
      const found = await searchAndRead(context, parts, fields, options, pagesWanted(sent))
      context.body = {
        query: sent.query,
        follow_up_questions: null,
        answer: null,
        images: [],
        results: found.results
          .map((result, index) => toTavilyResult(result, found.pages[index]))
          .slice(0, sent.max_results ?? found.results.length),
        response_time: Math.round(performance.now() - startedAt) / 1000,
        request_id: context.state.requestId,
      }
    },
}

function pagesWanted({ include_raw_content: asked }: TavilySearch) {
  if (asked === null || asked === undefined || asked === false) return null
  return { format: asked === 'text' ? 'text' : 'markdown' } as const
}

function toOurFields(sent: TavilySearch) {
  const { time_range: timeRange, topic, days, start_date: startDate, end_date: endDate } = sent
  // Its clients send `days` with every topic, and Tavily keeps to it for news alone.
  const isRecent = topic === 'news' && typeof days === 'number'
  const since = isRecent ? new Date(Date.now() - days * DAY_MS).toISOString() : startDate
  return {
    query: sent.query,
    num_results: Math.max(1, sent.max_results ?? LIMITS.resultsDefault),
    max_snippets_per_result: sent.chunks_per_source ?? LIMITS.snippetsDefault,
    search_depth: DEPTH_OF[sent.search_depth ?? 'basic'] ?? sent.search_depth,
    recency: typeof timeRange === 'string' ? (RECENCY_OF[timeRange] ?? timeRange) : null,
    ...given('start_date', typeof since === 'string' ? dayOf(since) : null),
    ...given('end_date', typeof endDate === 'string' ? dayOf(endDate) : null),
    ...given(
      'max_age',
      typeof sent.max_age_hours === 'number' ? Math.floor(sent.max_age_hours * 3_600) : null,
    ),
    ...foreignLanguage(sent.language),
  }
}

const toTavilyResult = (result: SearchResult, page: ReadPage | undefined) => ({
  title: result.title,
  url: result.url,
  content: passagesOf(result, CHUNK_SEPARATOR),
  score: bestScoreOf(result),
  raw_content: page?.failure === null ? page.content : null,
  ...given('published_date', result.publish_date),
})

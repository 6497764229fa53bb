// Perplexity's search, which gateways such as LiteLLM speak.
import { z } from 'zod'
import { LIMITS } from '../../contract/limits.ts'
import type { SearchResult } from '../../contract.ts'
import type { Search } from '../../search/search.ts'
import type { TextBudget } from '../../search/highlights/text-budget.ts'
import { foreignLanguage } from '../request/foreign-language.ts'
import { parseJsonObject } from '../request/json-body.ts'
import type { ErrorShape, Route } from '../route.ts'
import { readDomainsWithin, SCHOLARLY_DOMAINS } from './foreign-domains.ts'
import { readFields, type ForeignFields } from './foreign-fields.ts'
import { hasSnippets, passagesOf, runForeignSearch } from './foreign-search.ts'
import { anything, dayOfAmerican, given, optionalList, optionalText, resultCount } from './foreign-values.ts'

const RESULTS_DEFAULT = 10
/** What its modes search; none for the whole web. */
const MODE_DOMAINS = { web: [], academic: SCHOLARLY_DOMAINS, sec: ['sec.gov'] } as const
const MODES = ['web', 'academic', 'sec'] as const

export const perplexityFields = {
  honoured: {
    query: anything,
    max_results: resultCount,
    max_tokens: z.int().min(1).nullish(),
    max_tokens_per_page: z.int().min(1).nullish(),
    search_mode: z.enum(MODES, 'may be "web", "academic" or "sec" here.').nullish(),
    search_domain_filter: optionalList,
    search_recency_filter: optionalText,
    search_after_date_filter: optionalText,
    search_before_date_filter: optionalText,
    search_language_filter: z.array(z.string()).max(1, 'may name one language here.').nullish(),
  },
  refused: {
    last_updated_after_filter: 'use search_after_date_filter.',
    last_updated_before_filter: 'use search_before_date_filter.',
  },
  harmless: ['country', 'display_server_time', 'return_images', 'return_snippets'],
} satisfies ForeignFields

/** What our fields are called there. */
const NAMES = {
  num_results: 'max_results',
  recency: 'search_recency_filter',
  start_date: 'search_after_date_filter',
  end_date: 'search_before_date_filter',
  language: 'search_language_filter',
  include_domains: 'search_domain_filter',
  exclude_domains: 'search_domain_filter',
  max_total_tokens: 'max_tokens',
} as const

/** Whether to mend the request, to wait, or to blame the service. */
function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_exceeded'
  return status >= 500 ? 'internal_server_error' : 'invalid_request'
}

export const perplexityErrors: ErrorShape = {
  prefix: '/compat/perplexity/',
  spell: ({ status, detail }) => ({
    status: status === 422 ? 400 : status,
    body: { error: { message: detail, type: typeOf(status), code: status } },
  }),
}

export const perplexityRoute: Route<{ search: Search }> = {
  method: 'post',
  path: '/compat/perplexity/search',
  door: 'key',
  scope: 'search',
  operation: null,
  createHandler: ({ search }) =>
    async function answerPerplexity(context) {
      const sent = readFields(perplexityFields, parseJsonObject(context))
      const filter = sent.search_domain_filter ?? []
      const domains = readDomainsWithin(
        MODE_DOMAINS[sent.search_mode ?? 'web'],
        filter.filter((domain) => !domain.startsWith('-')),
        filter.filter((domain) => domain.startsWith('-')).map((domain) => domain.slice(1)),
      )
      const { search_after_date_filter: after, search_before_date_filter: before } = sent
      const fields = {
        query: sent.query,
        num_results: sent.max_results ?? Math.min(RESULTS_DEFAULT, LIMITS.foreignResultsMax),
        ...given('recency', sent.search_recency_filter),
        ...given('start_date', typeof after === 'string' ? dayOfAmerican(after) : null),
        ...given('end_date', typeof before === 'string' ? dayOfAmerican(before) : null),
        ...foreignLanguage(sent.search_language_filter?.[0]),
        ...given('max_total_tokens', tokensOf(sent.max_tokens)),
        ...domains.fields,
      }
      const results = await runForeignSearch(context, search, fields, {
        names: NAMES,
        ...given('perPage', pageBudgetOf(sent.max_tokens_per_page)),
        accepts: (result) => hasSnippets(result) && domains.accepts(result),
      })
      context.body = { id: context.state.requestId, results: results.map(toPerplexityResult) }
    },
}

/** Their answers are larger than ours may be: a bound that ours never reaches is none. */
const tokensOf = (asked: number | null | undefined): number | null =>
  typeof asked === 'number' && asked <= LIMITS.totalTokensMax ? Math.max(LIMITS.totalMin, asked) : null

const pageBudgetOf = (maxTokens: number | null | undefined): TextBudget | null =>
  typeof maxTokens === 'number' ? { maxCharacters: null, maxTokens } : null

const toPerplexityResult = (result: SearchResult) => ({
  title: result.title,
  url: result.url,
  snippet: passagesOf(result),
  date: result.publish_date,
  last_updated: result.last_updated,
})

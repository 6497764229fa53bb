// Exa's search: results with the best passages as highlights, and the pages' text where contents.text asks for it.
import { z } from 'zod'
import type { SearchDepth, SearchResult } from '../../../contract.ts'
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { ReadPage } from '../../../search/given/read-pages.ts'
import type { Search } from '../../../search/search.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { ErrorShape, Route } from '../../route.ts'
import { readDomainsWithin, SCHOLARLY_DOMAINS } from '../foreign-domains.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { searchAndRead } from '../foreign-pages.ts'
import { bestScoreOf } from '../foreign-search.ts'
import { anything, dayOf, given, optionalList, optionalText, resultCount } from '../foreign-values.ts'
import { contentFields, readContentOptions, type ContentOptions } from './content-options.ts'
import { highlightBudget, highlightsOf, highlightsRead, textWithin } from './page-contents.ts'

/** Exa's own default. */
const RESULTS_DEFAULT = 10
const DEPTHS: ReadonlyMap<string, SearchDepth> = new Map([
  ['instant', 'precise'],
  ['fast', 'precise'],
  ['deep', 'exhaustive'],
  ['deep-lite', 'exhaustive'],
  ['deep-reasoning', 'exhaustive'],
])

/** Kinds of pages that are groups of sites; news are looked for in the whole web, as in the other shapes. */
const CATEGORY_DOMAINS = {
  news: [],
  publication: SCHOLARLY_DOMAINS,
  'research paper': SCHOLARLY_DOMAINS,
  github: ['github.com'],
} as const
const CATEGORIES = ['news', 'publication', 'research paper', 'github'] as const
const NO_CATEGORY = `may be ${CATEGORIES.map((name) => `"${name}"`).join(', ')} here; else use includeDomains.`

export const exaSearchFields = {
  honoured: {
    query: anything,
    numResults: resultCount,
    type: optionalText,
    category: z.enum(CATEGORIES, NO_CATEGORY).nullish(),
    includeDomains: optionalList,
    excludeDomains: optionalList,
    startPublishedDate: optionalText,
    endPublishedDate: optionalText,
    contents: z.union([z.boolean(), z.looseObject({})]).nullish(),
    ...contentFields.honoured,
  },
  refused: {
    startCrawlDate: 'use startPublishedDate.',
    endCrawlDate: 'use endPublishedDate.',
    includeText: 'put the words in quotes in the query.',
    excludeText: 'put the words with a minus before them in the query.',
    additionalQueries: 'send one request for each.',
    outputSchema: 'no language model writes here.',
    systemPrompt: 'no language model writes here.',
    stream: 'POST /v1/search streams.',
    ...contentFields.refused,
  },
  harmless: [
    'useAutoprompt',
    'userLocation',
    'moderation',
    'flags',
    'objective',
    'userIdentifier',
    ...contentFields.harmless,
  ],
} satisfies ForeignFields

/** What our fields are called there. */
const NAMES = {
  num_results: 'numResults',
  include_domains: 'includeDomains',
  exclude_domains: 'excludeDomains',
  start_date: 'startPublishedDate',
  end_date: 'endPublishedDate',
} as const

export const exaErrors: ErrorShape = {
  prefix: '/compat/exa/',
  spell: ({ status, detail }) => ({ status: status === 422 ? 400 : status, body: { error: detail } }),
}

export const exaSearchRoute: Route<{ search: Search; readPages: AdmittedReadPages }> = {
  method: 'post',
  path: '/compat/exa/search',
  door: 'key',
  scope: 'search',
  operation: null,
  createHandler: (parts) =>
    async function answerExaSearch(context) {
      const sent = readFields(exaSearchFields, parseJsonObject(context))
      const { contents } = sent
      const options =
        typeof contents === 'object' && contents !== null
          ? readContentOptions(contents, 'contents')
          : readContentOptions(sent)
      const sites = CATEGORY_DOMAINS[sent.category ?? 'news']
      const domains = readDomainsWithin(sites, sent.includeDomains, sent.excludeDomains)
      const fields = { ...toOurFields(sent, options), ...domains.fields }
      const { perPage, query: another } = options.highlights
      // The passages of the search are no highlights where those answer a question of their own.
      const asked = {
        names: NAMES,
        accepts: domains.accepts,
        ...given('perPage', another === null ? perPage : null),
      }
      const wanted = pagesWanted(options, contents === true)
      const { results, pages } = await searchAndRead(context, parts, fields, asked, wanted)
      context.body = {
        requestId: context.state.requestId,
        resolvedSearchType: 'neural',
        results: results.map((result, index) => toExaResult(result, pages[index], options)),
      }
    },
}

type ExaSearch = ReturnType<typeof readFields<typeof exaSearchFields.honoured>>

function toOurFields(sent: ExaSearch, { highlights, maxAgeSeconds }: ContentOptions) {
  const { startPublishedDate: start, endPublishedDate: end } = sent
  return {
    query: sent.query,
    num_results: sent.numResults ?? RESULTS_DEFAULT,
    max_snippets_per_result: highlights.count,
    search_depth: DEPTHS.get(sent.type ?? '') ?? 'balanced',
    ...given('start_date', typeof start === 'string' ? dayOf(start) : null),
    ...given('end_date', typeof end === 'string' ? dayOf(end) : null),
    ...given('max_age', maxAgeSeconds),
  }
}

/** Pages are read for their text, and for highlights that answer another question than the search. */
function pagesWanted(options: ContentOptions, isAllWanted: boolean) {
  const { text, highlights } = options
  if (text === null && highlights.query === null && !isAllWanted) return null
  return { query: highlights.query, snippets: highlightBudget(options), format: 'text' } as const
}

/** Highlights come without being asked for: they are what was found. A page without any has no list of them. */
function toExaResult(result: SearchResult, page: ReadPage | undefined, options: ContentOptions) {
  const isTextWanted = page !== undefined && (options.text !== null || options.highlights.query === null)
  return {
    id: result.url,
    url: result.url,
    title: result.title,
    publishedDate: result.publish_date,
    author: null,
    score: bestScoreOf(result),
    ...(options.highlights.query === null
      ? highlightsOf(result.snippets.map(({ text, relevance_score: score }) => ({ text, score })))
      : highlightsRead(page)),
    ...(isTextWanted ? { text: textWithin(page, options) } : {}),
  }
}

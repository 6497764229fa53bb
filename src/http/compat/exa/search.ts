// Exa's search: results with the best passages as highlights, and the pages' text where contents.text asks for it.
import { z } from 'zod'
import { type SearchDepth, type SearchResult } from '../../../contract.ts'
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { Search } from '../../../search/search.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { ErrorShape, Route } from '../../route.ts'
import { readForeignDomains } from '../foreign-domains.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { bestScoreOf, runForeignRead, runForeignSearch } from '../foreign-search.ts'
import { anything, dayOf, given, optionalList, optionalText, resultCount } from '../foreign-values.ts'
import {
  contentFields,
  contentOptions,
  highlightsWanted,
  maxAgeSecondsOf,
  textLimitOf,
} from './content-options.ts'

/** Exa's own default. */
const RESULTS_DEFAULT = 10
const DEPTH_OF: Readonly<Record<string, SearchDepth>> = {
  instant: 'precise',
  fast: 'precise',
  deep: 'exhaustive',
  'deep-lite': 'exhaustive',
  'deep-reasoning': 'exhaustive',
}

export const exaSearchFields = {
  honoured: {
    query: anything,
    numResults: resultCount,
    type: optionalText,
    includeDomains: optionalList,
    excludeDomains: optionalList,
    startPublishedDate: optionalText,
    endPublishedDate: optionalText,
    contents: z.union([z.boolean(), z.looseObject(contentOptions)]).nullish(),
    ...contentOptions,
  },
  refused: {
    startCrawlDate: 'use startPublishedDate.',
    endCrawlDate: 'use endPublishedDate.',
    includeText: 'put the words in quotes in the query.',
    excludeText: 'put the words with a minus before them in the query.',
    category: 'use includeDomains.',
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
  createHandler: ({ search, readPages }) =>
    async function answerExaSearch(context) {
      const sent = readFields(exaSearchFields, parseJsonObject(context))
      const options = readFields(
        contentFields,
        typeof sent.contents === 'object' ? { ...sent.contents } : sent,
      )
      const { startPublishedDate: start, endPublishedDate: end } = sent
      const domains = readForeignDomains(sent.includeDomains, sent.excludeDomains)
      const fields = {
        query: sent.query,
        num_results: sent.numResults ?? RESULTS_DEFAULT,
        max_snippets_per_result: highlightsWanted(options),
        search_depth: DEPTH_OF[sent.type ?? ''] ?? 'balanced',
        ...given('start_date', typeof start === 'string' ? dayOf(start) : null),
        ...given('end_date', typeof end === 'string' ? dayOf(end) : null),
        ...given('max_age', maxAgeSecondsOf(options)),
        ...domains.fields,
      }
      const results = await runForeignSearch(context, search, fields, { accepts: domains.accepts })
      const limit = sent.contents === true ? { maxCharacters: null } : textLimitOf(options)
      const urls = results.map(({ url }) => url)
      const isTextWanted = limit !== null && urls.length > 0
      const pages = isTextWanted
        ? await runForeignRead(context, readPages, urls, { ...limit, format: 'text' })
        : []
      context.body = {
        requestId: context.state.requestId,
        resolvedSearchType: 'neural',
        results: results.map((result, index) =>
          Object.assign(toExaResult(result), given('text', pages[index]?.content)),
        ),
      }
    },
}

/** Highlights come without being asked for: they are what was found. */
const toExaResult = (result: SearchResult) => ({
  id: result.url,
  url: result.url,
  title: result.title,
  publishedDate: result.publish_date,
  author: null,
  score: bestScoreOf(result),
  highlights: result.snippets.map(({ text }) => text),
  highlightScores: result.snippets.map(({ relevance_score: score }) => score),
})

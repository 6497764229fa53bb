// Open WebUI's "external" web search: it posts {query, count} with a bearer key and wants [{link, title, snippet}].
// What else a search can be told stands in the address, the one thing that its administrator sets.
import type { ParsedUrlQuery } from 'node:querystring'
import { LIMITS } from '../../../contract/limits.ts'
import { badRequest } from '../../../errors.ts'
import type { Search } from '../../../search/search.ts'
import { foreignLanguage } from '../../request/foreign-language.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { ErrorShape, Route } from '../../route.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { hasSnippets, passagesOf, runForeignSearch } from '../foreign-search.ts'
import { anything, writtenCount } from '../foreign-values.ts'

export const openWebUiSearchFields = {
  honoured: { query: anything, count: writtenCount.nullish() },
  refused: {},
  harmless: [],
} satisfies ForeignFields

/** What our fields are called there; those of the address are ours. */
const NAMES = { num_results: 'count' } as const

/** What its loaders show to people. */
export const openWebUiErrors: ErrorShape = {
  prefix: '/compat/open-webui/',
  spell: ({ status, detail }) => ({ status: status === 422 ? 400 : status, body: { detail } }),
}

export const openWebUiRoute: Route<{ search: Search }> = {
  method: 'post',
  path: '/compat/open-webui/search',
  door: 'key',
  scope: 'search',
  operation: null,
  createHandler: ({ search }) =>
    async function answerOpenWebUi(context) {
      const { query, count } = readFields(openWebUiSearchFields, parseJsonObject(context))
      const results = await runForeignSearch(
        context,
        search,
        {
          query,
          // Beyond what is given here it asks for nothing more.
          num_results: Math.min(LIMITS.foreignResultsMax, count ?? LIMITS.resultsDefault),
          ...settingsOf(context.query),
        },
        { names: NAMES, accepts: hasSnippets },
      )
      context.body = results.map((result) => ({
        link: result.url,
        title: result.title,
        snippet: passagesOf(result),
      }))
    },
}

/** What the address may say besides where to ask; the contract judges the values. */
const SETTINGS = ['language', 'search_depth', 'max_total_characters'] as const

/**
 * The settings of an address.
 * @throws {ApiError} 400 naming parameters that are none of them: what was meant to narrow would be passed over.
 */
function settingsOf({ language, search_depth, max_total_characters, ...others }: ParsedUrlQuery) {
  const unknown = Object.keys(others)
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(', ')
    throw badRequest(`The address may hold ${SETTINGS.join(', ')}; it holds ${names}, too.`)
  }
  return {
    ...foreignLanguage(language),
    ...(search_depth === undefined ? {} : { search_depth }),
    ...(max_total_characters === undefined ? {} : { max_total_characters: Number(max_total_characters) }),
  }
}

// Open WebUI's "external" web search: it posts {query, count} with a bearer key and wants [{link, title, snippet}].
// What else a search can be told stands in the address, the one thing that its administrator sets.
import type { ParsedUrlQuery } from 'node:querystring'
import { LIMITS, parseSearchRequest } from '../../contract.ts'
import { badRequest } from '../../errors.ts'
import type { Search } from '../../search/search.ts'
import { goneSignal } from '../request/client-gone.ts'
import { foreignLanguage } from '../request/foreign-language.ts'
import { parseJsonObject } from '../request/json-body.ts'
import { searchOptionsOf } from '../request/search-options.ts'
import type { Route } from '../route.ts'

export const openWebUiRoute: Route<{ search: Search }> = {
  method: 'post',
  path: '/compat/open-webui/search',
  door: 'key',
  scope: 'search',
  operation: null,
  createHandler: ({ search }) =>
    async function answerOpenWebUi(context) {
      const { query, count } = parseJsonObject(context)
      const wanted = typeof count === 'number' && Number.isInteger(count) ? count : LIMITS.resultsDefault
      const parsed = parseSearchRequest({
        query,
        num_results: Math.min(LIMITS.resultsMax, Math.max(1, wanted)),
        ...settingsOf(context.query),
      })
      if (!parsed.ok) throw badRequest(parsed.issues.map((issue) => issue.message).join(' '), parsed.issues)
      const { response, facts } = await search(parsed.request, searchOptionsOf(context), goneSignal(context))
      context.state.snippets = facts.snippets
      context.set('Verbatim-Engine', facts.provider)
      context.body = response.results
        .filter((result) => result.snippets.length > 0)
        .map(({ url, title, snippets }) => ({
          link: url,
          title,
          snippet: snippets.map((snippet) => snippet.text).join('\n\n'),
        }))
    },
}

/** What the address says besides where to ask; the contract judges the values. */
const settingsOf = ({ language, search_depth }: ParsedUrlQuery) => ({
  ...foreignLanguage(language),
  ...(search_depth === undefined ? {} : { search_depth }),
})

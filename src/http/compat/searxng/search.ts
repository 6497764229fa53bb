// SearXNG's JSON search, for the many applications whose user can set the address of an instance. GET and form POST, at
// /search and at the root, as SearXNG itself answers; clients that send no header carry a token in the path.
import type { ParameterizedContext } from 'koa'
import { z } from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import { RECENCIES, type SearchResult } from '../../../contract.ts'
import type { Search } from '../../../search/search.ts'
import type { CallerState } from '../../request/authenticate.ts'
import { foreignLanguage } from '../../request/foreign-language.ts'
import { readForm } from '../../request/form-body.ts'
import type { ErrorShape, Route } from '../../route.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { bestScoreOf, passagesOf, patienceOfSeconds, runForeignSearch } from '../foreign-search.ts'
import { anything, given } from '../foreign-values.ts'
import { chooseEngines, ENGINE } from './engines.ts'
import { renderEmptyPage, renderResultPage } from './result-page.tsx'

/** SearXNG's pages of results hold about ten. */
const RESULTS = 10
/** Onyx gives a search five seconds, and no client of this shape says how long it waits. */
const PATIENCE_MS = 4_500

const text = z.string().optional()
const OUT_OF_RANGE = 'must be a whole number of at least 1.'

export const searxngFields = {
  honoured: {
    q: anything,
    // Of none SearXNG makes a page, and there are programs that read it: only who accepts JSON alone means that.
    format: z.enum(['json', 'html'], 'may be "json" or "html" here.').optional(),
    language: text,
    time_range: z.enum(RECENCIES, 'must be day, week, month or year.').optional(),
    pageno: z.coerce.number(OUT_OF_RANGE).int(OUT_OF_RANGE).min(1, OUT_OF_RANGE).optional(),
    categories: text,
    engines: text,
    timeout_limit: z.coerce.number('must be a number of seconds.').positive().optional(),
  },
  refused: {},
  harmless: [
    // What the search engines behind this service leave out is their operator's setting.
    'safesearch',
    'theme',
    'image_proxy',
    'autocomplete',
    'enabled_engines',
    'disabled_engines',
    'enabled_plugins',
    'disabled_plugins',
    'results_on_new_tab',
    // SearXNG knows none of these: who sends one cuts the list itself.
    'count',
    'num',
    'numResults',
    'results_per_page',
  ],
} satisfies ForeignFields

export const searxngErrors: ErrorShape = {
  prefix: '/compat/searxng/',
  spell: ({ status, detail }) => ({ status: status === 422 ? 400 : status, body: { error: detail } }),
}

/** What our fields are called there. */
const NAMES = { query: 'q', page: 'pageno', recency: 'time_range' } as const

interface Parts {
  search: Search
}
type Context = ParameterizedContext<CallerState>

const searxngRoute = (
  method: 'get' | 'post',
  path: string,
  parametersOf: (context: Context) => Record<string, unknown>,
): Route<Parts> => ({
  method,
  path,
  door: 'key',
  scope: 'search',
  operation: null,
  createHandler:
    ({ search }) =>
    (context) =>
      answerSearxng(context, search, parametersOf(context)),
})

/** Of a parameter that is sent twice SearXNG takes the first. */
const inAddress = ({ query }: Context): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).map(([name, sent]) => [name, [sent].flat()[0]]))
/** Of one that stands in both places it takes the form's. */
const inForm = (context: Context): Record<string, unknown> => ({
  ...inAddress(context),
  ...readForm(context),
})

export const searxngRoutes = [
  searxngRoute('get', '/compat/searxng/search', inAddress),
  searxngRoute('post', '/compat/searxng/search', inForm),
  searxngRoute('get', '/compat/searxng', inAddress),
  searxngRoute('post', '/compat/searxng', inForm),
]

async function answerSearxng(context: Context, search: Search, sent: Record<string, unknown>): Promise<void> {
  const fields = readFields(searxngFields, sent)
  const isPage = (fields.format ?? acceptedFormat(context)) === 'html'
  // By its start page clients tell whether an instance is there.
  if (isPage && fields.q === undefined) return showPage(context, renderEmptyPage())
  const { isMediaOnly, domains, refused } = chooseEngines(fields.categories, fields.engines)
  const { pageno = 1 } = fields
  const isBeyond = pageno > LIMITS.pageMax
  const asked = {
    query: fields.q,
    num_results: RESULTS,
    page: Math.min(pageno, LIMITS.pageMax),
    include_domains: domains,
    ...given('recency', fields.time_range),
    ...foreignLanguage(fields.language),
  }
  const options = { names: NAMES, patienceMs: PATIENCE_MS, ...patienceOfSeconds(fields.timeout_limit) }
  const results = isMediaOnly || isBeyond ? [] : await runForeignSearch(context, search, asked, options)
  const query = typeof fields.q === 'string' ? fields.q : ''
  if (isPage) return showPage(context, renderResultPage(query, results))
  context.body = {
    query,
    number_of_results: results.length,
    results: results.map(toSearxngResult),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: refused.map((engine) => [engine, 'this service finds pages of text alone']),
  }
}

const acceptedFormat = (context: Context): 'html' | 'json' =>
  context.accepts('text/html') === false ? 'json' : 'html'

function showPage(context: Context, html: string): void {
  context.type = 'text/html; charset=utf-8'
  context.set('Content-Security-Policy', "default-src 'none'; sandbox")
  context.body = html
}

/** A page without a passage stays in the list, its content empty: clients read the field unguarded. */
const toSearxngResult = (result: SearchResult) => ({
  url: result.url,
  title: result.title,
  content: passagesOf(result),
  score: bestScoreOf(result),
  publishedDate: result.publish_date,
  engine: ENGINE,
  engines: [ENGINE],
  category: 'general',
  template: 'default.html',
  positions: [result.rank],
  thumbnail: '',
})

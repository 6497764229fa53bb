// Firecrawl's search, versions 1 and 2: results with the best passages as their description, and the pages themselves
// where scrapeOptions asks for them.
import type { ParameterizedContext } from 'koa'
import { z } from 'zod'
import { LIMITS, type SearchResult } from '../../../contract.ts'
import { badRequest } from '../../../errors.ts'
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { Search } from '../../../search/search.ts'
import type { CallerState } from '../../request/authenticate.ts'
import { foreignLanguage } from '../../request/foreign-language.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { Route } from '../../route.ts'
import { readForeignDomains } from '../foreign-domains.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { passagesOf, patienceOf, runForeignRead, runForeignSearch } from '../foreign-search.ts'
import {
  anything,
  dayOfAmerican,
  duration,
  optionalList,
  optionalText,
  resultCount,
} from '../foreign-values.ts'
import {
  formatsOf,
  HARMLESS_SCRAPE_OPTIONS,
  REFUSED_SCRAPE_OPTIONS,
  scrapeOptions,
  toDocument,
  writtenFormat,
} from './scrape.ts'

/** Of several kinds of source only pages of the web are had here. */
const named = (names: readonly string[], allowed: string) => {
  const name = z.enum(names, allowed)
  return z.array(z.union([name, z.object({ type: name }).transform(({ type }) => type)], allowed)).nullish()
}

export const firecrawlSearchFields = {
  honoured: {
    query: anything,
    limit: resultCount,
    tbs: optionalText,
    lang: optionalText,
    sources: named(['web', 'news', 'images'], 'may be "web" here.'),
    categories: named(['github'], 'may be "github" here.'),
    includeDomains: optionalList,
    excludeDomains: optionalList,
    timeout: duration,
    scrapeOptions: z.looseObject(scrapeOptions).nullish(),
  },
  refused: {
    filter: 'use includeDomains, excludeDomains or tbs.',
    enterprise: 'what is searched stays with this service and its search engines.',
  },
  // The country and place of a searcher: no engine here is told of them.
  harmless: [
    'country',
    'location',
    'ignoreInvalidURLs',
    'highlights',
    'integration',
    'origin',
    'asyncScraping',
  ],
} satisfies ForeignFields

/** Of the options for each result; a table of its own, since they stand one level down. */
const scrapeOptionFields = {
  honoured: scrapeOptions,
  refused: REFUSED_SCRAPE_OPTIONS,
  harmless: HARMLESS_SCRAPE_OPTIONS,
} satisfies ForeignFields

interface Parts {
  search: Search
  readPages: AdmittedReadPages
}

const searchRoute = (version: 'v1' | 'v2', path = `/compat/firecrawl/${version}/search`): Route<Parts> => ({
  method: 'post',
  path,
  door: 'key',
  scope: 'search',
  operation: null,
  createHandler: (parts) =>
    async function answerFirecrawlSearch(context) {
      const sent = readFields(firecrawlSearchFields, parseJsonObject(context))
      const web = await findPages(context, parts, sent)
      context.body =
        version === 'v1'
          ? { success: true, data: web }
          : { success: true, data: { web }, id: context.state.requestId, creditsUsed: 0 }
    },
})

/** At the root, too, as the scrape is. */
export const firecrawlSearchRoutes = [searchRoute('v2'), searchRoute('v1'), searchRoute('v2', '/v2/search')]

type FirecrawlSearch = ReturnType<typeof readFields<typeof firecrawlSearchFields.honoured>>

async function findPages(
  context: ParameterizedContext<CallerState>,
  { search, readPages }: Parts,
  sent: FirecrawlSearch,
) {
  if (sent.sources?.every((source) => source === 'images') === true) return []
  const isOfGithub = (sent.categories ?? []).includes('github')
  const domains = readForeignDomains(isOfGithub ? ['github.com'] : sent.includeDomains, sent.excludeDomains)
  const patience = patienceOf(sent.timeout)
  const fields = {
    query: sent.query,
    num_results: sent.limit ?? LIMITS.resultsDefault,
    ...datesOf(sent.tbs),
    ...foreignLanguage(sent.lang),
    ...domains.fields,
  }
  const results = await runForeignSearch(context, search, fields, { ...patience, accepts: domains.accepts })
  const documents = await scrapeResults(context, readPages, results, sent, patience)
  return results.map((result, index) => Object.assign(toWebResult(result), documents[index]))
}

/** The pages in the formats that were asked for, aligned with the results; empty when none were. */
async function scrapeResults(
  context: ParameterizedContext<CallerState>,
  readPages: AdmittedReadPages,
  results: readonly SearchResult[],
  { scrapeOptions: sent }: FirecrawlSearch,
  patience: { patienceMs?: number },
) {
  const options = readFields(scrapeOptionFields, sent ?? {})
  if (results.length === 0 || (options.formats ?? []).length === 0) return []
  const formats = formatsOf(options.formats)
  const urls = results.map(({ url }) => url)
  const asked = { format: writtenFormat(formats), maxAgeMs: options.maxAge ?? null, ...patience }
  const pages = await runForeignRead(context, readPages, urls, asked)
  return pages.map((page) => toDocument(page, formats))
}

/** The passages are what its clients take for the description of a page. */
const toWebResult = (result: SearchResult) => ({
  url: result.url,
  title: result.title,
  description: passagesOf(result),
  position: result.rank,
})

const WINDOWS: Readonly<Record<string, string>> = { d: 'day', w: 'week', m: 'month', y: 'year' }

/**
 * Google's `tbs`: `qdr:d` and its like, or `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`.
 * @throws {ApiError} 400 for what cannot be kept.
 */
function datesOf(tbs: string | null | undefined): Record<string, string> {
  if (tbs === null || tbs === undefined) return {}
  const parts = tbs.split(',').map((part) => part.trim())
  const found: Record<string, string> = {}
  for (const part of parts) {
    const [name = '', value = ''] = part.split(/:(.*)/su)
    const window = WINDOWS[value]
    if (name === 'qdr' && window !== undefined) found['recency'] = window
    else if (name === 'cd_min') found['start_date'] = dayOfAmerican(value)
    else if (name === 'cd_max') found['end_date'] = dayOfAmerican(value)
    else if (part !== 'cdr:1')
      throw badRequest(`tbs: "${name}" may be qdr:d, qdr:w, qdr:m, qdr:y or cdr:1 with its days here.`)
  }
  return found
}

// Firecrawl's search, versions 1 and 2: results with the best passages as their description, and the pages themselves
// where scrapeOptions asks for them.
import { z } from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import type { SearchResult } from '../../../contract.ts'
import { badRequest } from '../../../errors.ts'
import type { AdmittedReadPages } from '../../../search/given/admitted-work.ts'
import type { Search } from '../../../search/search.ts'
import { foreignLanguage } from '../../request/foreign-language.ts'
import { parseJsonObject } from '../../request/json-body.ts'
import type { Route } from '../../route.ts'
import { readDomainsWithin, SCHOLARLY_DOMAINS } from '../foreign-domains.ts'
import { readFields, type ForeignFields } from '../foreign-fields.ts'
import { searchAndRead } from '../foreign-pages.ts'
import { passagesOf, patienceOf, type ForeignContext } from '../foreign-search.ts'
import {
  anything,
  dayOfAmerican,
  duration,
  given,
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

/** Names alone, or in objects beside settings of theirs. */
const named = <const Names extends readonly string[]>(names: Names, allowed: string) => {
  const name = z.enum(names, allowed)
  return z.array(z.union([name, z.object({ type: name }).transform(({ type }) => type)], allowed)).nullish()
}

/** As there, kinds of pages are groups of sites. */
const CATEGORY_DOMAINS = { github: ['github.com'], gov: ['gov'], research: SCHOLARLY_DOMAINS } as const
const CATEGORIES = ['github', 'gov', 'research'] as const

export const firecrawlSearchFields = {
  honoured: {
    query: anything,
    limit: resultCount,
    tbs: optionalText,
    lang: optionalText,
    sources: named(['web', 'news', 'images'], 'may be "web", "news" or "images" here.'),
    categories: named(CATEGORIES, 'may be "github", "gov" or "research" here.'),
    includeDomains: optionalList,
    excludeDomains: optionalList,
    timeout: duration,
    scrapeOptions: z.looseObject({}).nullish(),
  },
  refused: {
    filter: 'use includeDomains, excludeDomains or tbs.',
    enterprise: 'what is searched stays with this service and its search engines.',
    threatProtection: REFUSED_SCRAPE_OPTIONS.threatProtection,
  },
  // The country and place of a searcher: no engine here is told of them.
  harmless: [
    'country',
    'location',
    'ignoreInvalidURLs',
    'highlights',
    'domainTools',
    'toolDetail',
    'integration',
    'origin',
    'asyncScraping',
  ],
} satisfies ForeignFields

/** What our fields are called there. */
const NAMES = {
  num_results: 'limit',
  recency: 'tbs',
  start_date: 'tbs (cd_min)',
  end_date: 'tbs (cd_max)',
  language: 'lang',
  include_domains: 'includeDomains',
  exclude_domains: 'excludeDomains',
} as const

/** Of the options for each result, which stand one level down. */
export const firecrawlResultFields = {
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
      const found = await findPages(context, parts, sent)
      context.body =
        version === 'v1'
          ? { success: true, data: found.map(toWebResult) }
          : { success: true, ...bySource(found, sent), id: context.state.requestId, creditsUsed: 0 }
    },
})

/** At the root, too, as the scrape is. */
export const firecrawlSearchRoutes = [searchRoute('v2'), searchRoute('v1'), searchRoute('v2', '/v2/search')]

type FirecrawlSearch = ReturnType<typeof readFields<typeof firecrawlSearchFields.honoured>>

/** A result, and its page in the formats that were asked for; null where none were. */
interface FoundPage {
  result: SearchResult
  document: object | null
}

async function findPages(context: ForeignContext, parts: Parts, sent: FirecrawlSearch): Promise<FoundPage[]> {
  const options = readFields(firecrawlResultFields, sent.scrapeOptions ?? {}, 'scrapeOptions')
  const { sources } = sent
  if (sources?.includes('images') === true && sources.every((source) => source === 'images')) return []
  const sites = (sent.categories ?? []).flatMap((category) => CATEGORY_DOMAINS[category])
  const { fields, accepts } = readDomainsWithin(sites, sent.includeDomains, sent.excludeDomains)
  const asked = { ...patienceOf(sent.timeout), names: NAMES, accepts }
  const wanted = pagesWanted(options)
  const found = await searchAndRead(context, parts, { ...toOurFields(sent), ...fields }, asked, wanted)
  return found.results.map((result, index) => {
    const page = found.pages[index]
    const isRead = page !== undefined && page.failure === null
    return { result, document: isRead ? toDocument(page, formatsOf(options.formats)) : null }
  })
}

const toOurFields = ({ query, limit, tbs, lang }: FirecrawlSearch) => ({
  query,
  num_results: limit ?? LIMITS.resultsDefault,
  ...datesOf(tbs),
  ...foreignLanguage(lang),
})

function pagesWanted({ formats, maxAge, excludeTags }: ReturnType<typeof readFields<typeof scrapeOptions>>) {
  if ((formats ?? []).length === 0) return null
  return { format: writtenFormat(formatsOf(formats)), maxAgeMs: maxAge ?? null, without: excludeTags ?? [] }
}

const WEB_ALONE = 'This service finds pages of the web: there are no images, and no news apart from them.'

/** News are looked for where news are asked for; beside the web they would be the same pages twice. */
function bySource(found: readonly FoundPage[], { sources }: FirecrawlSearch) {
  const asked = new Set(sources ?? [])
  if (asked.size === 0) asked.add('web')
  const isNewsAlone = asked.has('news') && !asked.has('web')
  return {
    data: {
      ...(asked.has('web') ? { web: found.map(toWebResult) } : {}),
      ...(asked.has('news') ? { news: isNewsAlone ? found.map(toNewsResult) : [] } : {}),
      ...(asked.has('images') ? { images: [] } : {}),
    },
    ...(asked.has('web') && asked.size === 1 ? {} : { warning: WEB_ALONE }),
  }
}

/** The passages are what its clients take for the description of a page. */
const toWebResult = ({ result, document }: FoundPage) => ({
  url: result.url,
  title: result.title,
  description: passagesOf(result),
  position: result.rank,
  ...document,
})

const toNewsResult = ({ result, document }: FoundPage) => ({
  url: result.url,
  title: result.title,
  snippet: passagesOf(result),
  ...given('date', result.publish_date),
  position: result.rank,
  ...document,
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
      throw badRequest(
        `tbs: "${part}" is not kept; it may be qdr:d, qdr:w, qdr:m, qdr:y or cdr:1 with its days.`,
      )
  }
  return found
}

// Kagi, asked with a key. https://kagi.redocly.app
import { z } from 'zod'
import { collectPages, createEntryReader, readAnswer } from '../read-answer.ts'
import type { EngineClient, KeyedEngineSettings } from '../engine-client.ts'
import { type EngineDefinition, keyedEnvironment } from '../engine-definition.ts'
import type { ProviderQuery, SearchHit, SearchProvider } from '../provider.ts'
import { isoDay, recencyStart, regionOf } from '../query-syntax.ts'

const NAME = 'kagi'
/** It takes up to 1 024 for `limit` and pages up to 10; these are more than any answer needs. */
const HITS_MAX = 50
const PAGES_MAX = 3

// `search` is absent when nothing was found.
const answerSchema = z.object({ data: z.object({ search: z.array(z.unknown()).default([]) }) })
const readEntries = createEntryReader(NAME, {
  url: 'url',
  title: 'title',
  excerpt: 'snippet',
  dates: ['time'],
  isMarkup: true,
})

function createKagi(
  { apiKey, baseUrl = 'https://kagi.com' }: KeyedEngineSettings,
  client: EngineClient,
): SearchProvider {
  async function askPage(query: ProviderQuery, pageIndex: number, signal: AbortSignal): Promise<SearchHit[]> {
    const asked = {
      provider: NAME,
      url: new URL('/api/v1/search', baseUrl),
      headers: { authorization: `Bearer ${apiKey}` },
    }
    const body = {
      query: query.text,
      workflow: 'search',
      page: pageIndex + 1,
      limit: Math.min(query.count, HITS_MAX),
      ...spellFilters(query),
    }
    const answer = readAnswer(NAME, answerSchema, await client.postJson(asked, body, signal))
    return readEntries(answer.data.search)
  }

  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: false,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_MAX,
      maxPages: PAGES_MAX,
      maxQueryCharacters: null,
    },
    search: (query, signal) =>
      collectPages(query, PAGES_MAX, (pageIndex) => askPage(query, pageIndex, signal), signal),
  }
}

/** Date and region are filters; domains are an inline lens, which lists the sites to search and those to leave out. */
function spellFilters({ recency, language, includeDomains, excludeDomains }: ProviderQuery): object {
  const region = regionOf(language)
  const filters = {
    ...(recency === null ? {} : { after: isoDay(recencyStart(recency)) }),
    ...(region === null ? {} : { region }),
  }
  const lens = {
    ...(includeDomains.length === 0 ? {} : { sites_included: includeDomains }),
    ...(excludeDomains.length === 0 ? {} : { sites_excluded: excludeDomains }),
  }
  return Object.keys(lens).length === 0 ? { filters } : { filters, lens }
}

export const kagi: EngineDefinition<KeyedEngineSettings> = {
  environment: keyedEnvironment('KAGI'),
  documentation: {
    setUpWith: '`KAGI_API_KEY`',
    domains: 'engine',
    notes: '',
  },
  create: createKagi,
}

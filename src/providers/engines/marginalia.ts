// Marginalia: a small independent index of text-heavy sites. The key "public" works and is shared by everyone; its
// results are CC BY-NC-SA, which is why it is asked only when the operator set a key.
// https://about.marginalia-search.com/article/api/
import { z } from 'zod'
import { collectTexts, createEntryReader, readAnswer } from '../read-answer.ts'
import type { EngineClient, KeyedEngineSettings } from '../engine-client.ts'
import { parseJson, throwForStatus } from '../engine-answer.ts'
import { type EngineDefinition, keyedEnvironment } from '../engine-definition.ts'
import { ProviderError, type ProviderQuery, type SearchHit, type SearchProvider } from '../provider.ts'
import { primaryLanguage } from '../query-syntax.ts'

const NAME = 'marginalia'
const HITS_MAX = 100
/** It knows `site:` but neither OR nor an exclusion. */
const SPELLING = {
  charactersMax: 400,
  wordsMax: null,
  splitAtCharacters: 400,
  queriesMax: 4,
  domainsPerQueryMax: 1,
  excludes: false,
} as const

const answerSchema = z.object({ results: z.array(z.unknown()) })
const readEntries = createEntryReader(NAME, {
  url: 'url',
  title: 'title',
  excerpt: 'description',
  dates: [],
  isMarkup: true,
})

/** It has an index for each of a few languages; the pipeline checks the pages', because `lang` is not documented. */
function createMarginalia(
  { apiKey, baseUrl = 'https://api2.marginalia-search.com' }: KeyedEngineSettings,
  client: EngineClient,
): SearchProvider {
  async function ask(text: string, query: ProviderQuery, signal: AbortSignal): Promise<SearchHit[]> {
    const url = new URL('/search', baseUrl)
    const count = String(Math.min(query.count, HITS_MAX))
    url.searchParams.set('query', text)
    url.searchParams.set('count', count)
    url.searchParams.set('lang', primaryLanguage(query.language))
    // Unless told it gives two hits of a domain, which is too few where only one domain is asked for.
    if (query.includeDomains.length > 0) url.searchParams.set('dc', count)
    const headers = { accept: 'application/json', 'api-key': apiKey }
    const answer = await client.ask({ provider: NAME, url, headers }, signal)
    if (answer.status === 503) throw new ProviderError(NAME, 'rate_limited', 'status 503: its rate limit')
    throwForStatus(NAME, answer)
    const { results } = readAnswer(NAME, answerSchema, parseJson(NAME, answer.text))
    return readEntries(results)
  }

  return {
    name: NAME,
    capabilities: {
      recency: false,
      language: false,
      includeDomains: true,
      excludeDomains: false,
      maxCount: HITS_MAX,
      maxPages: 1,
      maxQueryCharacters: SPELLING.charactersMax,
    },
    search: (query, signal) =>
      collectTexts(query, { spelling: SPELLING, pagesMax: 1 }, (text) => ask(text, query, signal), signal),
  }
}

export const marginalia: EngineDefinition<KeyedEngineSettings> = {
  environment: keyedEnvironment('MARGINALIA'),
  documentation: {
    setUpWith: '`MARGINALIA_API_KEY`',
    domains: '`site:`, up to four',
    notes:
      'text-heavy sites; results are CC BY-NC-SA; the key `public` is shared by everyone and heavily limited',
  },
  create: createMarginalia,
}

// Exa: search by meaning, asked with a key. https://docs.exa.ai/reference/search
import { z } from 'zod'
import { createEntryReader, readAnswer } from '../read-answer.ts'
import type { EngineClient, KeyedEngineSettings } from '../engine-client.ts'
import { type EngineDefinition, keyedEnvironment } from '../engine-definition.ts'
import type { SearchProvider } from '../provider.ts'
import { isoDay, recencyStart } from '../query-syntax.ts'

const NAME = 'exa'
/** More are possible and cost more. */
const HITS_MAX = 25

const answerSchema = z.object({ results: z.array(z.unknown()) })
const readEntries = createEntryReader(NAME, {
  url: 'url',
  title: 'title',
  dates: ['publishedDate'],
  isMarkup: false,
})

function createExa(
  { apiKey, baseUrl = 'https://api.exa.ai' }: KeyedEngineSettings,
  client: EngineClient,
): SearchProvider {
  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: false,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_MAX,
      maxPages: 1,
      maxQueryCharacters: null,
    },
    async search(query, signal) {
      // No `contents`: pages are read by us, and without them a search is cheaper. Of included and excluded domains it
      // takes one list; sub-domains excluded from an included domain are left to the pipeline.
      const domains =
        query.includeDomains.length > 0
          ? { includeDomains: query.includeDomains }
          : { excludeDomains: query.excludeDomains }
      const start =
        query.recency === null
          ? {}
          : { startPublishedDate: `${isoDay(recencyStart(query.recency))}T00:00:00.000Z` }
      const asked = { provider: NAME, url: new URL('/search', baseUrl), headers: { 'x-api-key': apiKey } }
      const numResults = Math.min(query.count, HITS_MAX)
      const body = { query: query.text, type: 'auto', numResults, ...domains, ...start }
      const answer = readAnswer(NAME, answerSchema, await client.postJson(asked, body, signal))
      return readEntries(answer.results)
    },
  }
}

export const exa: EngineDefinition<KeyedEngineSettings> = {
  environment: keyedEnvironment('EXA'),
  documentation: {
    setUpWith: '`EXA_API_KEY`',
    domains: 'engine',
    notes: 'search by meaning; takes either included or excluded domains',
  },
  create: createExa,
}

// Tavily: a search service for programs, asked with a key.
// https://docs.tavily.com/documentation/api-reference/endpoint/search
import { z } from 'zod'
import { createEntryReader, readAnswer } from '../read-answer.ts'
import type { EngineClient, KeyedEngineSettings } from '../engine-client.ts'
import { type EngineDefinition, keyedEnvironment } from '../engine-definition.ts'
import type { SearchProvider } from '../provider.ts'
import { cutWords } from '../query-syntax.ts'

const NAME = 'tavily'
const HITS_MAX = 20
const QUERY_CHARACTERS_MAX = 400
const INCLUDED_MAX = 300
const EXCLUDED_MAX = 150

const answerSchema = z.object({ results: z.array(z.unknown()) })
/** `content` is a summary at this depth, not the page's words: good enough to order pages by. */
const readEntries = createEntryReader(NAME, {
  url: 'url',
  title: 'title',
  excerpt: 'content',
  dates: ['published_date'],
  isMarkup: false,
})

function createTavily(
  { apiKey, baseUrl = 'https://api.tavily.com' }: KeyedEngineSettings,
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
      maxQueryCharacters: QUERY_CHARACTERS_MAX,
    },
    async search(query, signal) {
      const asked = {
        provider: NAME,
        url: new URL('/search', baseUrl),
        headers: { authorization: `Bearer ${apiKey}` },
      }
      const body = {
        query: cutWords(query.text, QUERY_CHARACTERS_MAX, Number.POSITIVE_INFINITY),
        search_depth: 'basic',
        max_results: Math.min(query.count, HITS_MAX),
        include_domains: query.includeDomains.slice(0, INCLUDED_MAX),
        exclude_domains: query.excludeDomains.slice(0, EXCLUDED_MAX),
        ...(query.recency === null ? {} : { time_range: query.recency }),
      }
      const answer = readAnswer(NAME, answerSchema, await client.postJson(asked, body, signal))
      return readEntries(answer.results)
    },
  }
}

export const tavily: EngineDefinition<KeyedEngineSettings> = {
  environment: keyedEnvironment('TAVILY'),
  documentation: {
    setUpWith: '`TAVILY_API_KEY`',
    domains: 'engine',
    notes: 'queries up to 400 characters',
  },
  create: createTavily,
}

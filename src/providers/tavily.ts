// Tavily: a search service for programs, asked with a key. https://docs.tavily.com/documentation/api-reference/endpoint/search
import { z } from 'zod'
import { readAnswer, readDate, readHits } from './answers.ts'
import type { EngineClient } from './engine-client.ts'
import type { SearchHit, SearchProvider } from './provider.ts'
import { cutWords } from './queries.ts'

const NAME = 'tavily'
const HITS_MAX = 20
const QUERY_CHARACTERS_MAX = 400
const INCLUDED_MAX = 300
const EXCLUDED_MAX = 150

const answerSchema = z.object({ results: z.array(z.unknown()) })

const entrySchema = z.object({
  url: z.string().min(1),
  title: z.string().nullish(),
  content: z.string().nullish(),
  published_date: z.string().nullish(),
})

const toHit = (entry: z.infer<typeof entrySchema>): SearchHit => ({
  url: entry.url,
  title: entry.title ?? '',
  publishedAt: readDate(entry.published_date),
  // Its `content` is a summary at this depth, not the page's words: good enough to order pages by.
  excerpt: entry.content || null,
})

export interface TavilyOptions {
  client: EngineClient
  apiKey: string
  baseUrl?: string
}

export function createTavily({
  client,
  apiKey,
  baseUrl = 'https://api.tavily.com',
}: TavilyOptions): SearchProvider {
  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: false,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_MAX,
      maxQueryCharacters: QUERY_CHARACTERS_MAX,
    },
    async search(query, signal) {
      const body = {
        query: cutWords(query.text, QUERY_CHARACTERS_MAX, Number.POSITIVE_INFINITY),
        search_depth: 'basic',
        max_results: Math.min(query.count, HITS_MAX),
        include_domains: query.includeDomains.slice(0, INCLUDED_MAX),
        exclude_domains: query.excludeDomains.slice(0, EXCLUDED_MAX),
        ...(query.recency === null ? {} : { time_range: query.recency }),
      }
      const asked = {
        provider: NAME,
        url: new URL('/search', baseUrl),
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: JSON.stringify(body),
      } as const
      const answer = readAnswer(NAME, answerSchema, await client.askJson(asked, signal))
      return readHits(NAME, answer.results, entrySchema, toHit)
    },
  }
}

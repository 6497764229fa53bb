// Exa: search by meaning, asked with a key. https://docs.exa.ai/reference/search
import { z } from 'zod'
import { readAnswer, readDate, readHits } from './answers.ts'
import type { EngineClient } from './engine-client.ts'
import type { SearchHit, SearchProvider } from './provider.ts'
import { isoDay, recencyStart } from './queries.ts'

const NAME = 'exa'
/** More are possible and cost more. */
const HITS_MAX = 25

const answerSchema = z.object({ results: z.array(z.unknown()) })

const entrySchema = z.object({
  url: z.string().min(1),
  title: z.string().nullish(),
  publishedDate: z.string().nullish(),
})

const toHit = (entry: z.infer<typeof entrySchema>): SearchHit => ({
  url: entry.url,
  title: entry.title ?? '',
  publishedAt: readDate(entry.publishedDate),
  excerpt: null,
})

export interface ExaOptions {
  client: EngineClient
  apiKey: string
  baseUrl?: string
}

export function createExa({ client, apiKey, baseUrl = 'https://api.exa.ai' }: ExaOptions): SearchProvider {
  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: false,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_MAX,
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
      const asked = {
        provider: NAME,
        url: new URL('/search', baseUrl),
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({
          query: query.text,
          type: 'auto',
          numResults: Math.min(query.count, HITS_MAX),
          ...domains,
          ...start,
        }),
      } as const
      const answer = readAnswer(NAME, answerSchema, await client.askJson(asked, signal))
      return readHits(NAME, answer.results, entrySchema, toHit)
    },
  }
}

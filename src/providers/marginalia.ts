// Marginalia: a small independent index of text-heavy sites. The key "public" works and is shared by everyone; its
// results are CC BY-NC-SA, which is why it is asked only when the operator set a key. https://about.marginalia-search.com
import { z } from 'zod'
import { interleave, plainText, readAnswer, readHits } from './answers.ts'
import type { EngineClient } from './engine-client.ts'
import type { SearchHit, SearchProvider } from './provider.ts'
import { spellQueries } from './queries.ts'
import { uniqueHits } from './urls.ts'

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

const entrySchema = z.object({
  url: z.string().min(1),
  title: z.string().default(''),
  description: z.string().nullish(),
})

const toHit = (entry: z.infer<typeof entrySchema>): SearchHit => ({
  url: entry.url,
  title: plainText(entry.title),
  publishedAt: null,
  excerpt: plainText(entry.description ?? '') || null,
})

export interface MarginaliaOptions {
  client: EngineClient
  apiKey: string
  baseUrl?: string
}

export function createMarginalia({
  client,
  apiKey,
  baseUrl = 'https://api2.marginalia-search.com',
}: MarginaliaOptions): SearchProvider {
  async function ask(text: string, count: number, signal: AbortSignal): Promise<SearchHit[]> {
    const url = new URL('/search', baseUrl)
    url.searchParams.set('query', text)
    url.searchParams.set('count', String(Math.min(count, HITS_MAX)))
    const headers = { 'api-key': apiKey }
    const answer = readAnswer(
      NAME,
      answerSchema,
      await client.askJson({ provider: NAME, url, headers }, signal),
    )
    return readHits(NAME, answer.results, entrySchema, toHit)
  }

  return {
    name: NAME,
    capabilities: {
      recency: false,
      language: false,
      includeDomains: true,
      excludeDomains: false,
      maxCount: HITS_MAX,
      maxQueryCharacters: SPELLING.charactersMax,
    },
    async search(query, signal) {
      const texts = spellQueries(query, SPELLING)
      const lists = await Promise.all(texts.map((text) => ask(text, query.count, signal)))
      return uniqueHits(interleave(lists)).slice(0, query.count)
    },
  }
}

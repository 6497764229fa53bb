// Kagi, asked with a key. https://help.kagi.com/kagi/api/search.html
import { z } from 'zod'
import { collectTexts, plainText, readAnswer, readDate, readHits } from './answers.ts'
import type { EngineClient } from './engine-client.ts'
import type { ProviderQuery, SearchHit, SearchProvider } from './provider.ts'
import { isoDay, recencyStart, regionOf, spellQueries } from './queries.ts'

const NAME = 'kagi'
const PAGES_MAX = 3
const HITS_MAX = 50
const SPELLING = { charactersMax: null, wordsMax: null, splitAtCharacters: 480, queriesMax: 3 } as const

const answerSchema = z.object({
  // `search` is absent when nothing was found.
  data: z.object({ search: z.array(z.unknown()).default([]) }),
})

const entrySchema = z.object({
  url: z.string().min(1),
  title: z.string().default(''),
  snippet: z.string().nullish(),
  time: z.string().nullish(),
})

const toHit = (entry: z.infer<typeof entrySchema>): SearchHit => ({
  url: entry.url,
  title: plainText(entry.title),
  publishedAt: readDate(entry.time),
  excerpt: plainText(entry.snippet ?? '') || null,
})

export interface KagiOptions {
  client: EngineClient
  apiKey: string
  baseUrl?: string
}

export function createKagi({ client, apiKey, baseUrl = 'https://kagi.com' }: KagiOptions): SearchProvider {
  async function askPage(text: string, query: ProviderQuery, pageIndex: number, signal: AbortSignal) {
    const region = regionOf(query.language)
    const filters = {
      ...(query.recency === null ? {} : { after: isoDay(recencyStart(query.recency)) }),
      ...(region === null ? {} : { region }),
    }
    const asked = {
      provider: NAME,
      url: new URL('/api/v1/search', baseUrl),
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ query: text, workflow: 'search', page: pageIndex + 1, filters }),
    } as const
    const answer = readAnswer(NAME, answerSchema, await client.askJson(asked, signal))
    return readHits(NAME, answer.data.search, entrySchema, toHit)
  }

  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: false,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_MAX,
      maxQueryCharacters: SPELLING.charactersMax,
    },
    search: (query, signal) =>
      collectTexts(
        spellQueries(query, SPELLING),
        { count: query.count, pagesMax: PAGES_MAX },
        (text, pageIndex) => askPage(text, query, pageIndex, signal),
        signal,
      ),
  }
}

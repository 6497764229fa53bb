// Serper: Google's results, asked with a key. https://serper.dev
import { z } from 'zod'
import { collectTexts, readAnswer, readDate, readHits } from './answers.ts'
import type { EngineClient } from './engine-client.ts'
import type { ProviderQuery, SearchHit, SearchProvider } from './provider.ts'
import { primaryLanguage, regionOf, spellQueries } from './queries.ts'

const NAME = 'serper'
const HITS_PER_PAGE = 10
const PAGES_MAX = 3
/** Google reads 32 words and about 2 000 characters, and no further. */
const SPELLING = { charactersMax: 2_000, wordsMax: 32, splitAtCharacters: 1_000, queriesMax: 3 } as const
const TIME = { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' } as const

const answerSchema = z.object({
  searchParameters: z.unknown(),
  organic: z.array(z.unknown()),
})

const entrySchema = z.object({
  link: z.string().min(1),
  title: z.string().default(''),
  snippet: z.string().nullish(),
  /** "Mar 3, 2024", or "2 days ago", which is left to the page's own date. */
  date: z.string().nullish(),
})

const toHit = (entry: z.infer<typeof entrySchema>): SearchHit => ({
  url: entry.link,
  title: entry.title,
  publishedAt: readDate(entry.date),
  excerpt: entry.snippet || null,
})

export interface SerperOptions {
  client: EngineClient
  apiKey: string
  baseUrl?: string
}

/** `hl` only sets the language of Google's own words, so the pipeline checks the pages' language. */
export function createSerper({
  client,
  apiKey,
  baseUrl = 'https://google.serper.dev',
}: SerperOptions): SearchProvider {
  async function askPage(text: string, query: ProviderQuery, pageIndex: number, signal: AbortSignal) {
    const region = regionOf(query.language)
    const body = {
      q: text,
      hl: primaryLanguage(query.language),
      num: HITS_PER_PAGE,
      page: pageIndex + 1,
      ...(region === null ? {} : { gl: region }),
      ...(query.recency === null ? {} : { tbs: TIME[query.recency] }),
    }
    const asked = {
      provider: NAME,
      url: new URL('/search', baseUrl),
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(body),
    } as const
    const answer = readAnswer(NAME, answerSchema, await client.askJson(asked, signal))
    return readHits(NAME, answer.organic, entrySchema, toHit)
  }

  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: false,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_PER_PAGE * PAGES_MAX,
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

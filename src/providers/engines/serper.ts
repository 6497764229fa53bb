// Serper: Google's results, asked with a key. https://serper.dev
import { z } from 'zod'
import { collectTexts, createEntryReader, readAnswer } from '../read-answer.ts'
import type { EngineClient, KeyedEngineSettings } from '../engine-client.ts'
import { type EngineDefinition, keyedEnvironment } from '../engine-definition.ts'
import type { ProviderQuery, SearchProvider } from '../provider.ts'
import { primaryLanguage, regionOf } from '../query-syntax.ts'

const NAME = 'serper'
const HITS_PER_PAGE = 10
const PAGES_MAX = 3
/** Google reads 32 words and about 2 000 characters, and no further. */
const SPELLING = { charactersMax: 2_000, wordsMax: 32, splitAtCharacters: 1_000, queriesMax: 3 } as const
const TIME = { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' } as const

const answerSchema = z.object({ searchParameters: z.unknown(), organic: z.array(z.unknown()) })
/** `date` is "Mar 3, 2024", or "2 days ago", which is left to the page's own date. */
const readEntries = createEntryReader(NAME, {
  url: 'link',
  title: 'title',
  excerpt: 'snippet',
  dates: ['date'],
  isMarkup: false,
})

/** `hl` only sets the language of Google's own words, so the pipeline checks the pages' language. */
function createSerper(
  { apiKey, baseUrl = 'https://google.serper.dev' }: KeyedEngineSettings,
  client: EngineClient,
): SearchProvider {
  async function askPage(text: string, query: ProviderQuery, pageIndex: number, signal: AbortSignal) {
    const region = regionOf(query.language)
    const asked = { provider: NAME, url: new URL('/search', baseUrl), headers: { 'x-api-key': apiKey } }
    const body = {
      q: text,
      hl: primaryLanguage(query.language),
      num: HITS_PER_PAGE,
      page: pageIndex + 1,
      ...(region === null ? {} : { gl: region }),
      ...(query.recency === null ? {} : { tbs: TIME[query.recency] }),
    }
    const answer = readAnswer(NAME, answerSchema, await client.postJson(asked, body, signal))
    return readEntries(answer.organic)
  }

  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: false,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_PER_PAGE * PAGES_MAX,
      maxPages: PAGES_MAX,
      maxQueryCharacters: SPELLING.charactersMax,
    },
    search: (query, signal) =>
      collectTexts(
        query,
        { spelling: SPELLING, pagesMax: PAGES_MAX },
        (text, pageIndex) => askPage(text, query, pageIndex, signal),
        signal,
      ),
  }
}

export const serper: EngineDefinition<KeyedEngineSettings> = {
  environment: keyedEnvironment('SERPER'),
  documentation: {
    setUpWith: '`SERPER_API_KEY`',
    domains: '`site:`',
    notes: "Google's results",
  },
  create: createSerper,
}

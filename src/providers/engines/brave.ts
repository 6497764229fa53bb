// Brave Search: an index of its own, asked with a key.
// https://api-dashboard.search.brave.com/app/documentation/web-search/query
import { z } from 'zod'
import { collectTexts, createEntryReader, readAnswer } from '../read-answer.ts'
import type { EngineClient, KeyedEngineSettings } from '../engine-client.ts'
import { parseJson, throwForStatus, type EngineAnswer } from '../engine-answer.ts'
import { type EngineDefinition, keyedEnvironment } from '../engine-definition.ts'
import { ProviderError, type ProviderQuery, type SearchHit, type SearchProvider } from '../provider.ts'
import { primaryLanguage } from '../query-syntax.ts'

const NAME = 'brave'
const HITS_PER_PAGE = 20
/** `offset` counts pages and goes up to 9; three are more than any answer needs. */
const PAGES_MAX = 3
const SPELLING = { charactersMax: 400, wordsMax: 50, splitAtCharacters: 400, queriesMax: 3 } as const
const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const

/** Tags outside this list are refused with 422; some differ from ISO 639. */
const LANGUAGES = new Set(
  'ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de el gu he hi hu is it jp kn ko lv lt ms ml mr nb pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi'.split(
    ' ',
  ),
)
const RENAMED: Readonly<Record<string, string>> = {
  ja: 'jp',
  zh: 'zh-hans',
  'zh-tw': 'zh-hant',
  'zh-hk': 'zh-hant',
  pt: 'pt-br',
  no: 'nb',
  nn: 'nb',
}

const answerSchema = z.object({
  type: z.literal('search'),
  // Absent when nothing was found.
  web: z.object({ results: z.array(z.unknown()) }).optional(),
})

const readEntries = createEntryReader(NAME, {
  url: 'url',
  title: 'title',
  excerpt: 'description',
  dates: ['page_age'],
  isMarkup: true,
})

function createBrave(
  { apiKey, baseUrl = 'https://api.search.brave.com' }: KeyedEngineSettings,
  client: EngineClient,
): SearchProvider {
  async function askPage(text: string, query: ProviderQuery, pageIndex: number, signal: AbortSignal) {
    const url = new URL('/res/v1/web/search', baseUrl)
    url.searchParams.set('q', text)
    url.searchParams.set('count', String(Math.min(query.count, HITS_PER_PAGE)))
    url.searchParams.set('offset', String(pageIndex))
    url.searchParams.set('result_filter', 'web')
    url.searchParams.set('text_decorations', 'false')
    const language = searchLanguage(query.language)
    if (language !== null) url.searchParams.set('search_lang', language)
    if (query.recency !== null) url.searchParams.set('freshness', FRESHNESS[query.recency])
    const headers = { accept: 'application/json', 'x-subscription-token': apiKey }
    return readPage(await client.ask({ provider: NAME, url, headers }, signal))
  }

  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: true,
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

function searchLanguage(tag: string): string | null {
  const lower = tag.toLowerCase()
  const primary = primaryLanguage(tag)
  const candidates = [RENAMED[lower] ?? lower, RENAMED[primary] ?? primary]
  return candidates.find((candidate) => LANGUAGES.has(candidate)) ?? null
}

function readPage(answer: EngineAnswer): SearchHit[] {
  if (answer.status === 429 && answer.headers['retry-after'] === undefined) {
    const retryAfterSeconds = readReset(answer.headers)
    throw new ProviderError(NAME, 'rate_limited', 'status 429: too many requests', { retryAfterSeconds })
  }
  throwForStatus(NAME, answer)
  const { web } = readAnswer(NAME, answerSchema, parseJson(NAME, answer.text))
  return readEntries(web?.results ?? [])
}

/** `X-RateLimit-Remaining: 0, 14999` and `-Reset: 1, 1419704`: the seconds of the longest window that is used up. */
function readReset(headers: EngineAnswer['headers']): number | null {
  const numbers = (name: string): number[] =>
    String(headers[name] ?? '')
      .split(',')
      .map(Number)
  const resets = numbers('x-ratelimit-reset')
  const used = resets.filter((_, index) => numbers('x-ratelimit-remaining')[index] === 0)
  return used.length > 0 && used.every(Number.isFinite) ? Math.max(...used) : null
}

export const brave: EngineDefinition<KeyedEngineSettings> = {
  environment: keyedEnvironment('BRAVE'),
  documentation: {
    setUpWith: '`BRAVE_API_KEY`',
    domains: '`site:`',
    notes: 'index of its own; queries up to 400 characters and 50 words',
  },
  create: createBrave,
}

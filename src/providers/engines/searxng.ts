// SearXNG (and its ancestor searx) through its JSON API: a metasearch engine that the operator runs.
// https://docs.searxng.org/dev/search_api.html
import { z } from 'zod'
import { collectTexts, createEntryReader, readAnswer } from '../read-answer.ts'
import type { EngineClient } from '../engine-client.ts'
import { parseJson, throwForStatus, type EngineAnswer } from '../engine-answer.ts'
import { type EngineDefinition, httpAddress } from '../engine-definition.ts'
import { ProviderError, type ProviderQuery, type SearchHit, type SearchProvider } from '../provider.ts'

const NAME = 'searxng'
/** A page holds about ten hits, so this is enough for every `count` that the pipeline asks for. */
const PAGES_MAX = 5
/** The engines behind it take about 500 characters at best (DuckDuckGo), so site lists are split before that. */
const SPELLING = { charactersMax: null, wordsMax: null, splitAtCharacters: 480, queriesMax: 4 } as const

const answerSchema = z.object({
  results: z.array(z.unknown()),
  // Missing in very old versions, and of no weight beside results. Each entry is [engine, reason].
  unresponsive_engines: z.array(z.unknown()).catch([]),
})

/**
 * searx gives people's words in `publishedDate` ("2 hours ago") and ISO 8601 in `pubdate`; SearXNG ISO 8601 in the
 * former.
 */
const readEntries = createEntryReader(NAME, {
  url: 'url',
  title: 'title',
  excerpt: 'content',
  dates: ['pubdate', 'publishedDate'],
  isMarkup: false,
})

interface SearxngSettings {
  /** Address of the instance, with its path when it does not live at the root. */
  baseUrl: string
}

/** `time_range` takes exactly day, week, month and year, which are our own words for recency. */
function createSearxng({ baseUrl }: SearxngSettings, client: EngineClient): SearchProvider {
  const searchUrl = new URL('search', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)

  async function askPage(text: string, query: AskedFor, pageIndex: number, signal: AbortSignal) {
    const parameters = new URLSearchParams({
      q: text,
      format: 'json',
      pageno: String(pageIndex + 1),
      language: query.language,
      ...(query.recency === null ? {} : { time_range: query.recency }),
    })
    const asked = { provider: NAME, url: searchUrl, headers: { accept: 'application/json' } }
    const answer = await client.askForm(asked, parameters, signal)
    if (isLanguageRefusal(answer) && query.language !== 'all') {
      return askPage(text, { ...query, language: 'all' }, pageIndex, signal)
    }
    return readPage(answer)
  }

  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: true,
      includeDomains: true,
      excludeDomains: true,
      maxCount: PAGES_MAX * 10,
      maxPages: PAGES_MAX,
      maxQueryCharacters: null,
    },
    async search(query, signal) {
      const ask = (asked: AskedFor): Promise<SearchHit[]> =>
        collectTexts(
          query,
          { spelling: SPELLING, pagesMax: PAGES_MAX },
          (text, pageIndex) => askPage(text, asked, pageIndex, signal),
          signal,
        )
      const hits = await ask(query)
      // Engines that know no time range are left out when one is asked for, and with only such engines every answer is
      // empty. Then the window is left to the pipeline, which checks the pages' own dates.
      return hits.length === 0 && query.recency !== null ? ask({ ...query, recency: null }) : hits
    },
  }
}

type AskedFor = Pick<ProviderQuery, 'language' | 'recency'>

/** 400 `Invalid value "xx" for parameter language`: a tag that this instance does not know. */
const isLanguageRefusal = (answer: EngineAnswer): boolean =>
  answer.status === 400 && /parameter language/u.test(answer.text)

function readPage(answer: EngineAnswer): SearchHit[] {
  if (answer.status === 403) {
    throw new ProviderError(
      NAME,
      'misconfigured',
      'status 403: the instance gives no JSON. List `json` under `search.formats` in its settings.yml and restart it.',
    )
  }
  throwForStatus(NAME, answer)
  const { results, unresponsive_engines: unresponsive } = readAnswer(
    NAME,
    answerSchema,
    parseJson(NAME, answer.text),
  )
  const hits = readEntries(results)
  if (hits.length === 0 && unresponsive.length > 0) {
    throw new ProviderError(
      NAME,
      'unreachable',
      `no engine behind it answered (${describeEngines(unresponsive)})`,
    )
  }
  return hits
}

const describeEngines = (engines: readonly unknown[]): string =>
  engines
    .slice(0, 5)
    .map((entry) => (Array.isArray(entry) ? entry.slice(0, 2).join(': ') : String(entry)))
    .join(', ')
    .slice(0, 200)

export const searxng: EngineDefinition<SearxngSettings> = {
  environment: z
    .object({ SEARXNG_URL: httpAddress.optional() })
    .transform(({ SEARXNG_URL: baseUrl }) => (baseUrl === undefined ? undefined : { baseUrl })),
  documentation: {
    setUpWith: '`SEARXNG_URL`',
    domains: '`site:`',
    notes: 'your own SearXNG or searx; the best start without a paid key',
  },
  create: createSearxng,
}

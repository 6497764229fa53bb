// Any MediaWiki through its action API, and Wikipedia in the language of the question when no wiki is named.
// https://www.mediawiki.org/wiki/API:Search
import { z } from 'zod'
import { plainText, readAnswer, readDate, readHits } from '../read-answer.ts'
import type { EngineClient } from '../engine-client.ts'
import { type EngineDefinition, httpAddress } from '../engine-definition.ts'
import {
  ProviderError,
  type ProviderFailure,
  type ProviderQuery,
  type SearchHit,
  type SearchProvider,
} from '../provider.ts'
import { cutWords, primaryLanguage } from '../query-syntax.ts'

const NAME = 'mediawiki'
/** CirrusSearch refuses longer queries. */
const QUERY_CHARACTERS_MAX = 300
const HITS_MAX = 50
/** Where pages live unless the wiki says otherwise; `$1` is the title, as in MediaWiki's own settings. */
const ARTICLE_PATH = '/wiki/$1'

const FAILURES: Readonly<Record<string, ProviderFailure>> = {
  ratelimited: 'rate_limited',
  maxlag: 'rate_limited',
  // The wiki is private.
  readapidenied: 'misconfigured',
}

const answerSchema = z.object({
  // Errors come with status 200.
  error: z.object({ code: z.string() }).optional(),
  query: z
    .object({
      search: z.array(z.unknown()),
      general: z.object({ articlepath: z.string().includes('$1') }).optional(),
    })
    .optional(),
  // The API answers a search without hits with neither of both but this.
  batchcomplete: z.unknown().optional(),
})

const entrySchema = z.object({
  title: z.string().min(1),
  snippet: z.string().catch(''),
  timestamp: z.string().nullish().catch(null),
})

interface MediawikiSettings {
  /** The wiki's `api.php`, or null for Wikipedia in the question's language. */
  apiUrl: string | null
}

/** One host only: a search for other domains finds nothing here and asks nobody. */
function createMediawiki({ apiUrl }: MediawikiSettings, client: EngineClient): SearchProvider {
  const apiFor = (language: string): URL =>
    new URL(apiUrl ?? `https://${primaryLanguage(language)}.wikipedia.org/w/api.php`)

  return {
    name: NAME,
    capabilities: {
      recency: false,
      language: apiUrl === null,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_MAX,
      maxPages: 1,
      maxQueryCharacters: QUERY_CHARACTERS_MAX,
    },
    async search(query, signal) {
      signal.throwIfAborted()
      const api = apiFor(query.language)
      if (!isAskedFor(api.hostname, query)) return []
      const parameters = {
        action: 'query',
        list: 'search',
        // With the hits comes where pages live: `/wiki/$1` on Wikipedia, `/index.php/$1` on a new wiki.
        meta: 'siteinfo',
        siprop: 'general',
        format: 'json',
        formatversion: '2',
        srsearch: cutWords(query.text, QUERY_CHARACTERS_MAX, Number.POSITIVE_INFINITY),
        srlimit: String(Math.min(query.count, HITS_MAX)),
        srprop: 'snippet|timestamp',
      }
      for (const [name, value] of Object.entries(parameters)) api.searchParams.set(name, value)
      const answer = readAnswer(
        NAME,
        answerSchema,
        await client.askJson({ provider: NAME, url: api }, signal),
      )
      if (answer.error !== undefined) throw nameError(answer.error.code)
      if (answer.query === undefined && answer.batchcomplete === undefined) {
        throw new ProviderError(NAME, 'bad_answer', 'the answer holds no search')
      }
      const pages = new URL(answer.query?.general?.articlepath ?? ARTICLE_PATH, api)
      return readHits(NAME, answer.query?.search ?? [], entrySchema, (entry) => toHit(entry, pages))
    },
  }
}

const toHit = (entry: z.infer<typeof entrySchema>, pages: URL): SearchHit => ({
  url: pages.href.replace('$1', () => encodeTitle(entry.title)),
  title: entry.title,
  // The time of the last edit, not of publication; the page's own date decides about recency.
  publishedAt: readDate(entry.timestamp),
  excerpt: plainText(entry.snippet) || null,
})

/** Titles may hold "?" and "%"; the slash of a sub-page stays as it is. */
const encodeTitle = (title: string): string =>
  encodeURIComponent(title.replaceAll(' ', '_')).replaceAll('%2F', '/')

function isAskedFor(host: string, query: ProviderQuery): boolean {
  const isOn = (domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
  return (
    (query.includeDomains.length === 0 || query.includeDomains.some(isOn)) && !query.excludeDomains.some(isOn)
  )
}

function nameError(code: string): ProviderError {
  const failure = FAILURES[code] ?? 'refused'
  return new ProviderError(NAME, failure, `the wiki says "${code.slice(0, 60)}"`)
}

export const mediawiki: EngineDefinition<MediawikiSettings> = {
  environment: z
    .object({ MEDIAWIKI_URL: httpAddress.optional() })
    .transform(({ MEDIAWIKI_URL: apiUrl }) => (apiUrl === undefined ? undefined : { apiUrl })),
  unset: { apiUrl: null },
  documentation: {
    setUpWith: '`MEDIAWIKI_URL` (optional)',
    domains: 'its own host',
    language: 'Wikipedia: engine',
    notes: "the `api.php` of any wiki; Wikipedia in the question's language when none is named",
  },
  create: createMediawiki,
}

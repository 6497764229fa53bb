// Mojeek: an index of its own, asked with a key. https://www.mojeek.com/support/api/search/request_parameters.html
import { z } from 'zod'
import { plainText, readAnswer, readDate, readHits } from './answers.ts'
import type { EngineClient } from './engine-client.ts'
import { ProviderError, type SearchHit, type SearchProvider } from './provider.ts'
import { isoDay, primaryLanguage, recencyStart } from './queries.ts'

const NAME = 'mojeek'
const HITS_MAX = 40

const answerSchema = z.object({
  response: z.object({
    // "OK", or "ERROR: Daily Limit Reached" and the like with status 200.
    status: z.string(),
    results: z.array(z.unknown()).default([]),
  }),
})

const entrySchema = z.object({
  url: z.string().min(1),
  title: z.string().default(''),
  desc: z.string().nullish(),
  /** Epoch seconds of publication; 0 when the page does not tell. */
  pdate: z.number().nullish(),
})

const toHit = (entry: z.infer<typeof entrySchema>): SearchHit => ({
  url: entry.url,
  title: plainText(entry.title),
  publishedAt: readDate(entry.pdate),
  excerpt: plainText(entry.desc ?? '') || null,
})

export interface MojeekOptions {
  client: EngineClient
  apiKey: string
  baseUrl?: string
}

/** Language is only a preference to it, so the pipeline checks it on the pages. */
export function createMojeek({
  client,
  apiKey,
  baseUrl = 'https://www.mojeek.com',
}: MojeekOptions): SearchProvider {
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
      const url = new URL('/search', baseUrl)
      url.searchParams.set('api_key', apiKey)
      url.searchParams.set('q', query.text)
      url.searchParams.set('fmt', 'json')
      url.searchParams.set('t', String(Math.min(query.count, HITS_MAX)))
      url.searchParams.set('lb', primaryLanguage(query.language).toUpperCase())
      // It knows day, month and year as words, and no week; a date says all four.
      if (query.recency !== null) {
        url.searchParams.set('since', isoDay(recencyStart(query.recency)).replaceAll('-', ''))
      }
      if (query.includeDomains.length > 0) url.searchParams.set('fi', query.includeDomains.join(','))
      if (query.excludeDomains.length > 0) url.searchParams.set('fe', query.excludeDomains.join(','))
      const { response } = readAnswer(
        NAME,
        answerSchema,
        await client.askJson({ provider: NAME, url }, signal),
      )
      if (response.status !== 'OK') throw nameError(response.status)
      return readHits(NAME, response.results, entrySchema, toHit)
    },
  }
}

function nameError(status: string): ProviderError {
  const failure = /limit/iu.test(status)
    ? 'rate_limited'
    : /denied|key/iu.test(status)
      ? 'misconfigured'
      : 'refused'
  return new ProviderError(NAME, failure, `it says "${status.slice(0, 80)}"`)
}

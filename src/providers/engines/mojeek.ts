// Mojeek: an index of its own, asked with a key. https://www.mojeek.com/support/api/search/request_parameters.html
import { z } from 'zod'
import { createEntryReader, readAnswer } from '../read-answer.ts'
import type { EngineClient, KeyedEngineSettings } from '../engine-client.ts'
import { type EngineDefinition, keyedEnvironment } from '../engine-definition.ts'
import { ProviderError, type ProviderQuery, type SearchProvider } from '../provider.ts'
import { cutForAddress, isoDay, primaryLanguage, recencyStart } from '../query-syntax.ts'

const NAME = 'mojeek'
const HITS_MAX = 40
/** Of 100, as Mojeek recommends it: pages in other languages come last. */
const LANGUAGE_BOOST = 100

const answerSchema = z.object({
  response: z.object({
    // "OK", or "ERROR: Daily Limit Reached" and the like with status 200.
    status: z.string(),
    results: z.array(z.unknown()).default([]),
  }),
})
/** `pdate` is epoch seconds of publication; 0 when the page does not tell. */
const readEntries = createEntryReader(NAME, {
  url: 'url',
  title: 'title',
  excerpt: 'desc',
  dates: ['pdate'],
  isMarkup: true,
})

/** It takes everything in the address, and servers refuse one of more than 8 000 bytes. */
const TEXT_BYTES_MAX = 2_000
const DOMAINS_CHARACTERS_MAX = 2_000

/** Language is only a preference to it, so the pipeline checks it on the pages. */
function createMojeek(
  { apiKey, baseUrl = 'https://www.mojeek.com' }: KeyedEngineSettings,
  client: EngineClient,
): SearchProvider {
  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: false,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_MAX,
      maxPages: 1,
      maxQueryCharacters: null,
    },
    async search(query, signal) {
      const url = new URL('/search', baseUrl)
      const parameters = { api_key: apiKey, ...spellParameters(query) }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      const { response } = readAnswer(
        NAME,
        answerSchema,
        await client.askJson({ provider: NAME, url }, signal),
      )
      if (response.status !== 'OK') throw nameError(response.status.replaceAll(apiKey, '…'))
      return readEntries(response.results)
    },
  }
}

function spellParameters(query: ProviderQuery): Record<string, string> {
  const { text, count, recency, language, includeDomains, excludeDomains } = query
  return {
    q: cutForAddress(text, TEXT_BYTES_MAX),
    fmt: 'json',
    t: String(Math.min(count, HITS_MAX)),
    lb: primaryLanguage(language).toUpperCase(),
    lbb: String(LANGUAGE_BOOST),
    // It knows day, month and year as words, and no week; a date says all four.
    ...(recency === null ? {} : { since: isoDay(recencyStart(recency)).replaceAll('-', '') }),
    ...(includeDomains.length === 0 ? {} : { fi: joinWithin(includeDomains) }),
    ...(excludeDomains.length === 0 ? {} : { fe: joinWithin(excludeDomains) }),
  }
}

/** As many domains as fit; the pipeline checks the others on the hits. */
function joinWithin(domains: readonly string[]): string {
  let joined = domains[0] ?? ''
  for (const domain of domains.slice(1)) {
    if (joined.length + 1 + domain.length > DOMAINS_CHARACTERS_MAX) break
    joined += `,${domain}`
  }
  return joined
}

function nameError(status: string): ProviderError {
  const failure = /limit/iu.test(status)
    ? 'rate_limited'
    : /denied|key/iu.test(status)
      ? 'misconfigured'
      : 'refused'
  return new ProviderError(NAME, failure, `it says "${status.slice(0, 80)}"`)
}

export const mojeek: EngineDefinition<KeyedEngineSettings> = {
  environment: keyedEnvironment('MOJEEK'),
  documentation: {
    setUpWith: '`MOJEEK_API_KEY`',
    domains: 'engine',
    notes: 'index of its own',
  },
  create: createMojeek,
}

// DuckDuckGo through its page for browsers without JavaScript. It has no interface for programs and soon asks programs
// to prove that they are people, so it is used only when the operator names it.
import { Parser } from 'htmlparser2'
import { z } from 'zod'
import type { EngineClient } from '../engine-client.ts'
import { throwForStatus, type EngineAnswer } from '../engine-answer.ts'
import { type EngineDefinition, httpAddress } from '../engine-definition.ts'
import { ProviderError, type SearchHit, type SearchProvider } from '../provider.ts'
import { primaryLanguage, regionOf } from '../query-syntax.ts'
import { collectTexts } from '../read-answer.ts'

const NAME = 'duckduckgo'
/** One page; the next one would take a token of this one, and asking twice is what makes it suspicious. */
const HITS_MAX = 30
const SPELLING = { charactersMax: 499, wordsMax: null, splitAtCharacters: 499, queriesMax: 2 } as const

/** The region that stands for a language when the tag names none. */
const REGIONS: Readonly<Record<string, string>> = {
  en: 'us-en',
  de: 'de-de',
  fr: 'fr-fr',
  es: 'es-es',
  it: 'it-it',
  nl: 'nl-nl',
  pl: 'pl-pl',
  pt: 'pt-pt',
  ru: 'ru-ru',
  sv: 'se-sv',
  ja: 'jp-jp',
  ko: 'kr-kr',
}

interface DuckduckgoSettings {
  baseUrl?: string
}

/** A region is only a preference to it, so the pipeline checks the pages' language. */
function createDuckduckgo(
  { baseUrl = 'https://html.duckduckgo.com' }: DuckduckgoSettings,
  client: EngineClient,
): SearchProvider {
  async function ask(
    text: string,
    language: string,
    time: string,
    signal: AbortSignal,
  ): Promise<SearchHit[]> {
    const asked = {
      provider: NAME,
      url: new URL('/html/', baseUrl),
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: new URLSearchParams({ q: text, b: '', kl: toRegion(language), df: time }).toString(),
    } as const
    return readPage(await client.ask(asked, signal))
  }

  return {
    name: NAME,
    capabilities: {
      recency: true,
      language: false,
      includeDomains: true,
      excludeDomains: true,
      maxCount: HITS_MAX,
      maxPages: 1,
      maxQueryCharacters: SPELLING.charactersMax,
    },
    search(query, signal) {
      const time = query.recency?.slice(0, 1) ?? ''
      return collectTexts(
        query,
        { spelling: SPELLING, pagesMax: 1 },
        (text) => ask(text, query.language, time, signal),
        signal,
      )
    },
  }
}

function toRegion(tag: string): string {
  const region = regionOf(tag)
  return region === null ? (REGIONS[primaryLanguage(tag)] ?? 'wt-wt') : `${region}-${primaryLanguage(tag)}`
}

function readPage(answer: EngineAnswer): SearchHit[] {
  // It says 202 with the page that asks for a proof.
  if (answer.status === 202 || /\banomaly-modal/u.test(answer.text)) {
    throw new ProviderError(NAME, 'rate_limited', 'it asks us to prove that we are a person')
  }
  throwForStatus(NAME, answer)
  const hits = readResults(answer.text)
  if (hits.length === 0 && !/\bno-results/u.test(answer.text)) {
    throw new ProviderError(NAME, 'bad_answer', 'the page holds neither results nor word that there are none')
  }
  return hits
}

/** Organic results: `a.result__a` is the title with its link, `a.result__snippet` the excerpt; `.result--ad` is none. */
function readResults(html: string): SearchHit[] {
  const hits: SearchHit[] = []
  const state = { isAdvertisement: false, part: null as 'title' | 'excerpt' | null }
  const parser = new Parser({
    onopentag(name, attributes) {
      const classes = (attributes['class'] ?? '').split(/\s+/u)
      if (classes.includes('result')) state.isAdvertisement = classes.includes('result--ad')
      if (name !== 'a' || state.isAdvertisement) return
      if (classes.includes('result__a')) {
        hits.push({ url: targetOf(attributes['href'] ?? ''), title: '', publishedAt: null, excerpt: null })
        state.part = 'title'
      } else if (classes.includes('result__snippet')) {
        state.part = 'excerpt'
      }
    },
    ontext(text) {
      const hit = hits.at(-1)
      if (hit === undefined || state.part === null) return
      hit[state.part] = (hit[state.part] ?? '') + text
    },
    onclosetag(name) {
      if (name === 'a') state.part = null
    },
  })
  parser.end(html)
  for (const hit of hits) {
    hit.title = hit.title.trim()
    hit.excerpt = hit.excerpt?.trim() || null
  }
  return hits
}

/** Links lead through `//duckduckgo.com/l/?uddg=<address>`. */
function targetOf(href: string): string {
  if (!URL.canParse(href, 'https://duckduckgo.com')) return ''
  const url = new URL(href, 'https://duckduckgo.com')
  return url.searchParams.get('uddg') ?? url.href
}

export const duckduckgo: EngineDefinition<DuckduckgoSettings> = {
  environment: z
    .object({ DUCKDUCKGO_URL: httpAddress.optional() })
    .transform(({ DUCKDUCKGO_URL: baseUrl }) => (baseUrl === undefined ? undefined : { baseUrl })),
  unset: {},
  // Having another address for it does not mean that it was chosen.
  isOnlyNamed: true,
  documentation: {
    setUpWith: 'its name in `SEARCH_PROVIDERS`',
    domains: '`site:`',
    notes: 'reads the page for browsers; often refused; never asked unless named',
  },
  create: createDuckduckgo,
}

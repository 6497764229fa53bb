// For every field of a foreign shape that is honoured: a request that sends it, and what its answer then has. Without the
// field each of these answers would be another.
import { QUESTION } from './compat-service.ts'

export const answerOf = (place: string): string =>
  `A key can be revoked at any time in the dashboard of ${place}. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused.`
export const ANSWER = answerOf('the service')
export const ASIDE = 'The keys of the town hall are kept by the mayor, who lends them to nobody at all.'
export const TOWNS = Array.from({ length: 24 }, (_, index) => `/town-${index}`)

export type Json = Record<string, unknown>

/** An answer, and what was asked because of it. */
export interface Seen {
  status: number
  text: string
  body: Json
  /** Pages in the answer, by path. */
  paths: readonly string[]
  /** What the search engine was asked last. */
  engine: URLSearchParams
  /** How often /counted was fetched, which is kept from before. */
  fetched: number
}

export interface Probe {
  /** Found by the search engine; /keys where left out. */
  found?: readonly string[]
  /** Beside the least that the shape asks for, or in its place. `urlOf`: the address of a page. */
  sent: (urlOf: (path: string) => string) => Json
  holds: (seen: Seen) => boolean
}
type Sent = Probe['sent']

const BOTH = ['/keys', '/old']

const has =
  (...paths: string[]) =>
  (seen: Seen): boolean =>
    seen.paths.toSorted().join() === paths.toSorted().join()
const says =
  (text: string) =>
  (seen: Seen): boolean =>
    seen.text.includes(text)
const never =
  (text: string) =>
  (seen: Seen): boolean =>
    seen.status === 200 && !seen.text.includes(text)
const both =
  (...all: ((seen: Seen) => boolean)[]) =>
  (seen: Seen): boolean =>
    all.every((holds) => holds(seen))
const isRefused = (seen: Seen): boolean => seen.status === 400 || seen.status === 422

const resultsIn = ({ body }: Seen): Json[] => {
  const list: unknown = body['results'] ?? body
  return Array.isArray(list) ? list : []
}
const textsOf = (seen: Seen, field: string): string[] =>
  resultsIn(seen).flatMap((one) => (typeof one[field] === 'string' ? [one[field]] : []))
const isWithin =
  (field: string, characters: number) =>
  (seen: Seen): boolean => {
    const { length } = textsOf(seen, field).join('')
    return length > 0 && length <= characters
  }
const highlightsIn = (seen: Seen): string[] => {
  const highlights: unknown = resultsIn(seen)[0]?.['highlights']
  return Array.isArray(highlights) ? highlights : []
}

// What fields of one meaning promise in every shape.
const finds = (sent: Sent, found: readonly string[], ...paths: string[]): Probe => ({
  found,
  sent,
  holds: has(...paths),
})
const counts = (field: string, count: number): Probe => ({
  found: TOWNS,
  sent: () => ({ [field]: count }),
  holds: ({ paths }) => paths.length === count,
})
const including = (field: string): Probe => finds(() => ({ [field]: ['127.0.0.1/old'] }), BOTH, '/old')
const excluding = (field: string): Probe => finds(() => ({ [field]: ['127.0.0.1/old'] }), BOTH, '/keys')
const speaking = (field: string, value: unknown = 'de'): Probe => ({
  found: ['/keys', '/german'],
  sent: () => ({ [field]: value }),
  holds: ({ engine, paths }) => engine.get('language') === 'de' && !paths.includes('/keys'),
})
const queried = (field: string): Probe => ({
  sent: () => ({ [field]: 'key revoked dashboard' }),
  holds: ({ engine }) => engine.get('q') === 'key revoked dashboard',
})
const fresh = (sent: Sent): Probe => ({ found: ['/counted'], sent, holds: ({ fetched }) => fetched > 0 })
const refuses = (sent: Sent): Probe => ({ sent, holds: isRefused })
/** What a time limit is for is shown in patience.test.ts; here one that is none is refused. */
const waits = (field: string, value: unknown = 0): Probe => refuses(() => ({ [field]: value }))
const page =
  (path: string, more: Json = {}): Sent =>
  (urlOf) => ({ url: urlOf(path), ...more })
const pages =
  (path: string, more: Json = {}): Sent =>
  (urlOf) => ({ urls: [urlOf(path)], ...more })

const exaText: Record<string, Probe> = {
  maxCharacters: { sent: () => ({ maxCharacters: 60 }), holds: isWithin('text', 60) },
}
const exaHighlights = (least: Json): Record<string, Probe> => ({
  query: {
    sent: () => ({ ...least, query: 'who keeps the keys of the town hall?' }),
    holds: (seen) => highlightsIn(seen)[0]?.includes('town hall') === true,
  },
  highlightsPerUrl: {
    found: ['/long'],
    sent: () => ({ ...least, highlightsPerUrl: 1 }),
    holds: (seen) => highlightsIn(seen).length === 1,
  },
  maxCharacters: {
    sent: () => ({ ...least, maxCharacters: 120 }),
    holds: (seen) => highlightsIn(seen).length > 0 && highlightsIn(seen).join('').length <= 120,
  },
})
const exaContents: Record<string, Probe> = {
  text: { sent: () => ({ text: true }), holds: says('"text"') },
  highlights: refuses(() => ({ highlights: { highlightsPerUrl: 0 } })),
  livecrawl: fresh(() => ({ livecrawl: 'always' })),
  maxAgeHours: fresh(() => ({ maxAgeHours: 0 })),
}

const markdownIn = ({ text }: Seen): string => /"markdown":"(?:[^"\\]|\\.)*"/u.exec(text)?.[0] ?? ''
const firecrawlPage: Record<string, Probe> = {
  formats: { sent: () => ({ formats: ['html'] }), holds: both(says('<p>'), never('"markdown"')) },
  timeout: waits('timeout'),
  maxAge: fresh((urlOf) => ({ url: urlOf('/counted'), formats: ['markdown'], maxAge: 0 })),
  excludeTags: {
    sent: () => ({ formats: ['markdown'], excludeTags: ['script', '.aside'] }),
    holds: (seen) => markdownIn(seen).includes(ANSWER) && !markdownIn(seen).includes(ASIDE),
  },
}

const reranks: Record<string, Probe> = {
  query: refuses(() => ({ query: '' })),
  documents: refuses(() => ({ documents: [] })),
  top_n: { sent: () => ({ top_n: 1 }), holds: (seen) => resultsIn(seen).length === 1 },
}

/** By the table's name and place, then by field. */
export const PROBES: Readonly<Record<string, Readonly<Record<string, Probe>>>> = {
  SearXNG: {
    q: queried('q'),
    format: { sent: () => ({ format: 'html' }), holds: says('<article class="result') },
    language: speaking('language'),
    time_range: finds(() => ({ time_range: 'year' }), BOTH, '/keys'),
    pageno: { found: TOWNS, sent: () => ({ pageno: 3 }), holds: ({ paths }) => paths.length < 10 },
    categories: finds(() => ({ categories: 'images' }), ['/keys']),
    engines: finds(() => ({ engines: 'youtube' }), ['/keys']),
    timeout_limit: waits('timeout_limit'),
  },
  'Tavily search': {
    query: queried('query'),
    max_results: counts('max_results', 20),
    chunks_per_source: { found: ['/long'], sent: () => ({ chunks_per_source: 1 }), holds: never(' […] ') },
    search_depth: refuses(() => ({ search_depth: 'deepest' })),
    time_range: finds(() => ({ time_range: 'y' }), BOTH, '/keys'),
    topic: finds(() => ({ topic: 'news', days: 365 }), BOTH, '/keys'),
    days: finds(() => ({ topic: 'news', days: 365 }), BOTH, '/keys'),
    max_age_hours: fresh(() => ({ max_age_hours: 0 })),
    start_date: finds(() => ({ start_date: '2025-01-01' }), BOTH, '/keys'),
    end_date: finds(() => ({ end_date: '2020-01-01' }), BOTH, '/old'),
    include_domains: including('include_domains'),
    include_domains_mode: finds(
      () => ({ include_domains: ['nowhere.example'], include_domains_mode: 'prefer' }),
      ['/keys'],
      '/keys',
    ),
    exclude_domains: excluding('exclude_domains'),
    language: speaking('language'),
    include_raw_content: { sent: () => ({ include_raw_content: true }), holds: never('"raw_content":null') },
    timeout: waits('timeout'),
  },
  'Tavily extract': {
    urls: { sent: pages('/old'), holds: has('/old') },
    query: { sent: pages('/keys', { query: QUESTION, chunks_per_source: 1 }), holds: never('# Keys') },
    chunks_per_source: {
      sent: pages('/long', { query: QUESTION, chunks_per_source: 1 }),
      holds: never(' […] '),
    },
    format: { sent: () => ({ format: 'text' }), holds: never('# Keys') },
    timeout: waits('timeout'),
  },
  'Firecrawl search': {
    query: queried('query'),
    limit: counts('limit', 3),
    tbs: finds(() => ({ tbs: 'qdr:y' }), BOTH, '/keys'),
    lang: speaking('lang'),
    sources: finds(() => ({ sources: ['images'] }), ['/keys']),
    categories: finds(() => ({ categories: ['research'] }), ['/keys']),
    includeDomains: including('includeDomains'),
    excludeDomains: excluding('excludeDomains'),
    timeout: waits('timeout'),
    scrapeOptions: { sent: () => ({ scrapeOptions: { formats: ['markdown'] } }), holds: says('"markdown"') },
  },
  'Firecrawl search scrapeOptions': firecrawlPage,
  'Firecrawl scrape': { url: { sent: page('/old'), holds: says('former times') }, ...firecrawlPage },
  'Exa search': {
    ...exaContents,
    query: queried('query'),
    numResults: counts('numResults', 20),
    type: {
      sent: () => ({ type: 'fast', query: 'who bakes the bread?' }),
      // Only what is sure is returned then.
      holds: (seen) => seen.paths.length === 1 && highlightsIn(seen).length === 0,
    },
    category: finds(() => ({ category: 'github' }), ['/keys']),
    includeDomains: including('includeDomains'),
    excludeDomains: excluding('excludeDomains'),
    startPublishedDate: finds(() => ({ startPublishedDate: '2025-01-01T00:00:00.000Z' }), BOTH, '/keys'),
    endPublishedDate: finds(() => ({ endPublishedDate: '2020-01-01' }), BOTH, '/old'),
    contents: { sent: () => ({ contents: { text: true } }), holds: says('"text"') },
  },
  'Exa search contents': exaContents,
  'Exa search contents text': exaText,
  'Exa search contents highlights': exaHighlights({}),
  'Exa contents': {
    ...exaContents,
    urls: { sent: pages('/old'), holds: has('/old') },
    ids: { sent: (urlOf) => ({ urls: null, ids: [urlOf('/old')] }), holds: has('/old') },
    livecrawl: fresh(pages('/counted', { livecrawl: 'always' })),
    maxAgeHours: fresh(pages('/counted', { maxAgeHours: 0 })),
  },
  'Exa contents text': exaText,
  'Exa contents highlights': exaHighlights({ query: QUESTION }),
  'Perplexity search': {
    query: queried('query'),
    max_results: counts('max_results', 3),
    max_tokens: { found: TOWNS, sent: () => ({ max_tokens: 60 }), holds: isWithin('snippet', 250) },
    max_tokens_per_page: {
      found: ['/long'],
      sent: () => ({ max_tokens_per_page: 100 }),
      holds: isWithin('snippet', 300),
    },
    search_mode: finds(() => ({ search_mode: 'academic' }), ['/keys']),
    search_domain_filter: finds(() => ({ search_domain_filter: ['-127.0.0.1/old'] }), BOTH, '/keys'),
    search_recency_filter: finds(() => ({ search_recency_filter: 'year' }), BOTH, '/keys'),
    search_after_date_filter: finds(() => ({ search_after_date_filter: '1/1/2025' }), BOTH, '/keys'),
    search_before_date_filter: finds(() => ({ search_before_date_filter: '1/1/2020' }), BOTH, '/old'),
    search_language_filter: speaking('search_language_filter', ['de']),
  },
  'Jina reader': {
    'X-Return-Format': { sent: () => ({ 'X-Return-Format': 'html' }), holds: says('<p>') },
    'X-Respond-With': { sent: () => ({ 'X-Respond-With': 'text' }), holds: never('# Keys') },
    'X-Timeout': waits('X-Timeout', '0'),
    'X-Token-Budget': { sent: () => ({ 'X-Token-Budget': '30' }), holds: never(ASIDE) },
    'X-Max-Tokens': { sent: () => ({ 'X-Max-Tokens': '30' }), holds: never(ASIDE) },
    'X-No-Cache': fresh(() => ({ 'X-No-Cache': 'true' })),
    'X-Cache-Tolerance': fresh(() => ({ 'X-Cache-Tolerance': '0' })),
    'X-Remove-Selector': {
      sent: () => ({ 'X-Remove-Selector': '.aside, nav' }),
      holds: both(says(ANSWER), never(ASIDE)),
    },
  },
  'Jina rerank': {
    ...reranks,
    return_documents: { sent: () => ({ return_documents: false }), holds: never(ANSWER) },
  },
  'Cohere rerank': {
    ...reranks,
    max_tokens_per_doc: {
      // Of two equal documents the first would win, were it read to its end.
      sent: () => ({ documents: [`${'bread '.repeat(200)} ${ANSWER}`, ANSWER], max_tokens_per_doc: 60 }),
      holds: (seen) => resultsIn(seen)[0]?.['index'] === 1,
    },
    return_documents: { sent: () => ({ return_documents: true }), holds: says(ANSWER) },
  },
  'TEI rerank': {
    query: refuses(() => ({ query: '' })),
    texts: refuses(() => ({ texts: [] })),
    raw_scores: {
      sent: () => ({ raw_scores: true }),
      holds: (seen) => Number(resultsIn(seen).at(-1)?.['score']) < 0,
    },
    return_text: { sent: () => ({ return_text: true }), holds: says(ANSWER) },
  },
  'Open WebUI search': { query: queried('query'), count: counts('count', 3) },
  'Open WebUI loader': { urls: { sent: pages('/old'), holds: has('/old') } },
}

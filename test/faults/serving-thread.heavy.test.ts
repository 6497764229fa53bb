// What the serving thread does with long pages, route by route: every route of the table has its call here, or a word why
// no page comes near it, so that a new one cannot be forgotten. Work on threads of their own is not in what is measured.
// That needs a machine which does nothing else: QUIET_MACHINE=on npx vitest run test/faults/serving-thread.
import { performance } from 'node:perf_hooks'
import { env } from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUTES } from '../../src/http/route-table.ts'
import { startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const [SMALL_CHARACTERS, LARGE_CHARACTERS] = [250_000, 1_000_000] as const
/** Four is linear, sixteen quadratic. */
const GROWTH_MAX = 6
/** Less is the route's own, whatever the page. */
const ACTIVE_MS_MIN = 60
/** Of one request, its pages' server in this very process included, on a machine that others use, too. */
const ACTIVE_MS_MAX = 2_000
const ATTEMPTS_MAX = 4
const PAGES_AT_ONCE = 4
/** Of a page's length a text has that is sent: two million bytes are taken, and Han has three for each character. */
const SENT_SHARE = 0.6
const QUESTION = 'How is a key revoked?'
const FORM = 'application/x-www-form-urlencoded'

const joined = (length: number, pieceAt: (index: number) => string): string => {
  const pieces: string[] = []
  for (let total = 0, index = 0; total < length; index += 1) {
    const piece = pieceAt(index)
    pieces.push(piece)
    total += piece.length
  }
  return pieces.join('')
}

/** Bodies of pages; `seed` tells one page from another, since copies are shown once. */
const SHAPES: Readonly<Record<string, (length: number, seed: number) => string>> = {
  'passages that say the same': (length, seed) => {
    const row = joined(600, (at) => String.fromCodePoint(0x4e00 + ((7 * at + 1_000 * seed) % 20_000)))
    return joined(length, (index) => `<p>${row}${index}</p>`)
  },
  'a span a word': (length, seed) =>
    `<p>${joined(length, (at) => `<span>w${(at * 7 + seed) % 5_000}</span> `)}</p>`,
  'words that come once': (length, seed) =>
    joined(length, (at) => `<p>A key ${seed} is revoked by ${at} ${at * 31}, and so is ${at * 17}.</p>`),
}

interface Web {
  urls: readonly string[]
  text: string
}
type Sent = { path: string; method?: string; body?: unknown; type?: string }
type Call = (web: Web) => Sent | Promise<Sent>

const post = (path: string, bodyOf: (web: Web) => unknown): [string, Call] => [
  `post ${path}`,
  (web) => ({ path, method: 'POST', body: bodyOf(web) }),
]
const asked = () => ({ query: QUESTION })
const listed = ({ urls }: Web) => ({ urls })
const first = ({ urls }: Web) => ({ url: urls[0] })
const texts = ({ text }: Web): string[] => [text, 'A key is revoked by deleting it.']
const documents = (web: Web) => ({ query: QUESTION, documents: texts(web) })
const QUOTES = Array.from({ length: 50 }, (_, index) => `A key is revoked, says quote ${index}`)
const EVERYTHING = ['proof', 'explain', 'highlights', 'flags', 'bundle', 'warning_code']

const CALLS: ReadonlyMap<string, Call> = new Map([
  post('/v1/search', () => ({ ...asked(), search_depth: 'exhaustive', include: EVERYTHING })),
  post('/v1/read', ({ urls }) => ({
    urls,
    query: QUESTION,
    format: 'markdown',
    include: ['proof', 'bundle'],
  })),
  post('/v1/rerank', documents),
  post('/v1/verify', (web) => ({ ...first(web), quotes: QUOTES })),
  ['get /v1/proofs/:sha256', readProof],
  post('/mcp', ({ urls: [url] }) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'fetch', arguments: { id: url } },
  })),
  post('/compat/tavily/search', asked),
  post('/compat/tavily/extract', listed),
  post('/compat/open-webui/search', () => ({ ...asked(), count: PAGES_AT_ONCE })),
  post('/compat/open-webui/loader', listed),
  [
    'put /compat/open-webui/process',
    ({ text }) => ({ path: '/compat/open-webui/process', method: 'PUT', body: text, type: 'text/plain' }),
  ],
  ['get /compat/searxng/search', () => ({ path: `/compat/searxng/search?format=json&q=${QUESTION}` })],
  ['post /compat/searxng/search', () => ({ ...searched('/compat/searxng/search'), method: 'POST' })],
  ['get /compat/searxng', () => ({ path: `/compat/searxng/?format=json&q=${QUESTION}` })],
  ['post /compat/searxng', () => ({ ...searched('/compat/searxng/'), method: 'POST' })],
  post('/compat/jina/v1/rerank', documents),
  post('/compat/cohere/v2/rerank', documents),
  post('/compat/cohere/v1/rerank', documents),
  post('/compat/tei/rerank', (web) => ({ query: QUESTION, texts: texts(web) })),
  post('/compat/firecrawl/v2/search', () => ({ ...asked(), scrapeOptions: { formats: ['markdown'] } })),
  post('/compat/firecrawl/v1/search', () => ({ ...asked(), scrapeOptions: { formats: ['markdown'] } })),
  post('/v2/search', asked),
  post('/compat/firecrawl/v2/scrape', first),
  post('/compat/firecrawl/v1/scrape', first),
  post('/v2/scrape', first),
  post('/compat/exa/search', () => ({ ...asked(), contents: { text: true } })),
  post('/compat/exa/contents', (web) => ({ ...listed(web), text: true })),
  ['get /compat/jina/r/*address', ({ urls: [url] }) => ({ path: `/compat/jina/r/${url}` })],
  post('/compat/perplexity/search', asked),
])

/** Routes that no page comes near. */
const WITHOUT_PAGES = new Set([
  'get /.well-known/verbatim-keys.json',
  'get /health',
  'get /ready',
  'get /metrics',
  'get /openapi.json',
  'get /compat/searxng/config',
  'get /compat/tei/info',
])

const searched = (path: string): Sent => ({
  path,
  body: new URLSearchParams({ q: QUESTION, format: 'json' }),
  type: FORM,
})

let site: SearchSite
let service: TestService
let pageOf: (path: string) => string = () => ''
const pages = new Proxy<Record<string, { html: string }>>(
  {},
  { get: (_, path) => ({ html: pageOf(String(path)) }), ownKeys: () => [] },
)
const isQuiet = env['QUIET_MACHINE'] === 'on'
beforeAll(async () => {
  if (!isQuiet) return
  site = await startSearchSite(pages)
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  if (!isQuiet) return
  await service.close()
  await site.close()
})

async function send({ path, method = 'GET', body, type = 'application/json' }: Sent): Promise<string> {
  const isText = typeof body === 'string' || body instanceof URLSearchParams
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${service.key}`,
      Accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'Content-Type': type }),
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  // Where it is the page that came too late, some foreign shapes say so by the status.
  if (![408, 422].includes(response.status)) expect([path, response.status]).toEqual([path, 200])
  return text
}

async function readProof({ urls: [url] }: Web): Promise<Sent> {
  const read = await send({ path: '/v1/read', method: 'POST', body: { url, include: ['proof'] } })
  const digest = /"content_sha256":"([0-9a-f]{64})"/u.exec(read)?.[1]
  return { path: `/v1/proofs/${digest}?spans=0-100` }
}

let turns = 0
/** Milliseconds for which this thread, which serves, was at work for one request. */
async function activeMs(call: Call, shape: string, length: number): Promise<number> {
  turns += 1
  const bodyOf = SHAPES[shape] ?? (() => '')
  const paths = Array.from({ length: PAGES_AT_ONCE }, (_, page) => `/${turns}/${page}`)
  const made = new Map(
    paths.map((path, page) => [
      path,
      `<html lang="en"><title>${path}</title><main><h1>Keys ${path}</h1>${bodyOf(length, 10 * turns + page)}</main>`,
    ]),
  )
  pageOf = (path) => made.get(path) ?? ''
  site.find(...paths)
  const web = {
    urls: paths.map((path) => `${site.siteUrl}${path}`),
    text: bodyOf(length * SENT_SHARE, turns),
  }
  const sent = await call(web)
  const before = performance.eventLoopUtilization()
  await send(sent)
  return performance.eventLoopUtilization(before).active
}

test('every route has its call, or no page comes near it', () => {
  const known = [...CALLS.keys(), ...WITHOUT_PAGES]
  expect(known.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted())
})

describe.skipIf(!isQuiet).each(Object.keys(SHAPES))('pages of %s', (shape) => {
  test.each([...CALLS])('cost the thread that serves no more than their length: %s', async (_, call) => {
    let [growth, large] = [Infinity, Infinity]
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const small = await activeMs(call, shape, SMALL_CHARACTERS)
      const now = await activeMs(call, shape, LARGE_CHARACTERS)
      growth = Math.min(growth, now / Math.max(small, ACTIVE_MS_MIN))
      large = Math.min(large, now)
      if (growth <= GROWTH_MAX && large <= ACTIVE_MS_MAX) break
    }
    expect(growth).toBeLessThanOrEqual(GROWTH_MAX)
    expect(large).toBeLessThanOrEqual(ACTIVE_MS_MAX)
  })
})

// What every search provider guarantees, whatever engine is behind it. Each remote engine brings a folder of fixtures
// (test/fixtures/providers/<name>/) with its settings, the requests it must send and the answers it must read.
import { inspect } from 'node:util'
import type { z } from 'zod'
import { afterEach, describe, expect, test } from 'vitest'
import { searchUnavailable } from '../../../src/errors.ts'
import { problemOf } from '../../../src/http/request/error-boundary.ts'
import { createProviderChain } from '../../../src/providers/chain.ts'
import { openEngineClient, type EngineClient } from '../../../src/providers/engine-client.ts'
import {
  type ProviderCapabilities,
  ProviderError,
  type ProviderQuery,
  type SearchHit,
} from '../../../src/providers/provider.ts'
import { createEngine, type EngineName } from '../../../src/providers/registry.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import {
  readEngineFixture,
  querySchema,
  readFilled,
  readFixture,
  type requestSchema,
} from './engine-fixture.ts'
import {
  neverReply,
  openEngineServer,
  replyCutOff,
  replyTrickling,
  replyWith,
  type Reply,
  type SeenRequest,
} from './engine-server.ts'

/** Each filter as a question that needs it. */
const FILTERS = {
  recency: { recency: 'week' },
  language: { language: 'de' },
  includeDomains: { includeDomains: ['example.org'] },
  excludeDomains: { excludeDomains: ['127.0.0.1'] },
} as const satisfies Partial<Record<keyof ProviderQuery, Partial<ProviderQuery>>>

/** Of an engine that can do all. */
export const EVERY_CAPABILITY: ProviderCapabilities = {
  recency: true,
  language: true,
  includeDomains: true,
  excludeDomains: true,
  maxCount: 20,
  maxPages: 1,
  maxQueryCharacters: null,
}

/** The plain question: five hits for "window class". */
export const QUESTION: ProviderQuery = querySchema.parse({})

/** The guarantees that hold for a remote engine, over a loopback server that speaks its documented shape. */
export function describeEngine(name: EngineName): void {
  const fixtureFor = (base: string) => readEngineFixture(name, base)
  const fixture = fixtureFor('http://engine.invalid')
  const contentType = { 'content-type': fixture.html ? 'text/html; charset=utf-8' : 'application/json' }
  const answerFile = fixture.html ? 'answer.html' : 'answer.json'
  const emptyFile = answerFile.replace('answer', 'empty')
  const good = replyWith(200, readFixture(name, answerFile), contentType)
  const empty = replyWith(200, readFixture(name, emptyFile), contentType)
  const closers: (() => Promise<unknown>)[] = []

  async function openSearchParts(
    replies: Reply[],
    clientOptions: Partial<Parameters<typeof openEngineClient>[0]> = {},
  ) {
    const server = await openEngineServer(replies)
    const client: EngineClient = openEngineClient({
      userAgent: 'Verbatim-test/1 (+mailto:operator@example.org)',
      ...clientOptions,
    })
    closers.push(() => client.close(), server.close)
    const provider = createEngine(name, fixtureFor(server.origin).settings, client)
    if (provider === null) throw new Error(`the fixture of ${name} does not set it up`)
    return { server, provider }
  }

  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()))
  })

  const failureOf = async (search: Promise<SearchHit[]>): Promise<ProviderError> => {
    const error: unknown = await search.catch((reason: unknown) => reason)
    if (!(error instanceof ProviderError)) throw new Error('expected a ProviderError', { cause: error })
    expect(error.provider).toBe(name)
    for (const secret of fixture.secrets) expect(inspect(error, { depth: 20 })).not.toContain(secret)
    return error
  }

  describe(`the ${name} provider`, () => {
    for (const [index, { title, question, answers, hits }] of fixture.questions.entries()) {
      test(`asks as documented: ${title}`, async () => {
        const replies = answers.map((file) => replyWith(200, readFixture(name, file), contentType))
        const { provider, server } = await openSearchParts([...replies, empty])
        const found = await provider.search(question, AbortSignal.timeout(10_000))
        expectRequests(server.requests, fixtureFor(server.origin).questions[index]?.requests ?? [])
        const expected = typeof hits === 'number' ? hits : readFilled(name, hits, server.origin)
        expect(typeof hits === 'number' ? found.length : found).toEqual(expected)
        expectProperHits(found, question)
      })
    }

    for (const { title, status, answer, failure, message } of fixture.failures) {
      test(`names the engine's own failure: ${title}`, async () => {
        const { provider } = await openSearchParts([
          replyWith(status, readFixture(name, answer), contentType),
        ])
        const error = await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))
        expect(error.failure).toBe(failure)
        expect(error.message).toContain(message)
      })
    }

    test('an engine that finds nothing gives an empty list, no failure', async () => {
      const { provider } = await openSearchParts([empty])
      expect(await provider.search(QUESTION, AbortSignal.timeout(10_000))).toEqual([])
    })

    test('says who asks', async () => {
      const { provider, server } = await openSearchParts([good, empty])
      await provider.search(QUESTION, AbortSignal.timeout(10_000))
      expect(server.requests[0]?.headers['user-agent']).toBe('Verbatim-test/1 (+mailto:operator@example.org)')
    })

    test('429 is rate_limited and carries Retry-After', async () => {
      const { provider } = await openSearchParts([replyWith(429, '{}', { 'retry-after': '17' })])
      const error = await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))
      expect([error.failure, error.retryAfterSeconds]).toEqual(['rate_limited', 17])
    })

    for (const [status, failure] of Object.entries({
      401: 'misconfigured',
      404: 'misconfigured',
      400: 'refused',
      500: 'unreachable',
      503: 'unreachable',
      ...fixture.statuses,
    })) {
      test(`status ${status} is ${failure}`, async () => {
        const { provider } = await openSearchParts([
          replyWith(Number(status), '{"error":"as the engine says"}'),
        ])
        expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).failure).toBe(
          failure,
        )
      })
    }

    test('an answer that is cut off, of another shape or another format is bad_answer', async () => {
      const page = '<!doctype html><title>Sign in</title><p>Please sign in to the network.'
      const badReplies = [
        replyCutOff(readFixture(name, answerFile)),
        replyWith(200, page, { 'content-type': 'text/html' }),
        replyWith(200, '[1, 2, 3]'),
        replyWith(200, ''),
      ]
      for (const reply of badReplies) {
        const { provider } = await openSearchParts([reply])
        expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).failure).toBe(
          'bad_answer',
        )
      }
    })

    test('an endless answer is cut at the byte limit', async () => {
      const { provider } = await openSearchParts([replyWith(200, ' '.repeat(70_000))], {
        answerBytesMax: 65_536,
      })
      expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).message).toContain(
        '65536 bytes',
      )
    })

    test('an engine that never answers, or never ends its answer, is a timeout', async () => {
      for (const reply of [neverReply, replyTrickling]) {
        const { provider } = await openSearchParts([reply], { timeoutMs: 150 })
        expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).failure).toBe(
          'timeout',
        )
      }
    })

    test('an engine that nobody listens for is unreachable', async () => {
      const { provider, server } = await openSearchParts([good])
      await server.close()
      expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).failure).toBe(
        'unreachable',
      )
    })

    test('a caller who goes away ends the search with his own reason', async () => {
      const gone = new AbortController()
      const { provider } = await openSearchParts([() => gone.abort(new Error('gone'))])
      await expect(provider.search(QUESTION, gone.signal)).rejects.toThrow('gone')
      await expect(provider.search(QUESTION, AbortSignal.abort(new Error('gone before')))).rejects.toThrow(
        'gone before',
      )
    })

    test('a redirect to another host is not followed, so that no key travels there', async () => {
      const elsewhere = await openEngineServer([good])
      closers.push(elsewhere.close)
      const location = `${elsewhere.origin.replace('127.0.0.1', 'localhost')}/search`
      const { provider } = await openSearchParts([replyWith(302, '', { location })])
      expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).failure).toBe(
        'misconfigured',
      )
      expect(elsewhere.requests).toEqual([])
    })

    test('what it declares to filter by itself, it asks the engine for', async () => {
      const { provider, server } = await openSearchParts([empty])
      const firstRequest = async (asked: Partial<ProviderQuery>): Promise<unknown> => {
        const before = server.requests.length
        await provider.search({ ...QUESTION, ...asked }, AbortSignal.timeout(10_000))
        const request = server.requests[before]
        return request && { path: request.path, query: request.query, body: request.body }
      }
      const plain = await firstRequest({})
      expect(plain).toBeDefined()
      for (const filter of ['recency', 'language', 'includeDomains', 'excludeDomains'] as const) {
        if (provider.capabilities[filter]) expect(await firstRequest(FILTERS[filter])).not.toEqual(plain)
      }
    })

    test('asks for a second page only where it declares pages, and for no third when that brings nothing new', async () => {
      const { provider, server } = await openSearchParts([good])
      const { maxCount, maxPages } = provider.capabilities
      await provider.search({ ...QUESTION, count: maxCount, needed: maxCount }, AbortSignal.timeout(10_000))
      expect(server.requests).toHaveLength(Math.min(2, maxPages))
    })

    test('one request is enough when it brings as many hits as are needed, however many could be used', async () => {
      const { provider, server } = await openSearchParts([good])
      const asked = { ...QUESTION, count: provider.capabilities.maxCount, needed: 1 }
      expect((await provider.search(asked, AbortSignal.timeout(10_000))).length).toBeGreaterThan(0)
      expect(server.requests).toHaveLength(1)
    })

    test('no address it asks is longer than servers take, whatever the question', async () => {
      const { provider, server } = await openSearchParts([empty])
      const domains = (label: string): string[] =>
        Array.from({ length: 100 }, (_, index) => `${label}-${index}.${'long-label-'.repeat(4)}.example.org`)
      for (const includeDomains of [[], domains('in')]) {
        const asked = {
          ...QUESTION,
          text: '\u8A9E'.repeat(2_000),
          includeDomains,
          excludeDomains: domains('ex'),
        }
        expect(await provider.search(asked, AbortSignal.timeout(10_000))).toEqual([])
      }
      for (const { addressBytes } of server.requests) expect(addressBytes).toBeLessThanOrEqual(8_000)
    })

    test('asks for many domains in few queries that keep to its limits', async () => {
      const { provider, server } = await openSearchParts([empty])
      const includeDomains = Array.from({ length: 24 }, (_, index) => `site-${index}.example.org`)
      await provider.search({ ...QUESTION, includeDomains }, AbortSignal.timeout(10_000))
      const asked = server.requests.map(({ query, body }) => JSON.stringify([query, body]))
      const named = new Set(asked.join('\n').match(/site-\d+\.example\.org/gu))
      expect(named.size).toBe(Math.min(includeDomains.length, fixture.domainsMax))
      expect(server.requests.length).toBeLessThanOrEqual(4)
      const longest = provider.capabilities.maxQueryCharacters ?? Number.POSITIVE_INFINITY
      for (const { query, body } of server.requests)
        expect(longestText([query, body])).toBeLessThanOrEqual(longest)
    })

    test.each(fixture.secrets)(
      'neither the log nor the answer holds %j, even when the engine repeats it',
      async (key) => {
        const echo = `"key ${key} denied"`
        const repeating = [
          ...[400, 401, 403, 404, 429, 500].map((status) => replyWith(status, `{"error":${echo}}`)),
          replyWith(200, `{"error":${echo},"response":{"status":${echo}},"results":[${echo}]}`),
          replyWith(200, `<p>${echo}</p>`, { 'content-type': 'text/html' }),
          replyWith(302, '', { location: `http://localhost/?key=${key}` }),
          replyCutOff(`{"results":[${echo}]}`),
        ]
        const lines: string[] = []
        const log = createLogger('debug', { write: (line) => lines.push(line) })
        for (const reply of repeating) {
          const { provider } = await openSearchParts([reply])
          const onFailure = (error: ProviderError): void => log.warn({ err: error, reason: error.message })
          const { findHits } = createProviderChain([[provider]], { retries: 0, onFailure })
          const error: unknown = await findHits(QUESTION, AbortSignal.timeout(10_000)).catch(
            (reason: unknown) => reason,
          )
          const answered = searchUnavailable(error)
          log.error({ err: answered })
          expect(JSON.stringify(problemOf(answered, 'req_1'))).not.toContain(key)
        }
        expect(lines).toHaveLength(2 * repeating.length)
        expect(lines.join('')).not.toContain(key)
      },
    )

    test('a query longer than the engine takes is cut to fit', async () => {
      const { provider, server } = await openSearchParts([good, empty])
      const text = 'verbatim passages '.repeat(200).trim()
      await provider.search({ ...QUESTION, text }, AbortSignal.timeout(10_000))
      const longest = provider.capabilities.maxQueryCharacters ?? Number.POSITIVE_INFINITY
      const sent = server.requests.map((request) => longestText([request.query, request.body]))
      expect(Math.max(...sent)).toBeLessThanOrEqual(longest)
      expect(Math.max(...sent)).toBeGreaterThan(100)
    })
  })
}

/** The length of the longest text anywhere in `value`. */
function longestText(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Math.max(0, ...Object.values(value).map(longestText))
}

function expectRequests(
  seen: readonly SeenRequest[],
  expected: readonly z.output<typeof requestSchema>[],
): void {
  expect(seen).toHaveLength(expected.length)
  for (const [index, { absent, ...wanted }] of expected.entries()) {
    expect(seen[index]).toMatchObject(wanted)
    const body: unknown = seen[index]?.body
    const names = [seen[index]?.query, body].flatMap((part) =>
      part instanceof Object ? Object.keys(part) : [],
    )
    for (const name of absent) expect(names).not.toContain(name)
  }
}

/** What an engine found beyond the count is kept so far. */
const HITS_KEPT_MAX = 30

/** What holds for the hits of any provider: enough is enough, addresses are http(s) and unique, dates are ISO 8601. */
export function expectProperHits(hits: readonly SearchHit[], query: ProviderQuery): void {
  expect(hits.length).toBeLessThanOrEqual(Math.max(query.count, HITS_KEPT_MAX))
  expect(new Set(hits.map((hit) => hit.url)).size).toBe(hits.length)
  for (const hit of hits) {
    expect(hit.url).toMatch(/^https?:\/\//u)
    expect(hit.title).not.toMatch(/<\/?\w+>|&(amp|lt|gt|quot|#\d+);/u)
    expect(hit.publishedAt ?? '2000-01-01').toMatch(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/u)
  }
}

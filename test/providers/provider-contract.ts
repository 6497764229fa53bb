// What every search provider guarantees, whatever engine is behind it. Each remote engine brings a folder of fixtures
// (test/fixtures/providers/<name>/) with its settings, the requests it must send and the answers it must read.
import { readdirSync, readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { z } from 'zod'
import { afterEach, describe, expect, test } from 'vitest'
import { RECENCIES } from '../../src/contract.ts'
import { openEngineClient, type EngineClient } from '../../src/providers/engine-client.ts'
import { ProviderError, type ProviderQuery, type SearchHit } from '../../src/providers/provider.ts'
import { createEngine, type EngineName, type EngineSettings } from '../../src/providers/registry.ts'
import {
  neverReply,
  openEngineServer,
  replyCutOff,
  replyWith,
  type Reply,
  type SeenRequest,
} from './engine-server.ts'

const FIXTURES = new URL('../fixtures/providers/', import.meta.url)

/** Of a request only what the fixture names is compared; the parameters named `absent` must not be there. */
const requestSchema = z.strictObject({
  method: z.string().optional(),
  path: z.string().optional(),
  query: z.record(z.string(), z.string()).optional(),
  absent: z.array(z.string()).default([]),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
})

const querySchema = z.strictObject({
  text: z.string().default('window class'),
  count: z.int().default(5),
  recency: z.enum(RECENCIES).nullable().default(null),
  language: z.string().default('en'),
  includeDomains: z.array(z.string()).default([]),
  excludeDomains: z.array(z.string()).default([]),
})

/** `answers` are given in order, afterwards the empty one; `hits` is the file with the hits, or their number. */
const questionSchema = z.strictObject({
  title: z.string(),
  question: querySchema,
  answers: z.array(z.string()),
  requests: z.array(requestSchema),
  hits: z.union([z.string(), z.int()]),
})

const failureSchema = z.strictObject({
  title: z.string(),
  status: z.int(),
  answer: z.string(),
  failure: z.string(),
  message: z.string().default(''),
})

/** `secret` must appear in no error; `html` says that the engine answers with HTML and not with JSON. */
const engineSchema = z.strictObject({
  settings: z.custom<EngineSettings>((value) => typeof value === 'object'),
  secret: z.string().default('no secret'),
  html: z.boolean().default(false),
  questions: z.array(questionSchema),
  failures: z.array(failureSchema).default([]),
})

/** The plain question: five hits for "window class". */
export const QUESTION: ProviderQuery = querySchema.parse({})

export const engineFixtureNames = (): string[] =>
  readdirSync(FIXTURES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

const readFixture = (name: string, file: string): string =>
  readFileSync(new URL(`${name}/${file}`, FIXTURES), 'utf8')

/** `{day:-7}` in a fixture stands for the date seven days ago, compactday for its digits, `{base}` for the server. */
function readFilled(name: string, file: string, base: string): unknown {
  const dated = readFixture(name, file).replaceAll(
    /\{(compact)?day:(-?\d+)\}/gu,
    (_, compact, days: string) => {
      const day = new Date(Date.now() + Number(days) * 86_400_000).toISOString().slice(0, 10)
      return compact === undefined ? day : day.replaceAll('-', '')
    },
  )
  return JSON.parse(dated.replaceAll('{base}', base))
}

/** The guarantees that hold for a remote engine, over a loopback server that speaks its documented shape. */
export function describeEngine(name: EngineName): void {
  const fixtureFor = (base: string) => engineSchema.parse(readFilled(name, 'engine.json', base))
  const fixture = fixtureFor('http://engine.invalid')
  const contentType = { 'content-type': fixture.html ? 'text/html; charset=utf-8' : 'application/json' }
  const answerFile = fixture.html ? 'answer.html' : 'answer.json'
  const emptyFile = answerFile.replace('answer', 'empty')
  const good = replyWith(200, readFixture(name, answerFile), contentType)
  const empty = replyWith(200, readFixture(name, emptyFile), contentType)
  const closers: (() => Promise<unknown>)[] = []

  async function openEngine(
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
    expect(inspect(error, { depth: 20 })).not.toContain(fixture.secret)
    return error
  }

  describe(`the ${name} provider`, () => {
    for (const [index, { title, question, answers, hits }] of fixture.questions.entries()) {
      test(`asks as documented: ${title}`, async () => {
        const replies = answers.map((file) => replyWith(200, readFixture(name, file), contentType))
        const { provider, server } = await openEngine([...replies, empty])
        const found = await provider.search(question, AbortSignal.timeout(10_000))
        expectRequests(server.requests, fixtureFor(server.origin).questions[index]?.requests ?? [])
        const expected = typeof hits === 'number' ? hits : readFilled(name, hits, server.origin)
        expect(typeof hits === 'number' ? found.length : found).toEqual(expected)
        expectProperHits(found, question)
      })
    }

    for (const { title, status, answer, failure, message } of fixture.failures) {
      test(`names the engine's own failure: ${title}`, async () => {
        const { provider } = await openEngine([replyWith(status, readFixture(name, answer), contentType)])
        const error = await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))
        expect(error.failure).toBe(failure)
        expect(error.message).toContain(message)
      })
    }

    test('an engine that finds nothing gives an empty list, no failure', async () => {
      const { provider } = await openEngine([empty])
      expect(await provider.search(QUESTION, AbortSignal.timeout(10_000))).toEqual([])
    })

    test('says who asks', async () => {
      const { provider, server } = await openEngine([good, empty])
      await provider.search(QUESTION, AbortSignal.timeout(10_000))
      expect(server.requests[0]?.headers['user-agent']).toBe('Verbatim-test/1 (+mailto:operator@example.org)')
    })

    test('429 is rate_limited and carries Retry-After', async () => {
      const { provider } = await openEngine([replyWith(429, '{}', { 'retry-after': '17' })])
      const error = await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))
      expect([error.failure, error.retryAfterSeconds]).toEqual(['rate_limited', 17])
    })

    for (const [status, failure] of [
      [401, 'misconfigured'],
      [404, 'misconfigured'],
      [400, 'refused'],
      [500, 'unreachable'],
      [503, 'unreachable'],
    ] as const) {
      test(`status ${status} is ${failure}`, async () => {
        const { provider } = await openEngine([replyWith(status, '{"error":"as the engine says"}')])
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
        const { provider } = await openEngine([reply])
        expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).failure).toBe(
          'bad_answer',
        )
      }
    })

    test('an endless answer is cut at the byte limit', async () => {
      const { provider } = await openEngine([replyWith(200, ' '.repeat(70_000))], { answerBytesMax: 65_536 })
      expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).message).toContain(
        '65536 bytes',
      )
    })

    test('an engine that never answers is a timeout', async () => {
      const { provider } = await openEngine([neverReply], { timeoutMs: 150 })
      expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).failure).toBe(
        'timeout',
      )
    })

    test('an engine that nobody listens for is unreachable', async () => {
      const { provider, server } = await openEngine([good])
      await server.close()
      expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).failure).toBe(
        'unreachable',
      )
    })

    test('a caller who goes away ends the search with his own reason', async () => {
      const gone = new AbortController()
      const { provider } = await openEngine([() => gone.abort(new Error('gone'))])
      await expect(provider.search(QUESTION, gone.signal)).rejects.toThrow('gone')
      await expect(provider.search(QUESTION, AbortSignal.abort(new Error('gone before')))).rejects.toThrow(
        'gone before',
      )
    })

    test('a redirect to another host is not followed, so that no key travels there', async () => {
      const elsewhere = await openEngineServer([good])
      closers.push(elsewhere.close)
      const location = `${elsewhere.origin.replace('127.0.0.1', 'localhost')}/search`
      const { provider } = await openEngine([replyWith(302, '', { location })])
      expect((await failureOf(provider.search(QUESTION, AbortSignal.timeout(10_000)))).failure).toBe(
        'misconfigured',
      )
      expect(elsewhere.requests).toEqual([])
    })

    test('a query longer than the engine takes is cut to fit', async () => {
      const { provider, server } = await openEngine([good, empty])
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

/** What holds for the hits of any provider: enough is enough, addresses are http(s) and unique, dates are ISO 8601. */
export function expectProperHits(hits: readonly SearchHit[], query: ProviderQuery): void {
  expect(hits.length).toBeLessThanOrEqual(query.count)
  expect(new Set(hits.map((hit) => hit.url)).size).toBe(hits.length)
  for (const hit of hits) {
    expect(hit.url).toMatch(/^https?:\/\//u)
    expect(hit.title).not.toMatch(/<\/?\w+>|&(amp|lt|gt|quot|#\d+);/u)
    expect(hit.publishedAt ?? '2000-01-01').toMatch(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/u)
  }
}

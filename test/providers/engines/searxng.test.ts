import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEngineClient } from '../../../src/providers/engine-client.ts'
import { searxng } from '../../../src/providers/engines/searxng.ts'
import { openEngineServer, replyWith } from './engine-server.ts'
import { expectProperHits, QUESTION } from './provider-contract.ts'
import { findSearx, openSearx } from './searx.ts'

const client = openEngineClient({ userAgent: 'Verbatim-test/1' })
afterAll(() => client.close())

const searxProgram = findSearx()

describe.skipIf(searxProgram === null)('a real searx', () => {
  let searx: Awaited<ReturnType<typeof openSearx>>
  beforeAll(async () => {
    searx = await openSearx(searxProgram ?? '')
  })
  afterAll(() => searx.close())

  test('gives its hits in its order', async () => {
    const provider = searxng.create({ baseUrl: searx.baseUrl }, client)
    const hits = await provider.search(QUESTION, AbortSignal.timeout(20_000))
    expect(hits[0]).toEqual({
      url: 'https://site-0.example.org/page-1',
      title: 'Result 0 of page 1 for window class',
      publishedAt: null,
      excerpt: 'About window class & more',
    })
    expect(hits.map((hit) => hit.url)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `https://site-${index}.example.org/page-1`),
    )
  })

  test('is asked for page after page, and no further than its last', async () => {
    const provider = searxng.create({ baseUrl: `${searx.baseUrl}/` }, client)
    const query = { ...QUESTION, count: 30, needed: 30 }
    const hits = await provider.search(query, AbortSignal.timeout(20_000))
    expect(hits).toHaveLength(24)
    expectProperHits(hits, query)
  })

  test('that finds nothing gives an empty list', async () => {
    const provider = searxng.create({ baseUrl: searx.baseUrl }, client)
    expect(await provider.search({ ...QUESTION, text: 'zzzz' }, AbortSignal.timeout(20_000))).toEqual([])
  })

  test('whose only engine is limited or hangs is a failure, not an empty list', async () => {
    const provider = searxng.create({ baseUrl: searx.baseUrl }, client)
    // `!name` is searx's own way to choose an engine. Asked once each: searx 1.1 leaves a failed engine out of the next
    // answers without a word, which nobody can tell from an empty list.
    for (const [engine, reason] of [
      ['!hanging', 'hanging: timeout'],
      ['!limited', 'limited: too many requests'],
    ] as const) {
      const asked = provider.search({ ...QUESTION, text: `${engine} window` }, AbortSignal.timeout(20_000))
      await expect(asked).rejects.toMatchObject({
        failure: 'unreachable',
        message: expect.stringContaining(reason),
      })
    }
  })

  test('is asked with recency, a regional language and domains without refusing them', async () => {
    const provider = searxng.create({ baseUrl: searx.baseUrl }, client)
    const filtered = {
      recency: 'week',
      language: 'pt-BR',
      includeDomains: ['example.org', 'example.net'],
    } as const
    const hits = await provider.search({ ...QUESTION, ...filtered }, AbortSignal.timeout(20_000))
    expect(hits[0]?.title).toBe('Result 0 of page 1 for window class (site:example.org OR site:example.net)')
  })
})

test('a language that the instance does not know is asked for as "all"', async () => {
  const refusal = replyWith(400, '{"error":"Invalid value \\"xx\\" for parameter language"}')
  const answer = replyWith(200, '{"results":[{"url":"https://example.org/","title":"Found"}]}')
  const server = await openEngineServer([refusal, answer])
  const provider = searxng.create({ baseUrl: server.origin }, client)
  const hits = await provider.search({ ...QUESTION, count: 1, language: 'xx' }, AbortSignal.timeout(20_000))
  expect(hits.map((hit) => hit.title)).toEqual(['Found'])
  expect(server.requests.map((request) => request.query['language'])).toEqual(['xx', 'all'])
  await server.close()
})

test('a hundred domains are spread over few queries that together name every one', async () => {
  const answer = replyWith(200, '{"results":[{"url":"https://example.org/","title":"Found"}]}')
  const server = await openEngineServer([answer])
  const provider = searxng.create({ baseUrl: server.origin }, client)
  const includeDomains = Array.from({ length: 100 }, (_, index) => `site-${index}.example.org`)
  await provider.search({ ...QUESTION, count: 1, includeDomains }, AbortSignal.timeout(20_000))
  const texts = server.requests.map((request) => request.query['q'] ?? '')
  const spellings = new Set(texts)
  expect(spellings.size).toBe(4)
  expect(texts.slice(0, 4)).toEqual([...spellings])
  const named = [...spellings].flatMap((text) =>
    [...text.matchAll(/site:([^\s)]+)/gu)].map((match) => match[1] ?? ''),
  )
  expect(named.toSorted()).toEqual(includeDomains.toSorted())
  for (const text of texts) expect(text).toMatch(/^window class \(site:[^()]+\)$/u)
  await server.close()
})

test('a question too long for an address is posted as a form', async () => {
  const answer = replyWith(200, '{"results":[{"url":"https://example.org/","title":"Found"}]}')
  const server = await openEngineServer([answer])
  const provider = searxng.create({ baseUrl: server.origin }, client)
  const text = '\u8A9E'.repeat(2_000)
  const hits = await provider.search({ ...QUESTION, text, needed: 1 }, AbortSignal.timeout(20_000))
  expect(hits.map((hit) => hit.title)).toEqual(['Found'])
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      path: '/search',
      query: {},
      body: { q: text, format: 'json', pageno: '1', language: 'en' },
    },
  ])
  await server.close()
})

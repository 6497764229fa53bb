import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createVerbatimClient, VerbatimError, type SearchEvent } from '../../packages/client/src/index.ts'
import { endServer, listenOnLoopback } from '../support/loopback.ts'
import { article, hangingPage, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'

let site: SearchSite
let service: TestService
let client: ReturnType<typeof createVerbatimClient>
const hanging = { asked: 0, closed: 0 }
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': { html: article('Managing keys', [TEXT]) },
    '/again': { html: article('Keys once more', [`Here it stands again. ${TEXT}`]) },
    '/hang': hangingPage(hanging),
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  client = createVerbatimClient({ baseUrl: service.url, apiKey: service.key })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** A server that gives `answers` one after the other, the last one again and again; `asked` are the paths. */
async function startServer(...answers: Answer[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    void answers[Math.min(asked.length, answers.length) - 1]?.(request, response)
  })
  const url = await listenOnLoopback(server)
  closers.push(() => endServer(server))
  return { url, asked }
}

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))

const ANSWER = { query: 'q', results: [], total_latency_ms: 1 }
const searchAt = (baseUrl: string, options: { retries?: number; signal?: AbortSignal } = {}) => {
  const { signal, ...rest } = options
  return createVerbatimClient({ baseUrl, apiKey: 'vbt_x', ...rest }).search(
    { query: 'q' },
    signal === undefined ? {} : { signal },
  )
}
const failureOf = async (work: Promise<unknown>): Promise<VerbatimError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(VerbatimError)
  return error as VerbatimError
}

describe('the client against the service', () => {
  test('searches and gets typed passages, with proof when asked for', async () => {
    site.find('/keys')
    const { query, results } = await client.search({
      query: 'How do I revoke a key?',
      search_depth: 'exhaustive',
      include: ['proof'],
    })
    expect(query).toBe('How do I revoke a key?')
    const blocks = results[0]?.snippets[0]?.text.split('\n\n') ?? []
    expect(blocks.length).toBeGreaterThan(0)
    for (const block of blocks) expect([results[0]?.title, TEXT].join('\n')).toContain(block)
    expect(results[0]?.content_sha256).toMatch(/^[0-9a-f]{64}$/u)
  })

  test('streams results, then the summary with the final ranks', async () => {
    site.find('/keys', '/again')
    const events: SearchEvent[] = []
    for await (const event of client.stream({ query: 'revoke a key' })) events.push(event)
    expect(events.map(({ event }) => event)).toEqual(['result', 'result', 'summary'])
    const last = events.at(-1)
    expect(last?.event === 'summary' && last.summary.results.map(({ rank }) => rank)).toEqual([1, 2])
  })

  test('verifies quotes', async () => {
    const { quotes } = await client.verify({
      url: `${site.siteUrl}/keys`,
      quotes: ['revoked at any time', 'never said'],
    })
    expect(quotes.map(({ match }) => match)).toEqual(['exact', 'none'])
  })

  test('checks an answer against its sources', async () => {
    const page = `${site.siteUrl}/keys`
    const { claims } = await client.verifyAnswer({ answer: `> ${TEXT}\n\nSo says [1].`, sources: [page] })
    expect(claims[0]).toMatchObject({ kind: 'block_quote', match: 'exact', source: 0 })
  })

  test('reads pages, and tells the failure of one as its result', async () => {
    const urls = [`${site.siteUrl}/keys`, `${site.siteUrl}/missing`]
    const { results } = await client.read({ urls, query: 'How do I revoke a key?', format: 'markdown' })
    expect(results.map(({ url }) => url)).toEqual(urls)
    expect(results[0]).toMatchObject({ title: 'Managing keys', failure: null })
    expect(results[0]?.content).toContain(TEXT)
    expect(results[0]?.snippets[0]?.text).toContain(TEXT)
    expect(results[1]).toMatchObject({ content: '', failure: { retryable: false } })
  })

  test('orders texts by how likely each answers', async () => {
    const documents = ['The harbour lies between two hills.', TEXT]
    const { results } = await client.rerank({ query: 'How do I revoke a key?', documents, top_n: 1 })
    expect(results.map(({ index }) => index)).toEqual([1])
  })

  test('tells a refusal with its status, code, fields and request id', async () => {
    const error = await failureOf(client.search({ query: 'q', num_results: 99 }))
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', retryable: false })
    expect(error.issues).toEqual([expect.objectContaining({ pointer: '/num_results' })])
    expect(error.requestId).toMatch(/^req_/u)
    const refused = createVerbatimClient({ baseUrl: service.url, apiKey: 'vbt_wrong' })
    expect(await failureOf(refused.search({ query: 'q' }))).toMatchObject({
      status: 401,
      code: 'unauthorized',
    })
  })

  test('throws the error with which a stream ends', async () => {
    site.breakEngine(500)
    const run = async (): Promise<void> => {
      for await (const event of client.stream({ query: 'q' })) expect(event).toBeUndefined()
    }
    const error = await failureOf(run())
    site.breakEngine(null)
    expect(error).toMatchObject({ status: 500, code: 'search_unavailable', retryable: true })
  })

  test('leaving a stream early ends the work: the pages that are still loading are let go', async () => {
    site.find('/keys', '/hang')
    const before = { ...hanging }
    for await (const { event } of client.stream({ query: 'revoke a key' })) {
      expect(event).toBe('result')
      break
    }
    expect(hanging.asked).toBe(before.asked + 1)
    await expect.poll(() => hanging.closed, { timeout: 3_000 }).toBe(before.closed + 1)
  })

  test('an aborted call ends with the caller’s reason', async () => {
    site.find('/hang')
    const controller = new AbortController()
    const search = client.search({ query: 'q' }, { signal: controller.signal })
    const before = hanging.asked
    await expect.poll(() => hanging.asked).toBe(before + 1)
    controller.abort(new Error('enough'))
    await expect(search).rejects.toThrow('enough')
  })
})

describe('the client against failures', () => {
  test('asks again after 429 and 5xx, no sooner than Retry-After', async () => {
    const times: number[] = []
    const noting =
      (answer: Answer): Answer =>
      (request, response) => {
        times.push(performance.now())
        void answer(request, response)
      }
    const server = await startServer(
      noting(answering(429, '', { 'Retry-After': '1' })),
      noting(answering(502, '<h1>Bad Gateway</h1>')),
      noting(answering(200, ANSWER)),
    )
    expect(await searchAt(server.url)).toEqual(ANSWER)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(999)
    expect(times).toHaveLength(3)
  })

  test('asks again when the connection breaks', async () => {
    const server = await startServer((request) => void request.socket.destroy(), answering(200, ANSWER))
    expect(await searchAt(server.url)).toEqual(ANSWER)
    expect(server.asked).toHaveLength(2)
  })

  test('gives up after its retries with the last error', async () => {
    const server = await startServer(answering(503, 'down', { 'Retry-After': '0' }))
    const error = await failureOf(searchAt(server.url, { retries: 3 }))
    expect(error).toMatchObject({ status: 503, code: 'http_error', retryable: true })
    expect(server.asked).toHaveLength(4)
  })

  test.each([400, 401, 403, 404, 413, 422])('never asks again after %i', async (status) => {
    const server = await startServer(answering(status, 'no'))
    expect(await failureOf(searchAt(server.url))).toMatchObject({ status, retryable: false })
    expect(server.asked).toHaveLength(1)
  })

  test('does not wait longer than a minute for a limit to end', async () => {
    const server = await startServer(answering(429, '', { 'Retry-After': '3600' }))
    expect(await failureOf(searchAt(server.url))).toMatchObject({ status: 429, retryAfterMs: 3_600_000 })
    expect(server.asked).toHaveLength(1)
  })

  test('stops waiting when the caller gives up', async () => {
    const server = await startServer(answering(429, '', { 'Retry-After': '50' }))
    const controller = new AbortController()
    const search = searchAt(server.url, { signal: controller.signal })
    await expect.poll(() => server.asked.length).toBe(1)
    controller.abort(new Error('enough'))
    await expect(search).rejects.toThrow('enough')
  })

  test('says so when something else answers at the address', async () => {
    const server = await startServer(answering(200, '<h1>It works!</h1>'))
    expect(await failureOf(searchAt(server.url))).toMatchObject({ code: 'unexpected_answer' })
  })

  test('tells a stream that was cut off from one that is complete', async () => {
    const line = JSON.stringify({ event: 'result', result: { rank: 1 } })
    const server = await startServer(answering(200, `${line}\n\n{"event":"later"}\n{"event":"summ`))
    const events: SearchEvent[] = []
    const run = async (): Promise<void> => {
      const ours = createVerbatimClient({ baseUrl: server.url, apiKey: 'vbt_x' })
      for await (const event of ours.stream({ query: 'q' })) events.push(event)
    }
    expect(await failureOf(run())).toMatchObject({ code: 'unexpected_answer', retryable: true })
    expect(events.map(({ event }) => event)).toEqual(['result'])
  })

  test('understands an event however its bytes are cut, in the middle of a character too', async () => {
    const bytes = Buffer.from(
      `\n${JSON.stringify({ event: 'summary', summary: { ...ANSWER, query: 'ünï 漢字 🧪' } })}\n`,
    )
    const server = await startServer(async (_, response) => {
      for (const byte of bytes)
        await new Promise<void>((sent) => response.write(Buffer.of(byte), () => sent()))
      response.end()
    })
    const ours = createVerbatimClient({ baseUrl: server.url, apiKey: 'vbt_x' })
    const { value } = await ours.stream({ query: 'q' }).next()
    expect(value).toMatchObject({ summary: { query: 'ünï 漢字 🧪' } })
  })

  test('keeps the path of its base address', async () => {
    const server = await startServer(answering(200, ANSWER))
    await searchAt(`${server.url}/verbatim`)
    await searchAt(`${server.url}/verbatim/`)
    expect(server.asked).toEqual(['/verbatim/v1/search', '/verbatim/v1/search'])
  })
})

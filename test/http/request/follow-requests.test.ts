// What is told of a request once its answer is out: the same for every way to ask, whole, streamed, or in foreign words.
import { afterEach, describe, expect, test } from 'vitest'
import type { Search } from '../../../src/search/search.ts'
import { ANSWER, openDashboardSite, type DashboardSite } from '../../dashboard/dashboard-site.ts'

const HOUR_MS = 3_600_000
const SECRET = 'connect ECONNREFUSED 10.1.2.3:5432 user=verbatim'

interface Way {
  name: string
  path: string
  accept: string
  body: (query: string) => unknown
}
const rpc = (query: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query } },
})
const WAYS: readonly Way[] = [
  { name: 'a whole answer', path: '/v1/search', accept: 'application/json', body: (query) => ({ query }) },
  { name: 'NDJSON', path: '/v1/search', accept: 'application/x-ndjson', body: (query) => ({ query }) },
  {
    name: 'server-sent events',
    path: '/v1/search',
    accept: 'text/event-stream',
    body: (query) => ({ query }),
  },
  { name: 'MCP', path: '/mcp', accept: 'application/json, text/event-stream', body: rpc },
  { name: 'Tavily', path: '/compat/tavily/search', accept: '*/*', body: (query) => ({ query }) },
  { name: 'Open WebUI', path: '/compat/open-webui/search', accept: '*/*', body: (query) => ({ query }) },
]

let site: DashboardSite
const lines: string[] = []
afterEach(async () => {
  await site.close()
  lines.length = 0
})

/** A site whose searches are the test's; `ask` sends one by any way, `counted` is what the key's hour says. */
async function open(search: Search) {
  site = await openDashboardSite({ search, log: { write: (line) => lines.push(line) } })
  const { key, record } = await site.accounts.keys.create({ name: 'test', ownerId: null })
  const ask = ({ path, accept, body }: Way, query: string, signal?: AbortSignal): Promise<Response> =>
    fetch(site.url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: accept },
      body: JSON.stringify(body(query)),
      ...(signal === undefined ? {} : { signal }),
    })
  const counted = async () => {
    await site.accounts.usage.flush()
    const now = Date.now()
    const range = { from: new Date(now), to: new Date(now + HOUR_MS), unit: 'hour' } as const
    const [hour] = await site.accounts.usage.periods({ ...range, keyId: record.id })
    return hour
  }
  return { ask, counted }
}

/** The one line that tells how the request ended, as soon as it is there. */
async function endLine(): Promise<Record<string, unknown>> {
  const find = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  await expect.poll(() => find().length).toBe(1)
  return find()[0]
}

const metric = async (line: string): Promise<void> => {
  await expect.poll(async () => (await fetch(`${site.url}/metrics`)).text()).toContain(`\n${line}\n`)
}

/** A search that ends when the test says so. */
function held() {
  let end = (): void => undefined
  const gate = new Promise<void>((resolve) => (end = resolve))
  return { gate, end }
}

describe.each(WAYS)('a search by $name', (way) => {
  test('is counted once with its snippets, its status and the time to the end of its answer', async () => {
    const { gate, end } = held()
    let seconds = 0
    const { ask, counted } = await open(async (_request, { arrivedAtMs, onResult }) => {
      await gate
      const [first] = ANSWER.response.results
      if (first !== undefined) onResult?.(first)
      seconds = (Date.now() - arrivedAtMs) / 1_000
      return ANSWER
    })
    const asked = ask(way, 'anything')
    await new Promise((resolve) => setTimeout(resolve, 60))
    end()
    await (await asked).text()
    const line = await endLine()
    expect(line).toMatchObject({ method: 'POST', route: way.path, status: 200 })
    expect(Number(line['elapsedMs']) / 1_000).toBeGreaterThanOrEqual(seconds - 0.005)
    const hour = await counted()
    expect(hour).toMatchObject({ requests: 1, snippets: 2, clientErrors: 0, serverErrors: 0 })
    // The histogram's buckets are good to nine per cent.
    expect((hour?.latencyP50Ms ?? 0) / 1_000).toBeGreaterThanOrEqual(seconds * 0.9)
    await metric(`verbatim_http_requests_total{method="POST",route="${way.path}",status="200"} 1`)
  })

  test('that fails inside is counted and logged as a failure, and its inner detail stays in the log', async () => {
    const { ask, counted } = await open(() => Promise.reject(new Error(SECRET)))
    const answer = await (await ask(way, 'anything')).text()
    expect(answer).not.toContain('ECONNREFUSED')
    expect(answer).toContain('Something unexpected went wrong')
    expect(await endLine()).toMatchObject({ route: way.path, status: 500 })
    const failure = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request failed')
    expect(failure).toMatchObject({ err: { message: SECRET } })
    expect(await counted()).toMatchObject({ requests: 1, snippets: 0, serverErrors: 1 })
    await metric(`verbatim_http_requests_total{method="POST",route="${way.path}",status="500"} 1`)
  })

  test('whose client leaves is counted as 499', async () => {
    const client = new AbortController()
    const { gate, end } = held()
    const { ask, counted } = await open(async (_request, _options, signal) => {
      end()
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return ANSWER
    })
    const asked = ask(way, 'anything', client.signal).then((response) => response.text())
    const outcome = asked.catch((error: unknown) => (error instanceof Error ? error.name : 'unknown'))
    await gate
    client.abort()
    expect(await outcome).toBe('AbortError')
    expect(await endLine()).toMatchObject({ route: way.path, status: 499 })
    expect(await counted()).toMatchObject({ requests: 1, clientErrors: 1 })
  })
})

test('a refusal inside a stream is counted as what it is: a 429 of the queue is no success', async () => {
  const { overloaded } = await import('../../../src/errors.ts')
  const { ask, counted } = await open(() => Promise.reject(overloaded()))
  const stream = WAYS.find(({ name }) => name === 'NDJSON')
  const answer = stream === undefined ? '' : await (await ask(stream, 'anything')).text()
  expect(answer).toContain('"code":"overloaded"')
  expect(await counted()).toMatchObject({ requests: 1, rateLimited: 1 })
  expect(await endLine()).toMatchObject({ status: 429 })
})

describe('what a caller writes is not what the log tells', () => {
  const SECRETS = {
    'a key in a path': (key: string) => `/v1/${key}`,
    'a key in a path, percent-encoded': (key: string) => `/v1/${key.replace('_', '%5F')}`,
    'the bare half of a key in a path': (key: string) => `/${key.slice(4)}/x`,
    'a key in a query': (key: string) => `/?anything=${key}`,
  }
  test.each(Object.entries(SECRETS))('%s is in no line', async (_what, pathOf) => {
    await open(async () => ANSWER)
    const { key } = await site.accounts.keys.create({ name: 'other', ownerId: null })
    await (await fetch(site.url + pathOf(key))).text()
    await endLine()
    expect(lines.join('\n')).not.toContain(key.slice(4))
  })

  test.each([
    ['a key', (key: string) => key],
    ['the bare half of a key', (key: string) => key.slice(4)],
  ])('%s as X-Request-Id is neither logged nor echoed', async (_what, idOf) => {
    await open(async () => ANSWER)
    const { key } = await site.accounts.keys.create({ name: 'other', ownerId: null })
    const answer = await fetch(`${site.url}/health`, { headers: { 'X-Request-Id': idOf(key) } })
    expect(answer.headers.get('X-Request-Id')).toMatch(/^req_[0-9a-f]{24}$/u)
    await endLine()
    expect(lines.join('\n')).not.toContain(key.slice(4))
  })

  test('a sane X-Request-Id is kept, so that callers can find their request in the log', async () => {
    await open(async () => ANSWER)
    for (const id of ['6f9619ff-8b86-d011-b42d-00c04fc964ff', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'job:7']) {
      const answer = await fetch(`${site.url}/health`, { headers: { 'X-Request-Id': id } })
      expect(answer.headers.get('X-Request-Id')).toBe(id)
    }
  })
})

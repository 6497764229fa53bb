// What a stream promises while it is under way. One page is held back by a gate that only the test opens, so that the
// order of events is proved by what has not happened yet and not by how long things take.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SearchResponse, SearchResult } from '../../../src/contract.ts'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'
import { hasNginx, startNginx } from '../../support/nginx.ts'

const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'
const FORMATS = ['application/x-ndjson', 'text/event-stream'] as const
type Format = (typeof FORMATS)[number]
const CACHED = Array.from({ length: 10 }, (_, index) => `/cached-${index}`)

/** The requests for `/held` that are not answered yet. */
const held = new Map<IncomingMessage, ServerResponse>()
let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/quick': { html: article('Quick', [TEXT]) },
    ...Object.fromEntries(CACHED.map((path) => [path, { html: article(path, [`${path} ${TEXT}`]) }])),
    '/held': {
      answer(request, response) {
        held.set(request, response)
        void once(response, 'close').then(() => held.delete(request))
      },
    },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
beforeEach(() => site.find('/held', '/quick'))
afterAll(async () => {
  await service.close()
  await site.close()
})
afterEach(openGate)

function openGate(): void {
  for (const response of held.values())
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(article('Held', [`At last. ${TEXT}`]))
}

interface StreamEvent {
  event: string
  result?: SearchResult
  summary?: SearchResponse
}

const EVENT: Readonly<Record<Format, RegExp>> = {
  'application/x-ndjson': /(?<json>.+)\n/uy,
  'text/event-stream': /event: (?<name>\w+)\ndata: (?<data>.+)\n\n/uy,
}
const HEARTBEAT: Readonly<Record<Format, string>> = {
  'application/x-ndjson': '\n',
  'text/event-stream': ': heartbeat\n\n',
}

/** A stream that is read no further than the test asks. */
async function openStream(format: Format) {
  const body = { query: 'How do I revoke a key?', search_depth: 'exhaustive' }
  const response = await service.search(body, { Accept: format, 'Cache-Control': 'no-cache' })
  expect(response.status).toBe(200)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let pending = ''

  async function readMore(): Promise<void> {
    const chunk = await reader?.read()
    if (chunk?.value === undefined) throw new Error(`the stream ended after ${JSON.stringify(pending)}`)
    pending += chunk.value
  }

  return {
    async nextEvent(): Promise<StreamEvent> {
      for (;;) {
        while (pending.startsWith(HEARTBEAT[format])) pending = pending.slice(HEARTBEAT[format].length)
        const match = new RegExp(EVENT[format]).exec(pending)
        if (match?.groups !== undefined) {
          pending = pending.slice(match[0].length)
          const { json = '', name = '', data = '' } = match.groups
          return format === 'application/x-ndjson'
            ? JSON.parse(json)
            : { event: name, [name]: JSON.parse(data) }
        }
        await readMore()
      }
    },
    /** Whatever has not been read yet begins with a heartbeat. */
    async nextHeartbeat(): Promise<void> {
      while (!pending.startsWith(HEARTBEAT[format])) await readMore()
      pending = pending.slice(HEARTBEAT[format].length)
    },
  }
}

describe.each(FORMATS)('a stream as %s', (format) => {
  test('gives the first result while another page is still awaited, and the summary only after both', async () => {
    const stream = await openStream(format)
    const first = await stream.nextEvent()
    expect(first).toMatchObject({ event: 'result', result: { title: 'Quick', rank: 1 } })
    expect(first.result?.snippets[0]?.text).toContain(TEXT)
    // Not given up either: its connection is open, so nothing but its answer can have been awaited.
    expect(held.size).toBe(1)

    openGate()
    expect(await stream.nextEvent()).toMatchObject({ event: 'result', result: { title: 'Held', rank: 2 } })
    const last = await stream.nextEvent()
    expect(last.event).toBe('summary')
    expect(last.summary?.results.map(({ title }) => title).toSorted()).toEqual(['Held', 'Quick'])
  })

  test('begins before any page is there, so that a client knows at once that it is answered', async () => {
    site.find('/held')
    const stream = await openStream(format)
    await stream.nextHeartbeat()
    await expect.poll(() => held.size).toBe(1)
    openGate()
    expect((await stream.nextEvent()).event).toBe('result')
  })

  test('beats while it is silent, so that nobody takes it for dead, and goes on afterwards', async () => {
    const stream = await openStream(format)
    await stream.nextEvent()
    await stream.nextHeartbeat()
    expect(held.size).toBe(1)
    openGate()
    expect((await stream.nextEvent()).event).toBe('result')
    expect((await stream.nextEvent()).event).toBe('summary')
  })
})

test.each(FORMATS)('%s is also given to who names its encoding', async (format) => {
  site.find('/quick')
  const response = await service.search(
    { query: 'How do I revoke a key?' },
    { Accept: `${format};charset=UTF-8` },
  )
  expect(response.headers.get('Content-Type')).toContain(format)
  await response.text()
})

describe.skipIf(!hasNginx)('behind nginx as it is', () => {
  test.each(FORMATS)('each result of %s reaches its reader before the next one is there', async (format) => {
    const nginx = await startNginx([Number(new URL(service.url).port)])
    const response = await fetch(`${nginx.url}/v1/search`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.key}`,
        'Content-Type': 'application/json',
        Accept: format,
        'Cache-Control': 'no-cache',
      },
      body: JSON.stringify({ query: 'How do I revoke a key?', search_depth: 'exhaustive' }),
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let told = ''
    while (!told.includes('"title"')) told += (await reader?.read())?.value ?? '"title" never came'
    expect(told).toContain('"Quick"')
    expect([told.includes('summary'), held.size]).toEqual([false, 1])
    openGate()
    await reader?.cancel()
    await nginx.stop()
  })
})

test('ten streams at once over pages that are known all end with their summary, each result told once', async () => {
  site.find(...CACHED)
  const body = { query: 'How do I revoke a key?', search_depth: 'exhaustive', num_results: 10 }
  const ask = async (): Promise<StreamEvent[]> => {
    const response = await service.search(body, { Accept: 'application/x-ndjson' })
    const lines = (await response.text()).split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as StreamEvent)
  }
  await ask()
  for (const events of await Promise.all(Array.from({ length: 10 }, ask))) {
    expect(events.map(({ event }) => event)).toEqual([...CACHED.map(() => 'result'), 'summary'])
    expect(new Set(events.slice(0, -1).map(({ result }) => result?.url)).size).toBe(10)
  }
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
})

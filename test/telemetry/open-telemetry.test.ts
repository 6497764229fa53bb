// Traces as a collector sees them: a real OTLP/HTTP receiver on loopback, in front of which the whole service searches.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../../src/telemetry/log.ts'
import { openTracing } from '../../src/telemetry/open-telemetry.ts'
import { packagesLoadedWith } from '../support/built.ts'
import { endServer, listenOnLoopback } from '../support/loopback.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}
interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  status: { code?: number; message?: string }
  startTimeUnixNano: string
  endTimeUnixNano: string
}

const SECRET_WORDS = 'the walrus counts its whiskers'
const PAGE = article('Whiskers', [`${SECRET_WORDS} every morning, on the keys page of the dashboard.`])
const QUESTION = { query: 'How often does the walrus count its whiskers?', search_depth: 'balanced' }
const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }

/** Takes traces as collectors do; `status` other than 200 refuses them. */
async function startCollector(options: { hangs?: boolean } = {}) {
  const bodies: string[] = []
  const requests: { url: string; headers: Record<string, unknown> }[] = []
  let status = 200
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push({ url: request.url ?? '', headers: request.headers })
      if (options.hangs === true) return
      if (status === 200) bodies.push(body)
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  const url = await listenOnLoopback(server)
  const spans = (): SentSpan[] =>
    bodies.flatMap((body) =>
      (
        JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }
      ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
  return {
    url,
    bodies,
    requests,
    spans,
    answer: (next: number) => void (status = next),
    /** Forgets what has arrived. */
    clear(): void {
      bodies.length = 0
      requests.length = 0
    },
    close: () => endServer(server),
  }
}

/** One that ends with its test. */
async function startOwnCollector(options: { hangs?: boolean } = {}) {
  const collector = await startCollector(options)
  closers.push(() => collector.close())
  return collector
}

async function startSite() {
  const site = await startSearchSite({
    '/private/diary?owner=olga': { html: PAGE },
    '/private/diary': { html: PAGE },
    '/vanished': { answer: (_, response) => response.writeHead(404).end() },
  })
  site.find('/private/diary?owner=olga', '/vanished')
  return site
}

async function start(environment: NodeJS.ProcessEnv): Promise<TestService> {
  const site = await startSite()
  closers.push(() => site.close())
  const service = await startService({
    SEARCH_PROVIDERS: 'searxng',
    SEARXNG_URL: site.engineUrl,
    ...environment,
  })
  closers.push(() => service.close())
  return service
}

const factsOf = ({ attributes }: SentSpan): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

/** The spans of one search, by name, once the root has arrived; pages in the order of their hosts' answers. */
async function spansOfSearch(collector: Awaited<ReturnType<typeof startCollector>>): Promise<SentSpan[]> {
  await expect
    .poll(() => collector.spans().map(({ name }) => name), { timeout: 20_000 })
    .toContain('POST /v1/search')
  return collector.spans()
}

describe('a search with a collector', () => {
  let site: SearchSite
  let collector: Awaited<ReturnType<typeof startCollector>>
  let service: TestService
  beforeAll(async () => {
    ;[site, collector] = await Promise.all([startSite(), startCollector()])
    service = await startService({
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
  })
  beforeEach(() => collector.clear())
  afterAll(async () => {
    await service.close()
    await Promise.all([collector.close(), site.close()])
  })

  test('is a trace: the request, in it the search, in it one span a stage, in those the pages', async () => {
    expect((await service.search(QUESTION)).status).toBe(200)
    const spans = await spansOfSearch(collector)
    const nameOf = new Map(spans.map(({ spanId, name }) => [spanId, name]))
    const tree = spans.map(({ name, parentSpanId }) => `${nameOf.get(parentSpanId ?? '') ?? ''} > ${name}`)
    expect([...new Set(tree)].toSorted()).toEqual([
      ' > POST /v1/search',
      'POST /v1/search > search',
      'pages > page.load',
      'pages > page.read',
      'search > pages',
      'search > provider',
      'search > score',
      'search > wait',
    ])
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
  })

  test('tells the host of each page and how it ended, and nothing of its path, its words, the query or the key', async () => {
    await service.search(QUESTION)
    const spans = await spansOfSearch(collector)
    const loads = spans.filter(({ name }) => name === 'page.load')
    expect(loads.map((span) => factsOf(span)['error.type'] ?? 'read').toSorted()).toEqual(['gone', 'read'])
    for (const load of loads) expect(String(factsOf(load)['server.address'])).toMatch(/^127\.0\.0\.1:\d+$/u)
    const sent = collector.bodies.join('')
    for (const word of ['diary', 'private', 'olga', 'vanished', 'walrus', 'whiskers', service.key])
      expect([word, sent.includes(word)]).toEqual([word, false])
    for (const { status } of spans) expect(status.message ?? '').toBe('')
  })

  test('continues the trace of its caller, in the collector and in its log lines', async () => {
    await service.search(QUESTION, {
      traceparent: `00-${CALLER.trace}-${CALLER.span}-01`,
      'X-Request-Id': 'of-the-caller',
    })
    const spans = await spansOfSearch(collector)
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([CALLER.trace]))
    expect(spans.find(({ name }) => name === 'POST /v1/search')?.parentSpanId).toBe(CALLER.span)
    const lines = service.logged.map((line) => JSON.parse(line) as Record<string, unknown>)
    const own = lines.filter(({ requestId }) => requestId === 'of-the-caller')
    for (const message of ['request', 'page failed'])
      expect(own.find(({ msg }) => msg === message)).toMatchObject({ traceId: CALLER.trace })
  })

  test('is streamed within one trace, which ends with the last event', async () => {
    await (await service.search(QUESTION, { Accept: 'text/event-stream' })).text()
    const spans = await spansOfSearch(collector)
    const endOf = (name: string) => BigInt(spans.find((span) => span.name === name)?.endTimeUnixNano ?? 0)
    expect(endOf('POST /v1/search')).toBeGreaterThanOrEqual(endOf('search'))
    expect(endOf('search')).toBeGreaterThan(0n)
  })

  test('is recorded at the share that is set, unless the caller decided already', async () => {
    const ownCollector = await startOwnCollector()
    const ownService = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: ownCollector.url,
      OTEL_TRACES_SAMPLER_ARG: '0',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=some%20team',
      OTEL_SERVICE_NAME: 'search-of-ours',
    })
    await ownService.search(QUESTION)
    await ownService.search(QUESTION, { traceparent: `00-${CALLER.trace}-${CALLER.span}-01` })
    const spans = await spansOfSearch(ownCollector)
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([CALLER.trace]))
    expect(ownCollector.requests[0]).toMatchObject({
      url: '/v1/traces',
      headers: { 'x-tenant': 'some team' },
    })
    expect(ownCollector.bodies[0]).toContain('search-of-ours')
  })
})

describe('a collector that', () => {
  test('refuses is told of once in the log, and once more when it takes traces again', async () => {
    const collector = await startOwnCollector()
    collector.answer(400)
    const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const linesAbout = () => service.logged.filter((line) => line.includes('trace collector'))
    for (let round = 0; round < 2; round += 1) {
      const before = collector.requests.length
      expect((await service.search(QUESTION)).status).toBe(200)
      await expect.poll(() => collector.requests.length, { timeout: 20_000 }).toBeGreaterThan(before)
    }
    await expect.poll(linesAbout, { timeout: 20_000 }).toHaveLength(1)
    collector.answer(200)
    await service.search(QUESTION)
    await expect.poll(linesAbout, { timeout: 20_000 }).toHaveLength(2)
  })

  test.each([
    ['is not there', async () => 'http://127.0.0.1:9'],
    ['never answers', async () => (await startOwnCollector({ hangs: true })).url],
  ])('%s neither breaks a search nor keeps the service from ending', async (_, urlOf) => {
    const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: await urlOf() })
    const answers = await Promise.all(Array.from({ length: 8 }, () => service.search(QUESTION)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    await service.service.close()
  })

  test('never answers keeps the end waiting for two seconds and not for as long as a batch may take', async () => {
    const { url } = await startOwnCollector({ hangs: true })
    const log = createLogger('silent')
    const options = { endpoint: url, headers: {}, serviceName: 'test', sampleRatio: 1, version: '1', log }
    const tracing = openTracing(options)
    await tracing.trace('work', {}, async () => undefined)
    const first = await Promise.race([tracing.close().then(() => 'closed'), sleep(4_500, 'still open')])
    expect(first).toBe('closed')
  })

  test('gets the last spans when the service ends', async () => {
    const collector = await startOwnCollector()
    const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    await service.search(QUESTION)
    await service.service.close()
    expect(collector.spans().map(({ name }) => name)).toContain('POST /v1/search')
  })
})

test('without a collector every line of a request carries its id all the same, and no trace', async () => {
  const service = await start({})
  await Promise.all(['first', 'second'].map((id) => service.search(QUESTION, { 'X-Request-Id': id })))
  const lines = service.logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  for (const message of ['request', 'page failed']) {
    const ids = lines.filter(({ msg }) => msg === message).map(({ requestId }) => requestId)
    expect(ids.toSorted()).toEqual(['first', 'second'])
  }
  expect(lines.some((line) => 'traceId' in line)).toBe(false)
})

test('without a collector nothing of OpenTelemetry is loaded but the names that prom-client imports', () => {
  const loaded = packagesLoadedWith('service.js')
  expect(loaded).toContain('pino')
  expect([...loaded].filter((name) => name.startsWith('@opentelemetry/'))).toEqual(['@opentelemetry/api'])
})

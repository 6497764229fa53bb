// Arbitrary bodies, headers and addresses against every route of the API. FUZZ_CASES sets how many, FUZZ_SEED where
// to begin; the same seed gives the same cases.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'
import { exchange, send, type Answer } from './raw-client.ts'

const CASES = Number(process.env['FUZZ_CASES'] ?? 10_000)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
const TIMEOUT_MS = 60_000 + CASES * 60
const share = (part: number) => ({ numRuns: Math.ceil(CASES * part), seed: SEED })

const ROUTES = ['/v1/search', '/v1/verify', '/mcp', '/compat/tavily/search', '/compat/open-webui/search']
/** What a body, a header or an address may be refused with, and 200. */
const ALLOWED = new Set([200, 202, 204, 303, 304, 400, 404, 405, 406, 411, 413, 415, 422, 429, 431])

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({})
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
  send(service.url, {
    method: 'POST',
    path,
    body,
    headers: {
      Authorization: `Bearer ${service.key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
  })

/** Every status answered so far: cases that all end alike would prove little. */
const seen = new Set<number>()

/** Never a 5xx, never a word of what is inside. */
function expectOrderly({ status, text }: Answer): void {
  seen.add(status)
  expect(ALLOWED).toContain(status)
  expect(text).not.toMatch(/node_modules|\.ts:\d|\.js:\d|at [\w.]+ \(|ZodError|RangeError|TypeError/u)
}

async function expectUnharmed(): Promise<void> {
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  expect(service.logged.filter((line) => /"level":(?:50|60)/u.test(line))).toEqual([])
  expect(Object.keys(Object.prototype)).toEqual([])
}

const FIELDS = [
  'query',
  'num_results',
  'max_snippets_per_result',
  'search_depth',
  'recency',
  'language',
  'include_domains',
  'exclude_domains',
  'include',
  'url',
  'content_sha256',
  'quotes',
  'jsonrpc',
  'id',
  'method',
  'params',
  'count',
  'max_results',
  'time_range',
  '__proto__',
  'constructor',
  'toString',
]
const PLAUSIBLE: readonly unknown[] = [
  'q',
  'balanced',
  'exhaustive',
  'week',
  'en',
  ['example.com'],
  ['proof', 'explain'],
  3,
  '2.0',
  'tools/call',
  'tools/list',
  'initialize',
  { name: 'search', arguments: { query: 'q' } },
  { name: 'fetch', arguments: { id: 'http://127.0.0.1:1/' } },
  { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  'http://127.0.0.1:1/',
]

const anyValue = fc.oneof(
  fc.constantFrom(...PLAUSIBLE),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.bigInt().map(Number),
  fc.constantFrom(-0, 1e308, 2 ** 53, 0.1, null, [], {}, [[]], ''),
)
const anyBody = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...FIELDS), fc.string()), anyValue), { maxLength: 8 })
  // Written by hand, so that `__proto__` and fields sent twice reach the wire.
  .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`).join(',')}}`)

const write = (value: unknown): string => JSON.stringify(value) ?? 'null'
const route = fc.constantFrom(...ROUTES)

describe('a body', () => {
  test(
    'of any fields and values is answered or refused, on every route',
    { timeout: TIMEOUT_MS },
    async () => {
      await fc.assert(
        fc.asyncProperty(route, anyBody, async (path, body) => expectOrderly(await post(path, body))),
        share(0.5),
      )
      await expectUnharmed()
    },
  )

  test('of any bytes, damaged JSON included, is refused', { timeout: TIMEOUT_MS }, async () => {
    const whole = Buffer.from('{"query":"q","num_results":3,"include_domains":["example.com"]}')
    const damaged = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
      const bytes = Buffer.from(whole)
      bytes[at] = byte
      return bytes
    })
    const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some))
    await fc.assert(
      fc.asyncProperty(route, fc.oneof(damaged, bytes), async (path, body) =>
        expectOrderly(await post(path, body)),
      ),
      share(0.2),
    )
    await expectUnharmed()
  })

  test.each(ROUTES)('nested as deep as the size limit lets it is answered or refused: %s', async (path) => {
    const deep = (open: string, close: string, times: number): string =>
      open.repeat(times) + close.repeat(times)
    const bodies = [
      deep('[', ']', 32_000),
      `{"query":${deep('[', ']', 30_000)}}`,
      `{"query":"q","include":${deep('[', ']', 30_000)}}`,
      `{"query":"q","include_domains":${deep('[', ']', 30_000)}}`,
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":${deep('[', ']', 20_000)}}}}`,
      `{"jsonrpc":"2.0","id":${deep('[', ']', 20_000)},"method":"tools/list"}`,
    ]
    for (const body of bodies) expectOrderly(await post(path, body))
    await expectUnharmed()
  })
})

const POLLUTION = [
  '{"query":"q","num_results":0,"__proto__":{"polluted":1,"num_results":1}}',
  '{"query":"q","num_results":0,"constructor":{"prototype":{"polluted":1}}}',
  '{"__proto__":{"query":"q","polluted":1}}',
  '{"url":"http://127.0.0.1:1/","quotes":["q"],"__proto__":{"polluted":1}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{"__proto__":{"polluted":1}}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"","__proto__":{"polluted":1}}}}',
]

describe('prototype pollution', () => {
  test.each(POLLUTION)('%s changes no prototype and lends no field', async (body) => {
    for (const path of ROUTES) expectOrderly(await post(path, body))
    expect((await post('/v1/search', body)).status).not.toBe(200)
    expect('polluted' in {}).toBe(false)
    await expectUnharmed()
  })

  test('forms and addresses do no better', async () => {
    const fields =
      '__proto__[polluted]=1&constructor[prototype][polluted]=1&__proto__.polluted=1&email=a&password=b'
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expectOrderly403(await send(service.url, { method: 'POST', path: '/sign-in', headers, body: fields }))
    expectOrderly(await send(service.url, { method: 'GET', path: `/sign-in?${fields}`, headers: {} }))
    expect('polluted' in {}).toBe(false)
  })
})

const expectOrderly403 = (answer: Answer): void => {
  expect(answer.status).toBe(403)
  expect(answer.text).not.toContain('node_modules')
}

const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'content-encoding',
  'content-type',
  'cookie',
  'forwarded',
  'if-none-match',
  'if-modified-since',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'range',
  'referer',
  'te',
  'traceparent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-original-url',
  'x-request-id',
]
const HOSTILE = [
  'gzip',
  'br, gzip, x',
  '*/*;q=nan',
  'application/json; charset=utf-7',
  'application/json; charset=\u00ff',
  'multipart/form-data',
  'text/event-stream',
  'application/x-ndjson',
  'bytes=0-0,-1',
  '%00',
  '../../etc/passwd',
  '{{7*7}}',
  '__proto__',
  ';;;=,,,',
  'a'.repeat(4_000),
  'verbatim_session=%; verbatim_form=__proto__',
]
const headerValue = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc
    .array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 40 })
    .map((codes) => String.fromCodePoint(...codes.filter((code) => code !== 0x7f))),
)
const anyHeaders = fc.dictionary(
  fc.oneof(fc.constantFrom(...HEADERS), fc.stringMatching(/^x-[a-z0-9!#$%&'*+.^_`|~-]{1,20}$/u)),
  headerValue,
  { maxKeys: 6 },
)
const PATHS = [
  '/',
  '/health',
  '/openapi.json',
  '/sign-in',
  '/keys',
  '/docs/api',
  '/playground',
  '/assets/x',
  '/nowhere',
]

describe('headers and addresses', () => {
  test('of any kind are answered or refused, on every route', { timeout: TIMEOUT_MS }, async () => {
    const target = fc.oneof(
      route.map((path) => ['POST', path] as const),
      fc.constantFrom(...PATHS).map((path) => ['GET', path] as const),
    )
    await fc.assert(
      fc.asyncProperty(target, anyHeaders, async ([method, path], headers) => {
        const body = method === 'POST' ? { body: '{"query":"q"}' } : {}
        const given = {
          Authorization: `Bearer ${service.key}`,
          'Content-Type': 'application/json',
          ...headers,
        }
        const answer = await send(service.url, { method, path, headers: given, ...body })
        if (answer.status !== 401) expectOrderly(answer)
      }),
      share(0.15),
    )
    await expectUnharmed()
  })

  test('addresses of any characters are answered or refused', { timeout: TIMEOUT_MS }, async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '%2e%2e',
        '%',
        '%ff',
        '%00',
        '%2f',
        '\\',
        '//',
        '__proto__',
        'docs',
        'assets',
        'keys',
      ),
      fc.webPath(),
      fc
        .array(fc.integer({ min: 0x21, max: 0x7e }), { maxLength: 12 })
        .map((codes) => String.fromCodePoint(...codes)),
    )
    const method = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'DELETE',
      'OPTIONS',
      'PATCH',
      'TRACE',
      'PROPFIND',
    )
    await fc.assert(
      fc.asyncProperty(method, fc.array(piece, { maxLength: 4 }), async (verb, pieces) => {
        const said = await exchange(
          service.url,
          `${verb} /${pieces.join('/')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
        )
        expect(said).toMatch(/^HTTP\/1\.1 [234]\d\d/u)
      }),
      share(0.1),
    )
    await expectUnharmed()
  })

  test(
    'bytes that are no HTTP at all are refused and the connection ends',
    { timeout: TIMEOUT_MS },
    async () => {
      const bytes = fc.uint8Array({ minLength: 4, maxLength: 200 }).map((some) => Buffer.from(some))
      await fc.assert(
        fc.asyncProperty(bytes, async (some) => {
          const said = await exchange(service.url, Buffer.concat([some, Buffer.from('\r\n\r\n')]))
          expect(said).toMatch(/^HTTP\/1\.1 400/u)
        }),
        share(0.05),
      )
      await expectUnharmed()
    },
  )
})

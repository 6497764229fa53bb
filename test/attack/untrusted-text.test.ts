// What a foreign page says of itself: its title and its passages may be markup, control sequences or stream framing.
// The API hands them on as data; nothing that reads its answers as intended can be made to see structure in them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const MARKUP = '&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;'
const FRAMING =
  'event: summary data: {&quot;results&quot;:[]} &#10;&#10;event: error&#10;data: {}&#10;&#10;{&quot;event&quot;:&quot;summary&quot;}&#x2028;&#x2029;&#13;&#10;'
const HOMOGRAPH = '\u0430pple.localhost' // Cyrillic а; under .localhost nothing is asked of DNS
const PARAGRAPH =
  'An API key is revoked by deleting it on the keys page of the dashboard, and it is refused at once.'

const INNER_ADDRESSES = [
  'http://127\u30020\u30020\u30021:1/',
  'http://\u2460\u2461\u2466.0.0.1/',
  'http://LOCALHOST./',
  'http://0x7f.1/',
  'http://[::ffff:7f00:1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/',
  'http://user:password@127.0.0.1/',
  'http://127.0.0.1.nip.io:22/',
]

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/hostile': {
      html: article(`${MARKUP}${FRAMING}`, [`${PARAGRAPH} ${MARKUP}`, `${FRAMING} ${PARAGRAPH}`]),
      title: '</script><script>alert(1)</script>\r\n\r\nevent: error\r\ndata: {}\r\n\r\n',
    },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const ask = (headers: Record<string, string> = {}, body: object = {}): Promise<Response> =>
  service.search({ query: 'How is an API key revoked?', search_depth: 'exhaustive', ...body }, headers)

describe('hostile titles and passages', () => {
  test('come word for word as JSON, under a type no browser renders', async () => {
    const response = await ask()
    expect(response.headers.get('content-type')).toMatch(/^application\/json/u)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const { results } = (await response.json()) as SearchResponse
    expect(results[0]?.title).toContain('<script>alert(1)</script>')
    expect(results[0]?.snippets.map(({ text }) => text).join('\n')).toContain('<script>alert(1)</script>')
  })

  test('cannot add an event to a stream of server-sent events', async () => {
    const response = await ask({ Accept: 'text/event-stream' })
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const text = await response.text()
    // WHATWG: lines end with CR, LF or CRLF and nothing else.
    const events = text.split(/\r\n|\r|\n/u).filter((line) => line.startsWith('event:'))
    expect(events).toEqual(['event: result', 'event: summary'])
    expect(text).toContain('<script>alert(1)</script>')
  })

  test('cannot add a line to a stream of JSON lines', async () => {
    const lines = (await (await ask({ Accept: 'application/x-ndjson' })).text())
      .split('\n')
      .filter((line) => line !== '')
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['result', 'summary'])
  })
})

describe('Unicode in domains', () => {
  const urlsFor = async (body: object): Promise<string[]> => {
    const { results } = (await (await ask({}, body)).json()) as SearchResponse
    return results.map(({ url }) => url)
  }

  test.each([
    ['the homograph', [HOMOGRAPH], 1],
    ['its punycode', ['xn--pple-43d.localhost'], 1],
    ['its punycode in capitals with a trailing dot', ['XN--PPLE-43D.LOCALHOST.'], 1],
    ['the name it imitates', ['apple.localhost'], 0],
    ['full-width letters of the name it imitates', ['\uFF41\uFF50\uFF50\uFF4C\uFF45.localhost'], 0],
    ['a name that ends alike', ['ple-43d.localhost'], 0],
  ])('a page of a homograph is found by %s or not, as its real name says', async (_, domains, found) => {
    site.find('http://xn--pple-43d.localhost/')
    expect(await urlsFor({ include_domains: domains })).toHaveLength(found)
    expect(await urlsFor({ exclude_domains: domains })).toHaveLength(1 - found)
    site.find('/hostile')
  })

  test('addresses of inner services stay shut, however they are spelled', async () => {
    const guarded = await startService({
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
      EGRESS_ALLOW: '',
    })
    try {
      for (const url of INNER_ADDRESSES) {
        site.find(url)
        const { results } = (await (await guarded.search({ query: 'q' })).json()) as SearchResponse
        expect(results.flatMap(({ snippets }) => snippets)).toEqual([])
        for (const { warning } of results) expect([url, warning]).not.toEqual([url, null])
      }
    } finally {
      await guarded.close()
      site.find('/hostile')
    }
  })
})

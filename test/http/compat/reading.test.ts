// Reading and reranking in the shapes of other services.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { pdfOf, shownLines } from '../../support/pdf.ts'
import { ANSWER, PUBLISHED, QUESTION, startCompatService, type CompatService } from './compat-service.ts'

let compat: CompatService
let keys: string
let gone: string
beforeAll(async () => {
  compat = await startCompatService()
  keys = `${compat.site.siteUrl}/keys`
  gone = `${compat.site.siteUrl}/gone`
})
afterAll(() => compat.close())

type Json = Record<string, unknown>
const json = async (answer: Response): Promise<Json> => (await answer.json()) as Json

describe('Tavily extract', () => {
  test('gives each page under the address that was asked for, and each failure with its reason', async () => {
    const answer = await json(
      await compat.post('/tavily/extract', { urls: [keys, gone], extract_depth: 'basic' }),
    )
    expect(answer['results']).toMatchObject([{ url: keys, title: 'Managing keys' }])
    expect((answer['results'] as Json[])[0]?.['raw_content']).toContain(ANSWER)
    expect(answer['failed_results']).toEqual([{ url: gone, error: expect.any(String) }])
  })

  test('takes a host without a scheme for one of https, and answers under what was written', async () => {
    // Nobody speaks TLS there.
    const bare = keys.replace('http://', '')
    const answer = await json(await compat.post('/tavily/extract', { urls: [bare, keys] }))
    expect(answer).toMatchObject({ results: [{ url: keys }], failed_results: [{ url: bare }] })
    const scraped = await compat.post('/firecrawl/v2/scrape', { url: bare })
    expect((await json(scraped))['error']).not.toMatch(/url: must be/u)
    const refused = await compat.post('/firecrawl/v2/scrape', { url: 'no address' })
    expect(await json(refused)).toEqual({ success: false, error: expect.stringMatching(/^url: must be/u) })
  })

  test('takes one address as text, and a query for its best chunks', async () => {
    const answer = await json(await compat.post('/tavily/extract', { urls: keys, query: QUESTION }))
    expect((answer['results'] as Json[])[0]?.['raw_content']).toContain(ANSWER)
  })

  test.each(['x'.repeat(LIMITS.queryCharacters + 1), 'half \ud800'])(
    'a question that no search takes is refused here, too, as in Exa',
    async (query) => {
      const answer = await compat.post('/tavily/extract', { urls: keys, query })
      expect(answer.status).toBe(400)
      expect(await json(answer)).toMatchObject({ detail: { error: expect.stringMatching(/^query: /u) } })
      const exa = await compat.post('/exa/contents', { urls: [keys], highlights: { query } })
      expect(exa.status).toBe(400)
    },
  )

  test('a blank question is none: the page is given whole', async () => {
    const ask = async (query: string): Promise<unknown> =>
      (await json(await compat.post('/tavily/extract', { urls: keys, query })))['results']
    expect(await ask(' \u200b')).toEqual(await ask(''))
  })
})

describe('Firecrawl scrape', () => {
  test.each(['v1', 'v2'])(
    '%s gives the formats that were asked for, with dates and language',
    async (version) => {
      const body = { url: keys, formats: ['markdown', { type: 'rawHtml' }], onlyMainContent: true, maxAge: 0 }
      const { success, data } = (await json(await compat.post(`/firecrawl/${version}/scrape`, body))) as {
        success: boolean
        data: Json
      }
      expect(success).toBe(true)
      expect(data['markdown']).toContain(ANSWER)
      expect(data['rawHtml']).toContain('<article>')
      expect(data).not.toHaveProperty('html')
      expect(data['metadata']).toMatchObject({
        title: 'Managing keys',
        publishedTime: PUBLISHED,
        language: 'en',
        sourceURL: keys,
        url: keys,
      })
    },
  )

  test('a page that failed is no success, and no 5xx that would be asked for again', async () => {
    const answer = await compat.post('/firecrawl/v2/scrape', { url: gone })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ success: false, error: expect.stringMatching(/\.$/u) })
  })
})

describe('Exa contents', () => {
  test('gives text and highlights, and a status for each address', async () => {
    const body = { urls: [keys, gone], text: { maxCharacters: 40 }, highlights: { query: QUESTION } }
    const answer = await json(await compat.post('/exa/contents', body))
    const [page] = answer['results'] as (Json & { text: string; highlights: string[] })[]
    expect(page).toMatchObject({ id: keys, title: 'Managing keys' })
    expect(page?.text.length).toBeLessThanOrEqual(40)
    expect(page?.highlights[0]).toContain(ANSWER)
    expect(answer['statuses']).toMatchObject([
      { id: keys, status: 'success' },
      { id: gone, status: 'error', error: { tag: 'CRAWL_NOT_FOUND' } },
    ])
  })
})

describe('Open WebUI', () => {
  test('its web loader gets a document for each page that could be read', async () => {
    const answer = await compat.post('/open-webui/loader', { urls: [gone, keys] })
    const documents = (await answer.json()) as { page_content: string; metadata: Json }[]
    expect(documents).toHaveLength(1)
    expect(documents[0]?.page_content).toContain(ANSWER)
    expect(documents[0]?.metadata).toMatchObject({ source: keys, title: 'Managing keys' })
  })

  const put = (bytes: Uint8Array | string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${compat.url}/open-webui/process`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${compat.service.key}`, ...headers },
      body: typeof bytes === 'string' ? bytes : new Blob([Uint8Array.from(bytes)]),
    })

  test.each([
    ['text', ANSWER, 'text/plain'],
    ['HTML without a label', `<!doctype html><html><body><p>${ANSWER}</p></body></html>`, ''],
    ['Markdown of more than a page', `# Keys\n\n${ANSWER}\n\n${'word '.repeat(30_000)}`, 'text/markdown'],
    ['PDF', pdfOf(shownLines([ANSWER.slice(0, 60)])), 'application/pdf'],
  ])('its document loader reads %s', async (_kind, bytes, type) => {
    const label = type === '' ? {} : { 'Content-Type': type }
    const answer = await put(bytes, { ...label, 'X-Filename': 'Schl%C3%BCssel.txt' })
    expect(answer.status).toBe(200)
    const { page_content: text, metadata } = (await json(answer)) as { page_content: string; metadata: Json }
    expect(text).toContain(ANSWER.slice(0, 40))
    expect(metadata['source']).toBe('Schlüssel.txt')
  })

  test('a file that holds no text is refused with a reason', async () => {
    const answer = await put(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), {})
    expect(answer.status).toBe(400)
    expect((await json(answer))['detail']).toMatch(/text/u)
    expect((await put('', { 'Content-Type': 'text/plain' })).status).toBe(400)
  })
})

describe('Jina reader', () => {
  test('gives a page under a short head, or as JSON for whoever accepts that alone', async () => {
    const answer = await compat.get(`/jina/r/${keys}?from=1`)
    expect(answer.headers.get('Content-Type')).toContain('text/plain')
    const text = await answer.text()
    expect(text).toContain(`Title: Managing keys\n\nURL Source: ${keys}?from=1`)
    expect(text).toContain(ANSWER)
    const asJson = await compat.get(`/jina/r/${keys}`, { Accept: 'application/json', 'X-Token-Budget': '20' })
    const { data } = (await json(asJson)) as { data: Json }
    expect(data).toMatchObject({ title: 'Managing keys', url: keys, publishedTime: PUBLISHED })
    expect((data['content'] as string).length).toBeLessThanOrEqual(60)
  })

  test('an address that lost a slash to a proxy is the same address', async () => {
    const answer = await compat.get(`/jina/r/${keys.replace('//', '/')}`)
    expect(await answer.text()).toContain(`URL Source: ${keys}\n`)
  })

  test('an address keeps the slashes of its own', async () => {
    // Which is another page, and not there.
    expect((await compat.get(`/jina/r/${keys.replace('/keys', '//keys')}`)).status).toBe(422)
  })

  test('its refusals are those of Jina', async () => {
    const answer = await compat.get('/jina/r/http://10.0.0.1/')
    expect(await json(answer)).toMatchObject({
      data: null,
      code: 422,
      name: 'AssertionFailureError',
      readableMessage: expect.stringMatching(/^AssertionFailureError: ./u),
    })
  })

  test.each([
    ['/jina/r/ftp://a.example/', {}, 400],
    ['/jina/r/https%3A%2F%2Fa.example%2F%zz', {}, 400],
    ['/jina/r/http://10.0.0.1/', {}, 422],
    ['/jina/r/https://a.example/', { 'X-Return-Format': 'screenshot' }, 400],
    ['/jina/r/https://a.example/', { 'X-Target-Selector': 'main' }, 400],
    ['/jina/r/https://a.example/', { 'X-Remove-Selector': 'div > [data-ad]' }, 400],
    ['/jina/r/https://a.example/', { 'X-Return-Format': 'html', 'X-Token-Budget': '50' }, 400],
    ['/jina/r/https://a.example/', { 'X-Timeout': 'soon' }, 400],
  ])('%s with %j is %i', async (path, headers, status) => {
    expect((await compat.get(path, headers as Record<string, string>)).status).toBe(status)
  })
})

describe('rerank', () => {
  const documents = ['Bread is baked from flour, water and salt.', ANSWER, 'The harbour was built long ago.']

  test('Jina: documents as texts or objects, given back unless that is not wanted', async () => {
    const body = { model: 'any', query: QUESTION, documents: [documents[0], { text: ANSWER }], top_n: 50 }
    const answer = await json(await compat.post('/jina/v1/rerank', body))
    const results = answer['results'] as (Json & { index: number; relevance_score: number })[]
    expect(results.map(({ index }) => index)).toEqual([1, 0])
    expect(results[0]).toMatchObject({ document: { text: ANSWER } })
    expect(results[0]?.relevance_score).toBeGreaterThan(results[1]?.relevance_score ?? 1)
    expect(answer['usage']).toMatchObject({ total_tokens: expect.any(Number) })
    const bare = await json(await compat.post('/jina/v1/rerank', { ...body, return_documents: false }))
    expect((bare['results'] as Json[])[0]).not.toHaveProperty('document')
  })

  test.each(['v1', 'v2'])('Cohere %s', async (version) => {
    const body = { model: 'any', query: QUESTION, documents, top_n: 1 }
    const answer = await json(await compat.post(`/cohere/${version}/rerank`, body))
    expect(answer).toMatchObject({ results: [{ index: 1, relevance_score: expect.any(Number) }] })
    expect(answer['meta']).toMatchObject({ api_version: { version: version.slice(1) } })
    const wrong = await compat.post(`/cohere/${version}/rerank`, { query: QUESTION, documents: [] })
    expect([wrong.status, Object.keys(await json(wrong))]).toEqual([400, ['message']])
  })

  test('TEI: scores best first, as log odds where raw ones are wanted', async () => {
    const ask = async (fields: Json) =>
      (await (
        await compat.post('/tei/rerank', { query: QUESTION, texts: documents, ...fields })
      ).json()) as (Json & {
        score: number
      })[]
    const [best] = await ask({ return_text: true })
    expect(best).toMatchObject({ index: 1, text: ANSWER })
    const raw = await ask({ raw_scores: true })
    expect(1 / (1 + Math.exp(-(raw[0]?.score ?? 0)))).toBeCloseTo(best?.score ?? 0, 4)
    expect(raw.map(({ score }) => score)).toEqual(raw.map(({ score }) => score).toSorted((a, b) => b - a))
    for (const { score } of raw) expect(Number.isFinite(score)).toBe(true)
    const wrong = await compat.post('/tei/rerank', { query: QUESTION })
    expect([wrong.status, (await json(wrong))['error_type']]).toEqual([422, 'Validation'])
  })
})

// What foreign shapes refuse is told in the names that their clients know.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QUESTION, startCompatService, type CompatService } from './compat-service.ts'

let compat: CompatService
beforeAll(async () => {
  compat = await startCompatService()
})
afterAll(() => compat.close())

const OURS =
  /num_results|max_snippets_per_result|recency|(?:start|end)_date|(?:in|ex)clude_domains|\blanguage\b|\bpage\b/u

describe('a field that is refused is named as it was sent', () => {
  test.each([
    ['/exa/search', { startPublishedDate: 'soon' }, /startPublishedDate/u, OURS],
    ['/exa/search', { includeDomains: ['a b'] }, /includeDomains\.0/u, OURS],
    ['/exa/search', { category: 'company' }, /category: may be \\"news\\", .*includeDomains/u, OURS],
    ['/firecrawl/v2/search', { lang: 'x' }, /\blang\b/u, OURS],
    ['/firecrawl/v2/search', { tbs: 'cdr:1,cd_min:13/45/2026' }, /cd_min/u, OURS],
    ['/perplexity/search', { search_language_filter: ['english'] }, /search_language_filter/u, OURS],
    ['/perplexity/search', { search_after_date_filter: 'soon' }, /search_after_date_filter/u, OURS],
    ['/tavily/search', { time_range: 'decade' }, /time_range/u, /recency/u],
  ])('%s %j', async (path, field, says, never) => {
    const answer = await compat.post(path, { query: QUESTION, ...field })
    expect(answer.status).toBe(400)
    const told = await answer.text()
    expect(told).toMatch(says)
    expect(told).not.toMatch(never)
  })

  test('TEI: texts', async () => {
    const answer = await compat.post('/tei/rerank', { query: QUESTION, texts: [] })
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { error: 'texts: must hold at least one text.', error_type: 'Validation' },
    ])
  })

  test.each([
    ['/exa/contents', { urls: 'https://example.com/page' }, 'urls: must be an array of addresses.'],
    [
      '/exa/contents',
      { urls: ['https://a.example/'], ids: ['https://b.example/'] },
      'Send either urls or ids.',
    ],
    [
      '/tavily/extract',
      { urls: Array(21).fill('https://a.example/') },
      'urls: may hold at most 20 addresses here.',
    ],
    ['/firecrawl/v2/search', { query: QUESTION, tbs: 'qdr:h' }, 'tbs: "qdr:h" is not kept; it may be qdr:d'],
  ])('%s %j is told in one sentence', async (path, body, sentence) => {
    const answer = await compat.post(path, body)
    expect(answer.status).toBe(400)
    const told = await answer.text()
    expect(told.split(JSON.stringify(sentence).slice(1, -1))).toHaveLength(2)
    expect(told).not.toMatch(/invalid input/iu)
  })

  test('SearXNG: q', async () => {
    const answer = await compat.get('/searxng/search?format=json')
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringMatching(/q is required/u)])
  })
})

describe('a query that is empty is told to be empty, in the shape of its service', () => {
  const SENTENCE = 'query must not be empty or blank.'
  test.each([
    ['/exa/search', {}, 400, { error: SENTENCE }],
    ['/tavily/search', {}, 400, { detail: { error: SENTENCE } }],
    ['/firecrawl/v2/search', {}, 400, { success: false, error: SENTENCE }],
    ['/perplexity/search', {}, 400, { error: { message: SENTENCE, type: 'invalid_request', code: 400 } }],
    ['/open-webui/search', {}, 400, { detail: SENTENCE }],
    ['/jina/v1/rerank', { documents: ['a'] }, 400, { detail: SENTENCE }],
    ['/cohere/v2/rerank', { documents: ['a'] }, 400, { message: SENTENCE }],
    ['/tei/rerank', { texts: ['a'] }, 422, { error: SENTENCE, error_type: 'Validation' }],
  ])('%s', async (path, fields, status, told) => {
    const answer = await compat.post(path, { query: '', ...fields })
    expect([answer.status, await answer.json()]).toEqual([status, told])
  })

  test('SearXNG', async () => {
    const answer = await compat.get('/searxng/search?format=json&q=')
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'q must not be empty or blank.' }])
  })
})

describe('clients that want no particular language', () => {
  test.each(['all', 'und', 'any', 'auto'])('%s leaves out no page', async (language) => {
    compat.site.find('/keys')
    for (const [path, field] of [
      ['/firecrawl/v2/search', { lang: language }],
      ['/tavily/search', { language }],
      ['/perplexity/search', { search_language_filter: [language] }],
    ] as const) {
      const answer = await compat.post(path, { query: QUESTION, ...field })
      expect([path, answer.status, (await answer.text()).includes('revoked')]).toEqual([path, 200, true])
    }
  })
})

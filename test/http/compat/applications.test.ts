// Applications that cannot be installed here: each request as their source sends it, each answer read as their source reads
// it. What is written here follows the sources that are named, and is none of their text.
//   Vane       ItzCrazyKns/Vane 424158b, src/lib/searxng.ts
//   Onyx       onyx-dot-app/onyx 04c1c1e, backend/onyx/tools/tool_implementations/web_search/clients/searxng_client.py
//   LibreChat  danny-avila/agents 2054850, src/tools/search/firecrawl.ts; 0056711, src/tools/search/rerankers.ts
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANSWER, QUESTION, startCompatService, type CompatService } from './compat-service.ts'

let compat: CompatService
/** What is put into the application: an address with the token in its path. */
let searxng: string
beforeAll(async () => {
  compat = await startCompatService()
  const made = { name: 'applications', ownerId: null, isPathToken: true }
  const { key } = await compat.service.service.accounts.keys.create(made)
  searxng = `${compat.url}/searxng/${key}`
})
afterAll(() => compat.close())

describe('Vane', () => {
  interface Found {
    title: string
    url: string
    content?: string
  }

  /** It sends no header, joins lists by commas, and leaves out what it was not given. */
  async function search(query: string, options: Record<string, readonly string[] | string> = {}) {
    const url = new URL(`${searxng}/search?format=json`)
    url.searchParams.append('q', query)
    for (const [name, value] of Object.entries(options)) url.searchParams.append(name, String(value))
    const data = (await (await fetch(url)).json()) as { results?: Found[]; suggestions?: string[] }
    return { results: data.results ?? [], suggestions: data.suggestions ?? [] }
  }

  test('gets passages for its three queries at once, and of sites only what lies on them', async () => {
    compat.site.find('/keys')
    const queries = [QUESTION, 'revoke a key', 'How is a key revoked in the dashboard?']
    const answers = await Promise.all([
      ...queries.map((query) => search(query)),
      search(QUESTION, { engines: ['reddit'] }),
      search(QUESTION, { engines: ['youtube'] }),
    ])
    const urls = answers.map(({ results }) => results.map(({ url }) => url))
    const page = `${compat.site.siteUrl}/keys`
    expect(urls).toEqual([[page], [page], [page], [], []])
    for (const { results } of answers.slice(0, 3)) expect(results[0]?.content).toContain(ANSWER)
    for (const { suggestions } of answers) expect(suggestions).toEqual([])
  })
})

describe('Onyx', () => {
  test('takes the address for a SearXNG, and finds title, link and content in each result of its form', async () => {
    const config = await fetch(`${searxng}/config`)
    expect(config.status).toBe(200)
    expect(await config.json()).toMatchObject({
      brand: { GIT_URL: 'https://github.com/searxng/searxng' },
    })
    compat.site.find('/gone', '/keys')
    const body = new URLSearchParams({ q: QUESTION, format: 'json' })
    const answer = await fetch(`${searxng}/search`, { method: 'POST', body })
    expect(answer.status).toBe(200)
    const { results } = (await answer.json()) as { results: Record<string, string>[] }
    // It indexes all three unguarded, in the page that could not be read as well.
    const read = results.slice(0, 10).map((one) => [one['title'], one['url'], one['content']])
    for (const fields of read) for (const field of fields) expect(typeof field).toBe('string')
    expect(read).toContainEqual([
      'Managing keys',
      `${compat.site.siteUrl}/keys`,
      expect.stringContaining(ANSWER),
    ])
  })
})

describe('LibreChat', () => {
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await compat.post(path, body)
    expect(answer.status).toBe(200)
    return answer.json()
  }

  test('reads a page by its scraper: Markdown, and the page as it came', async () => {
    const url = `${compat.site.siteUrl}/keys`
    const sent = { url, formats: ['markdown', 'rawHtml'], timeout: 7_500 }
    expect(await post('/firecrawl/v2/scrape', sent)).toMatchObject({
      success: true,
      data: {
        markdown: expect.stringContaining(ANSWER),
        rawHtml: expect.stringContaining(`<p>${ANSWER}</p>`),
        metadata: { title: 'Managing keys' },
      },
    })
  })

  test('orders the pieces of a page by its reranker, with the text of each', async () => {
    const pieces = [...Array.from({ length: 40 }, (_, index) => `Bread is baked in oven ${index}.`), ANSWER]
    const answer = (await post('/jina/v1/rerank', {
      model: 'jina-reranker-v2-base-multilingual',
      query: QUESTION,
      top_n: 5,
      documents: pieces,
      return_documents: true,
    })) as { results: { relevance_score: number; document: { text: string } }[]; usage: object }
    const highlights = answer.results.map(({ document: { text }, relevance_score: score }) => ({
      text,
      score,
    }))
    expect(highlights).toHaveLength(5)
    expect(highlights[0]).toEqual({ text: ANSWER, score: expect.toSatisfy((score: number) => score > 0.3) })
    expect(answer.usage).toBeTypeOf('object')
  })
})

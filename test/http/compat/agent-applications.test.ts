// Applications of agents and for making them, which cannot be installed here, set up by the lines of their pages in docs/:
// each request as their source sends it and waits for it, each answer read as their source reads it. What is written here
// follows the sources that are named, and is none of their text.
//   GPT-Researcher assafelovic/gpt-researcher 5d84d2f, gpt_researcher/retrievers/searx/searx.py, scraper/firecrawl/firecrawl.py
//   Khoj           khoj-ai/khoj ae229ca, src/khoj/processor/tools/online_search.py
//   AnythingLLM    Mintplex-Labs/anything-llm 72aabbd (1.16.0), server/utils/agents/aibitat/plugins/web-browsing.js
//   Dify           langgenius/dify-official-plugins 7af2283: tools/searxng (0.0.12), tools/firecrawl (0.2.2), models/jina (0.0.23)
//                  and models/huggingface_tei (0.1.9, its form; its requests as they stood in Dify's own model_providers)
//   n8n            @n8n/n8n-nodes-langchain 2.41.1, ToolSearXng; before that @langchain/community 1.1.29, searxng_search
import { JSDOM } from 'jsdom'
import { describe, expect, test } from 'vitest'
import { aScore, post, theAnswer, type Json, useApplication } from './application.ts'
import { ANSWER, PUBLISHED, QUESTION } from './compat-service.ts'

const application = useApplication()

describe('GPT-Researcher', () => {
  test('finds address and body by its retriever', async () => {
    application.compat.site.find('/gone', '/keys')
    const { RETRIEVER, SEARX_URL } = application.settings('gpt-researcher')
    expect(RETRIEVER).toBe('searx')
    const url = new URL('search', `${SEARX_URL}/`)
    url.search = new URLSearchParams({ q: QUESTION, format: 'json' }).toString()
    const answer = await fetch(url, { headers: { Accept: 'application/json' } })
    const { results } = (await answer.json()) as { results: Json[] }
    expect(results.map((one) => ({ href: one['url'], body: one['content'] }))).toContainEqual({
      href: application.page,
      body: theAnswer,
    })
  })

  test('reads pages by its Firecrawl scraper, whose client drops the path of the address', async () => {
    const { SCRAPER, FIRECRAWL_SERVER_URL, FIRECRAWL_API_KEY = '' } = application.settings('gpt-researcher')
    expect(SCRAPER).toBe('firecrawl')
    const url = new URL('/v2/scrape', FIRECRAWL_SERVER_URL).href
    const sent = { url: application.page, formats: ['markdown'] }
    expect(await post(url, FIRECRAWL_API_KEY, sent, 60_000)).toMatchObject({
      data: { markdown: theAnswer, metadata: { title: 'Managing keys', statusCode: 200 } },
    })
  })
})

describe('Khoj', () => {
  /** Seconds that it gives every request. */
  const LIMIT_MS = 60_000
  const key = (): string => application.compat.service.key

  test('reads title, link and text in the page of results of its SearXNG', async () => {
    application.compat.site.find('/gone', '/keys')
    const url = new URL(`${application.settings('khoj')['KHOJ_SEARXNG_URL']}/search`)
    const sent = { q: QUESTION, format: 'html', language: 'en', country: 'us', categories: 'general' }
    url.search = new URLSearchParams(sent).toString()
    const { document } = new JSDOM(await (await fetch(url)).text()).window
    const read = [...document.querySelectorAll('article.result')].map((result) => {
      const title = result.querySelector('a[rel="noreferrer"]')
      return {
        title: title?.textContent?.trim(),
        link: title?.getAttribute('href'),
        description: result.querySelector('p.content')?.textContent?.trim(),
      }
    })
    expect(read).toContainEqual({ title: 'Managing keys', link: application.page, description: theAnswer })
  })

  test('finds and reads pages in the shape of Firecrawl', async () => {
    application.compat.site.find('/keys')
    const url = `${application.settings('khoj')['FIRECRAWL_API_URL']}/v2`
    const asked = {
      query: QUESTION,
      limit: 10,
      country: 'us',
      lang: 'en',
      timeout: 10_000,
      scrapeOptions: {},
    }
    expect(await post(`${url}/search`, key(), asked, LIMIT_MS)).toMatchObject({
      success: true,
      data: { web: [{ title: 'Managing keys', url: application.page, description: theAnswer }] },
    })
    const sent = {
      url: application.page,
      formats: ['markdown'],
      excludeTags: ['script', '.ad'],
      removeBase64Images: true,
      maxAge: 86_400_000,
    }
    expect(await post(`${url}/scrape`, key(), sent, LIMIT_MS)).toMatchObject({
      data: { markdown: theAnswer },
    })
  })

  test('finds and reads pages in the shape of Exa, and none of them has an empty list of highlights', async () => {
    application.compat.site.find('/gone', '/keys')
    const url = application.settings('khoj')['EXA_API_URL'] ?? ''
    const contents = { text: false, highlights: { maxCharacters: 500 } }
    const asked = { query: QUESTION, type: 'auto', userLocation: 'US', numResults: 10, contents }
    const { results } = (await post(`${url}/search`, key(), asked, LIMIT_MS)) as {
      results: { highlights?: string[] }[]
    }
    expect(results).toContainEqual(
      expect.objectContaining({ title: 'Managing keys', url: application.page, highlights: [theAnswer] }),
    )
    for (const { highlights } of results) expect(highlights).not.toEqual([])
    const sent = { urls: [application.page], text: true, livecrawlTimeout: 15_000 }
    expect(await post(`${url}/contents`, key(), sent, LIMIT_MS)).toMatchObject({
      results: [{ text: theAnswer }],
    })
  })
})

describe('AnythingLLM', () => {
  test('gives its agent title, link, passages and date of each page, at the address as it stands', async () => {
    application.compat.site.find('/gone', '/keys')
    const url = new URL(application.settings('anythingllm')['AGENT_SEARXNG_API_URL'] ?? '')
    url.searchParams.append('q', QUESTION)
    url.searchParams.append('format', 'json')
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'anything-llm' }
    const { results } = (await (await fetch(url, { headers })).json()) as { results: Json[] }
    const read = results.map((one) => [one['title'], one['url'], one['content'], one['publishedDate']])
    expect(read).toContainEqual(['Managing keys', application.page, theAnswer, PUBLISHED])
  })
})

describe('Dify', () => {
  /** What httpx gives a request that is told no time, and requests would not. */
  const RERANK_MS = 5_000
  const form = (name: string): string => application.settings('dify')[name] ?? ''

  test('finds pages by its plug-in for SearXNG, within the time of its form, which is a day where it is empty', async () => {
    const search = async (timeRange: string, categories = 'general'): Promise<Json[]> => {
      application.compat.site.find('/keys')
      const url = new URL(form('SearXNG base URL'))
      const sent = { q: QUESTION, time_range: timeRange, format: 'json', categories }
      url.search = new URLSearchParams(sent).toString()
      const answer = await fetch(url)
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { results: Json[] }).results
    }
    expect(await search('year')).toMatchObject([
      { title: 'Managing keys', url: application.page, content: theAnswer },
    ])
    expect(await search('day')).toEqual([])
    for (const kind of ['images', 'videos', 'map', 'music', 'files'])
      expect(await search('year', kind)).toEqual([])
    for (const kind of ['news', 'it', 'science', 'social_media'])
      expect(await search('year', kind)).toMatchObject([{ url: application.page }])
  })

  test('finds and reads pages by its plug-in for Firecrawl', async () => {
    application.compat.site.find('/keys')
    const url = `${form("Firecrawl server's Base URL")}/v2`
    const key = form('Firecrawl API Key')
    const asked = {
      query: QUESTION,
      limit: 10,
      sources: ['web'],
      ignoreInvalidURLs: false,
      scrapeOptions: { formats: [{ type: 'markdown' }], onlyMainContent: true },
    }
    expect(await post(`${url}/search`, key, asked, 60_000)).toMatchObject({
      data: { web: [{ url: application.page, description: theAnswer, markdown: theAnswer }] },
    })
    const sent = { url: application.page, onlyMainContent: true, waitFor: 0, timeout: 30_000 }
    expect(await post(`${url}/scrape`, key, sent, 60_000)).toMatchObject({ data: { markdown: theAnswer } })
  })

  test('orders passages by its plug-in for Jina, in the time that it waits', async () => {
    const sent = {
      model: form('Model Name'),
      query: QUESTION,
      documents: ['Bread is baked in an oven.', ANSWER],
      top_n: null,
      return_documents: false,
    }
    const url = `${form('Base URL').replace(/\/$/u, '')}/rerank`
    const { results } = (await post(url, form('API Key'), sent, RERANK_MS)) as { results: Json[] }
    expect(results.map(({ index }) => index)).toEqual([1, 0])
    expect(results[0]).toMatchObject({ relevance_score: aScore })
  })

  test('orders passages by its provider for TEI, which asks what kind of model there is', async () => {
    const url = form('Server url').replace(/\/$/u, '')
    const headers = { Authorization: `Bearer ${form('API Key')}` }
    const info = await fetch(`${url}/info`, { headers, signal: AbortSignal.timeout(10_000) })
    expect(info.status).toBe(200)
    const { model_type: kinds, max_input_length: length } = (await info.json()) as Json
    expect([Object.keys(kinds as Json)[0], length]).toEqual(['reranker', expect.any(Number)])
    const sent = { query: QUESTION, texts: ['Bread is baked in an oven.', ANSWER], return_text: true }
    const results = (await post(`${url}/rerank`, form('API Key'), sent, RERANK_MS)) as Json[]
    expect(results[0]).toMatchObject({ index: 1, text: ANSWER, score: aScore })
  })
})

describe('n8n', () => {
  test('gives its agent title, link and passages of each page, as it asks now and as it asked through LangChain', async () => {
    const search = async (sent: Record<string, string>, headers: Record<string, string>, limitMs: number) => {
      application.compat.site.find('/gone', '/keys')
      const parameters = new URLSearchParams({ q: QUESTION, format: 'json', ...sent })
      const url = `${application.settings('n8n')['API URL']}/search?${parameters}`
      const answer = await fetch(url, { method: 'POST', headers, signal: AbortSignal.timeout(limitMs) })
      expect(answer.status).toBe(200)
      const { results } = (await answer.json()) as { results: Json[] }
      return results.map((one) => [one['title'], one['url'], one['content']])
    }
    const accept = { Accept: 'application/json' }
    const old = { numResults: '10', pageNumber: '1', imageProxy: 'true', safesearch: '0' }
    const found = await Promise.all([
      search({ pageno: '1', safesearch: '0', language: 'en' }, accept, 15_000),
      search(old, { ...accept, 'Content-Type': 'application/json' }, 5_000),
    ])
    for (const results of found)
      expect(results).toContainEqual(['Managing keys', application.page, theAnswer])
  })
})

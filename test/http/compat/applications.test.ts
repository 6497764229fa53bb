// Applications that cannot be installed here, set up by the lines of their pages in docs/: each request as their source
// sends it and waits for it, each answer read as their source reads it. What is written here follows the sources that
// are named, and is none of their text.
//   Vane           ItzCrazyKns/Vane 3098622, src/lib/searxng.ts, src/lib/agents/search/researcher/actions
//   Onyx           onyx-dot-app/onyx a7d66a8, backend/onyx/tools/tool_implementations/web_search/clients/searxng_client.py and,
//                  of 1be49fb, firecrawl_client.py
//   LibreChat      danny-avila/agents 28eab85, src/tools/search: search.ts, firecrawl.ts, tavily-*.ts, rerankers.ts; its
//                  providers exa-*.ts and firecrawl-search of 862294e and f6ae680
//   GPT-Researcher assafelovic/gpt-researcher 5d84d2f, gpt_researcher/retrievers/searx/searx.py, scraper/firecrawl/firecrawl.py
//   Khoj           khoj-ai/khoj ae229ca, src/khoj/processor/tools/online_search.py
//   AnythingLLM    Mintplex-Labs/anything-llm 72aabbd (1.16.0), server/utils/agents/aibitat/plugins/web-browsing.js
//   LobeChat       lobehub/lobe-chat 346d855 and 044b07f, src/server/services/search/impls, packages/web-crawler/src/crawImpl
//   Dify           langgenius/dify-official-plugins 7af2283: tools/searxng (0.0.12), tools/firecrawl (0.2.2), models/jina (0.0.23)
//                  and models/huggingface_tei (0.1.9, its form; its requests as they stood in Dify's own model_providers)
//   n8n            @n8n/n8n-nodes-langchain 2.41.1, ToolSearXng; before that @langchain/community 1.1.29, searxng_search
import { JSDOM } from 'jsdom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settingsOf } from './client-page.ts'
import { ANSWER, PUBLISHED, QUESTION, startCompatService, type CompatService } from './compat-service.ts'

let compat: CompatService
let page: string
let settings: (name: string) => Record<string, string>
beforeAll(async () => {
  compat = await startCompatService()
  page = `${compat.site.siteUrl}/keys`
  const made = { name: 'applications', ownerId: null, isPathToken: true }
  const { key: token } = await compat.service.service.accounts.keys.create(made)
  const { url, key } = compat.service
  settings = (name) => settingsOf(name, { url, key, token })
})
afterAll(() => compat.close())

type Json = Record<string, unknown>
const theAnswer = expect.stringContaining(ANSWER)
const aScore = expect.toSatisfy((score: number) => score > 0.3 && score <= 1)

/** An application's own time limit ends what takes longer. */
async function post(url: string, key: string | null, body: object, limitMs: number): Promise<unknown> {
  const headers = {
    'Content-Type': 'application/json',
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
  }
  const signal = AbortSignal.timeout(limitMs)
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
  expect([url, answer.status]).toEqual([url, 200])
  return answer.json()
}

describe('Vane', () => {
  interface Found {
    title: string
    url: string
    content?: string
  }

  /** It sends no header, joins lists by commas, leaves out what it was not given, and waits ten seconds. */
  async function search(query: string, options: Record<string, readonly string[] | string> = {}) {
    const url = new URL(`${settings('vane')['SEARXNG_API_URL']}/search?format=json`)
    url.searchParams.append('q', query)
    for (const [name, value] of Object.entries(options)) url.searchParams.append(name, String(value))
    const data = (await (await fetch(url, { signal: AbortSignal.timeout(10_000) })).json()) as {
      results: Found[]
      suggestions: string[]
    }
    return data
  }

  test('gets passages for its three queries at once, and of sites only what lies on them', async () => {
    compat.site.find('/keys')
    const queries = [QUESTION, 'revoke a key', 'How is a key revoked in the dashboard?']
    const answers = await Promise.all([
      ...queries.map((query) => search(query)),
      search(QUESTION, { engines: ['reddit'] }),
      search(QUESTION, { engines: ['arxiv', 'google scholar', 'pubmed'] }),
      search(QUESTION, { engines: ['bing images', 'google images'] }),
      search(QUESTION, { engines: ['youtube'] }),
    ])
    const urls = answers.map(({ results }) => results.map(({ url }) => url))
    expect(urls).toEqual([[page], [page], [page], [], [], [], []])
    for (const { results } of answers.slice(0, 3)) expect(results[0]?.content).toEqual(theAnswer)
    for (const { suggestions } of answers) expect(suggestions).toEqual([])
  })

  test('gets news of a site for its front page', async () => {
    compat.site.find('/keys')
    const asked = { engines: ['bing news'], pageno: '1', language: 'en' }
    expect((await search('site:127.0.0.1 keys', asked)).results[0]).toMatchObject({
      url: page,
      title: 'Managing keys',
    })
  })
})

describe('Onyx', () => {
  const address = (): string => settings('onyx')[''] ?? ''
  const postForm = (q: string): Promise<Response> =>
    fetch(`${address()}/search`, {
      method: 'POST',
      body: new URLSearchParams({ q, format: 'json' }),
      // It gives its test of the address five seconds.
      signal: AbortSignal.timeout(5_000),
    })

  test('takes the address for a SearXNG that gives JSON', async () => {
    const config = await fetch(`${address()}/config`)
    expect(config.status).toBe(200)
    expect(await config.json()).toMatchObject({ brand: { GIT_URL: 'https://github.com/searxng/searxng' } })
    compat.site.find('/keys')
    expect((await postForm('test')).status).toBe(200)
  })

  test('finds title, link and content in each result of its form', async () => {
    compat.site.find('/gone', '/keys')
    const answer = await postForm(QUESTION)
    expect(answer.status).toBe(200)
    const { results } = (await answer.json()) as { results: Record<string, string>[] }
    // It indexes all three unguarded, in the page that could not be read as well.
    const read = results.slice(0, 10).map((one) => [one['title'], one['url'], one['content']])
    for (const fields of read) for (const field of fields) expect(typeof field).toBe('string')
    expect(read).toContainEqual(['Managing keys', page, theAnswer])
  })

  test('reads pages by its Firecrawl provider, at the address as it stands, and asks for none that failed again', async () => {
    const read = async (url: string): Promise<Response> =>
      fetch(settings('onyx')['Firecrawl base URL'] ?? '', {
        method: 'POST',
        headers: { Authorization: `Bearer ${compat.service.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url, formats: ['markdown'] }),
        signal: AbortSignal.timeout(30_000),
      })
    expect(await (await read(page)).json()).toMatchObject({
      data: { markdown: theAnswer, metadata: { title: 'Managing keys', publishedTime: PUBLISHED } },
    })
    // It tries everything from 500 on three times.
    expect((await read(`${compat.site.siteUrl}/gone`)).status).toBeLessThan(500)
  })
})

describe('LibreChat', () => {
  const yaml = (name: string): string => settings('librechat')[name] ?? ''
  const key = (): string => compat.service.key

  test('finds pages by its provider, and no pages where it wants pictures', async () => {
    compat.site.find('/keys')
    const search = async (categories: string): Promise<Json[]> => {
      const url = new URL(`${yaml('searxngInstanceUrl')}/search`)
      const sent = { q: QUESTION, format: 'json', pageno: '1', categories, language: 'all', safesearch: '1' }
      url.search = new URLSearchParams({ ...sent, engines: 'google,bing,duckduckgo' }).toString()
      const answer = await fetch(url, {
        headers: { 'X-API-Key': 'unused' },
        signal: AbortSignal.timeout(10_000),
      })
      return ((await answer.json()) as { results: Json[] }).results
    }
    expect(await search('general')).toMatchObject([{ url: page, title: 'Managing keys', content: theAnswer }])
    expect(await search('images')).toEqual([])
    expect(await search('videos')).toEqual([])
  })

  test('reads a page by its scraper: Markdown, and the page as it came', async () => {
    const url = `${yaml('firecrawlApiUrl')}/${yaml('firecrawlVersion')}/scrape`
    const sent = { url: page, formats: ['markdown', 'rawHtml'], timeout: 7_500 }
    expect(await post(url, key(), sent, 7_500)).toMatchObject({
      success: true,
      data: {
        markdown: theAnswer,
        rawHtml: expect.stringContaining(`<p>${ANSWER}</p>`),
        metadata: { title: 'Managing keys' },
      },
    })
  })

  test('orders the pieces of a page by its reranker, with the text of each', async () => {
    const pieces = [...Array.from({ length: 40 }, (_, index) => `Bread is baked in oven ${index}.`), ANSWER]
    const sent = {
      model: 'jina-reranker-v2-base-multilingual',
      query: QUESTION,
      top_n: 5,
      documents: pieces,
      return_documents: true,
    }
    const { results, usage } = (await post(yaml('jinaApiUrl'), key(), sent, 10_000)) as {
      results: Json[]
      usage: Json
    }
    expect(results).toHaveLength(5)
    expect(results[0]).toMatchObject({ index: 40, relevance_score: aScore, document: { text: ANSWER } })
    expect(usage).toBeTypeOf('object')
  })

  test('finds pages and reads them under the asked address by its Tavily provider, too', async () => {
    compat.site.find('/keys')
    const { url } = compat
    const asked = {
      query: QUESTION,
      search_depth: 'basic',
      topic: 'general',
      max_results: 8,
      safe_search: true,
      // Named by the model that asks.
      country: 'germany',
    }
    const found = (await post(`${url}/tavily/search`, key(), asked, 15_000)) as { results: Json[] }
    expect(found.results).toMatchObject([{ title: 'Managing keys', url: page, content: theAnswer }])
    const sent = { urls: [`${page}#top`], extract_depth: 'basic', include_images: false }
    const read = (await post(`${url}/tavily/extract`, key(), sent, 15_000)) as { results: Json[] }
    expect(read.results).toMatchObject([{ url: `${page}#top`, raw_content: theAnswer }])
  })

  test('finds pages and news by its Exa provider, and reads them under the asked address though they have moved', async () => {
    compat.site.find('/keys')
    const send = async (path: string, body: object, limitMs: number): Promise<Json> => {
      const answer = await fetch(`${yaml('EXA_API_URL')}/${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key(), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(limitMs),
      })
      expect(answer.status).toBe(200)
      return (await answer.json()) as Json
    }
    const asked = { query: QUESTION, type: 'auto', numResults: 8, contents: { highlights: true } }
    for (const more of [{}, { category: 'news', userLocation: 'de' }])
      expect((await send('search', { ...asked, ...more }, 15_000))['results']).toMatchObject([
        { title: 'Managing keys', url: page, highlights: [theAnswer], publishedDate: PUBLISHED },
      ])
    const urls = [`${compat.site.siteUrl}/moved`, `${compat.site.siteUrl}/gone`]
    const { results, statuses } = await send('contents', { urls, text: true }, 30_000)
    expect(results).toMatchObject([{ url: urls[0], text: theAnswer }])
    expect(statuses).toMatchObject([
      { id: urls[0], status: 'success' },
      { id: urls[1], status: 'error', error: { tag: expect.any(String) } },
    ])
  })

  test('finds pages by its Firecrawl provider, and orders pieces by Cohere’s reranker', async () => {
    compat.site.find('/keys')
    const url = `${yaml('firecrawlApiUrl')}/v2/search`
    const asked = { query: QUESTION, limit: 8, sources: ['web'], country: 'DE', tbs: 'qdr:y' }
    expect(await post(url, key(), asked, 10_000)).toMatchObject({
      data: { web: [{ title: 'Managing keys', url: page, description: theAnswer }] },
    })
    const sent = { model: 'rerank-v3.5', query: QUESTION, top_n: 5, documents: ['Bread is baked.', ANSWER] }
    const { results } = (await post(yaml('COHERE_API_URL'), key(), sent, 10_000)) as { results: Json[] }
    expect(results[0]).toMatchObject({ index: 1, relevance_score: aScore })
  })
})

describe('GPT-Researcher', () => {
  test('finds address and body by its retriever', async () => {
    compat.site.find('/gone', '/keys')
    const { RETRIEVER, SEARX_URL } = settings('gpt-researcher')
    expect(RETRIEVER).toBe('searx')
    const url = new URL('search', `${SEARX_URL}/`)
    url.search = new URLSearchParams({ q: QUESTION, format: 'json' }).toString()
    const answer = await fetch(url, { headers: { Accept: 'application/json' } })
    const { results } = (await answer.json()) as { results: Json[] }
    expect(results.map((one) => ({ href: one['url'], body: one['content'] }))).toContainEqual({
      href: page,
      body: theAnswer,
    })
  })

  test('reads pages by its Firecrawl scraper, whose client drops the path of the address', async () => {
    const { SCRAPER, FIRECRAWL_SERVER_URL, FIRECRAWL_API_KEY = '' } = settings('gpt-researcher')
    expect(SCRAPER).toBe('firecrawl')
    const url = new URL('/v2/scrape', FIRECRAWL_SERVER_URL).href
    const sent = { url: page, formats: ['markdown'] }
    expect(await post(url, FIRECRAWL_API_KEY, sent, 60_000)).toMatchObject({
      data: { markdown: theAnswer, metadata: { title: 'Managing keys', statusCode: 200 } },
    })
  })
})

describe('Khoj', () => {
  /** Seconds that it gives every request. */
  const LIMIT_MS = 60_000
  const key = (): string => compat.service.key

  test('reads title, link and text in the page of results of its SearXNG', async () => {
    compat.site.find('/gone', '/keys')
    const url = new URL(`${settings('khoj')['KHOJ_SEARXNG_URL']}/search`)
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
    expect(read).toContainEqual({ title: 'Managing keys', link: page, description: theAnswer })
  })

  test('finds and reads pages in the shape of Firecrawl', async () => {
    compat.site.find('/keys')
    const url = `${settings('khoj')['FIRECRAWL_API_URL']}/v2`
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
      data: { web: [{ title: 'Managing keys', url: page, description: theAnswer }] },
    })
    const sent = {
      url: page,
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
    compat.site.find('/gone', '/keys')
    const url = settings('khoj')['EXA_API_URL'] ?? ''
    const contents = { text: false, highlights: { maxCharacters: 500 } }
    const asked = { query: QUESTION, type: 'auto', userLocation: 'US', numResults: 10, contents }
    const { results } = (await post(`${url}/search`, key(), asked, LIMIT_MS)) as {
      results: { highlights?: string[] }[]
    }
    expect(results).toContainEqual(
      expect.objectContaining({ title: 'Managing keys', url: page, highlights: [theAnswer] }),
    )
    for (const { highlights } of results) expect(highlights).not.toEqual([])
    const sent = { urls: [page], text: true, livecrawlTimeout: 15_000 }
    expect(await post(`${url}/contents`, key(), sent, LIMIT_MS)).toMatchObject({
      results: [{ text: theAnswer }],
    })
  })
})

describe('AnythingLLM', () => {
  test('gives its agent title, link, passages and date of each page, at the address as it stands', async () => {
    compat.site.find('/gone', '/keys')
    const url = new URL(settings('anythingllm')['AGENT_SEARXNG_API_URL'] ?? '')
    url.searchParams.append('q', QUESTION)
    url.searchParams.append('format', 'json')
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'anything-llm' }
    const { results } = (await (await fetch(url, { headers })).json()) as { results: Json[] }
    const read = results.map((one) => [one['title'], one['url'], one['content'], one['publishedDate']])
    expect(read).toContainEqual(['Managing keys', page, theAnswer, PUBLISHED])
  })
})

describe('LobeChat', () => {
  test('finds pages of the engines and categories that its model has chosen', async () => {
    compat.site.find('/keys')
    const { SEARCH_PROVIDERS, SEARXNG_URL } = settings('lobechat')
    expect(SEARCH_PROVIDERS).toBe('searxng')
    const search = async (more: Record<string, string>): Promise<Json[]> => {
      const sent = new URLSearchParams({ ...more, format: 'json', q: QUESTION })
      const answer = await fetch(`${SEARXNG_URL}/search?${sent.toString()}`)
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { results: Json[] }).results
    }
    const chosen = { categories: 'general,social_media', engines: 'google,bing', time_range: 'year' }
    expect(await search(chosen)).toMatchObject([
      { title: 'Managing keys', url: page, content: theAnswer, score: aScore, engines: [expect.any(String)] },
    ])
    expect(await search({ engines: 'bilibili,youtube' })).toEqual([])
  })

  test('reads pages by its crawler, and finds some, in the shape of Firecrawl', async () => {
    compat.site.find('/keys')
    const { CRAWLER_IMPLS, FIRECRAWL_URL, FIRECRAWL_API_KEY = '' } = settings('lobechat')
    expect(CRAWLER_IMPLS).toBe('firecrawl')
    const sent = { formats: ['markdown'], url: page }
    expect(await post(`${FIRECRAWL_URL}/scrape`, FIRECRAWL_API_KEY, sent, 10_000)).toMatchObject({
      data: { markdown: theAnswer, metadata: { title: 'Managing keys' } },
    })
    const asked = { limit: 15, query: QUESTION, tbs: 'qdr:y' }
    expect(await post(`${FIRECRAWL_URL}/search`, FIRECRAWL_API_KEY, asked, 15_000)).toMatchObject({
      data: [{ title: 'Managing keys', url: page, description: theAnswer }],
    })
  })
})

describe('Dify', () => {
  /** What httpx gives a request that is told no time, and requests would not. */
  const RERANK_MS = 5_000
  const form = (name: string): string => settings('dify')[name] ?? ''

  test('finds pages by its plug-in for SearXNG, within the time of its form, which is a day where it is empty', async () => {
    const search = async (timeRange: string, categories = 'general'): Promise<Json[]> => {
      compat.site.find('/keys')
      const url = new URL(form('SearXNG base URL'))
      const sent = { q: QUESTION, time_range: timeRange, format: 'json', categories }
      url.search = new URLSearchParams(sent).toString()
      const answer = await fetch(url)
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { results: Json[] }).results
    }
    expect(await search('year')).toMatchObject([{ title: 'Managing keys', url: page, content: theAnswer }])
    expect(await search('day')).toEqual([])
    for (const kind of ['images', 'videos', 'map', 'music', 'files'])
      expect(await search('year', kind)).toEqual([])
    for (const kind of ['news', 'it', 'science', 'social_media'])
      expect(await search('year', kind)).toMatchObject([{ url: page }])
  })

  test('finds and reads pages by its plug-in for Firecrawl', async () => {
    compat.site.find('/keys')
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
      data: { web: [{ url: page, description: theAnswer, markdown: theAnswer }] },
    })
    const sent = { url: page, onlyMainContent: true, waitFor: 0, timeout: 30_000 }
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
      compat.site.find('/gone', '/keys')
      const parameters = new URLSearchParams({ q: QUESTION, format: 'json', ...sent })
      const url = `${settings('n8n')['API URL']}/search?${parameters}`
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
    for (const results of found) expect(results).toContainEqual(['Managing keys', page, theAnswer])
  })
})

// Applications in which people talk with a model, and which cannot be installed here, set up by the lines of their pages in
// docs/: each request as their source sends it and waits for it, each answer read as their source reads it. What is written
// here follows the sources that are named, and is none of their text.
//   Vane           ItzCrazyKns/Vane 3098622, src/lib/searxng.ts, src/lib/agents/search/researcher/actions
//   Onyx           onyx-dot-app/onyx a7d66a8, backend/onyx/tools/tool_implementations/web_search/clients/searxng_client.py and,
//                  of 1be49fb, firecrawl_client.py
//   LibreChat      danny-avila/agents 28eab85, src/tools/search: search.ts, firecrawl.ts, tavily-*.ts, rerankers.ts; its
//                  providers exa-*.ts and firecrawl-search of 862294e and f6ae680
//   LobeChat       lobehub/lobe-chat 346d855 and 044b07f, src/server/services/search/impls, packages/web-crawler/src/crawImpl
import { describe, expect, test } from 'vitest'
import { aScore, post, theAnswer, type Json, useApplication } from './application.ts'
import { ANSWER, PUBLISHED, QUESTION } from './compat-service.ts'

const application = useApplication()

describe('Vane', () => {
  interface Found {
    title: string
    url: string
    content?: string
  }

  /** It sends no header, joins lists by commas, leaves out what it was not given, and waits ten seconds. */
  async function search(query: string, options: Record<string, readonly string[] | string> = {}) {
    const url = new URL(`${application.settings('vane')['SEARXNG_API_URL']}/search?format=json`)
    url.searchParams.append('q', query)
    for (const [name, value] of Object.entries(options)) url.searchParams.append(name, String(value))
    const data = (await (await fetch(url, { signal: AbortSignal.timeout(10_000) })).json()) as {
      results: Found[]
      suggestions: string[]
    }
    return data
  }

  test('gets passages for its three queries at once, and of sites only what lies on them', async () => {
    application.compat.site.find('/keys')
    const queries = [QUESTION, 'revoke a key', 'How is a key revoked in the dashboard?']
    const answers = await Promise.all([
      ...queries.map((query) => search(query)),
      search(QUESTION, { engines: ['reddit'] }),
      search(QUESTION, { engines: ['arxiv', 'google scholar', 'pubmed'] }),
      search(QUESTION, { engines: ['bing images', 'google images'] }),
      search(QUESTION, { engines: ['youtube'] }),
    ])
    const urls = answers.map(({ results }) => results.map(({ url }) => url))
    expect(urls).toEqual([[application.page], [application.page], [application.page], [], [], [], []])
    for (const { results } of answers.slice(0, 3)) expect(results[0]?.content).toEqual(theAnswer)
    for (const { suggestions } of answers) expect(suggestions).toEqual([])
  })

  test('gets news of a site for its front page', async () => {
    application.compat.site.find('/keys')
    const asked = { engines: ['bing news'], pageno: '1', language: 'en' }
    expect((await search('site:127.0.0.1 keys', asked)).results[0]).toMatchObject({
      url: application.page,
      title: 'Managing keys',
    })
  })
})

describe('Onyx', () => {
  const address = (): string => application.settings('onyx')[''] ?? ''
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
    application.compat.site.find('/keys')
    expect((await postForm('test')).status).toBe(200)
  })

  test('finds title, link and content in each result of its form', async () => {
    application.compat.site.find('/gone', '/keys')
    const answer = await postForm(QUESTION)
    expect(answer.status).toBe(200)
    const { results } = (await answer.json()) as { results: Record<string, string>[] }
    // It indexes all three unguarded, in the page that could not be read as well.
    const read = results.slice(0, 10).map((one) => [one['title'], one['url'], one['content']])
    for (const fields of read) for (const field of fields) expect(typeof field).toBe('string')
    expect(read).toContainEqual(['Managing keys', application.page, theAnswer])
  })

  test('reads pages by its Firecrawl provider, at the address as it stands, and asks for none that failed again', async () => {
    const read = async (url: string): Promise<Response> =>
      fetch(application.settings('onyx')['Firecrawl base URL'] ?? '', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${application.compat.service.key}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ url, formats: ['markdown'] }),
        signal: AbortSignal.timeout(30_000),
      })
    expect(await (await read(application.page)).json()).toMatchObject({
      data: { markdown: theAnswer, metadata: { title: 'Managing keys', publishedTime: PUBLISHED } },
    })
    // It tries everything from 500 on three times.
    expect((await read(`${application.compat.site.siteUrl}/gone`)).status).toBeLessThan(500)
  })
})

describe('LibreChat', () => {
  const yaml = (name: string): string => application.settings('librechat')[name] ?? ''
  const key = (): string => application.compat.service.key

  test('finds pages by its provider, and no pages where it wants pictures', async () => {
    application.compat.site.find('/keys')
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
    expect(await search('general')).toMatchObject([
      { url: application.page, title: 'Managing keys', content: theAnswer },
    ])
    expect(await search('images')).toEqual([])
    expect(await search('videos')).toEqual([])
  })

  test('reads a page by its scraper: Markdown, and the page as it came', async () => {
    const url = `${yaml('firecrawlApiUrl')}/${yaml('firecrawlVersion')}/scrape`
    const sent = { url: application.page, formats: ['markdown', 'rawHtml'], timeout: 7_500 }
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
    application.compat.site.find('/keys')
    const { url } = application.compat
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
    expect(found.results).toMatchObject([
      { title: 'Managing keys', url: application.page, content: theAnswer },
    ])
    const sent = { urls: [`${application.page}#top`], extract_depth: 'basic', include_images: false }
    const read = (await post(`${url}/tavily/extract`, key(), sent, 15_000)) as { results: Json[] }
    expect(read.results).toMatchObject([{ url: `${application.page}#top`, raw_content: theAnswer }])
  })

  test('finds pages and news by its Exa provider, and reads them under the asked address though they have moved', async () => {
    application.compat.site.find('/keys')
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
        { title: 'Managing keys', url: application.page, highlights: [theAnswer], publishedDate: PUBLISHED },
      ])
    const urls = [`${application.compat.site.siteUrl}/moved`, `${application.compat.site.siteUrl}/gone`]
    const { results, statuses } = await send('contents', { urls, text: true }, 30_000)
    expect(results).toMatchObject([{ url: urls[0], text: theAnswer }])
    expect(statuses).toMatchObject([
      { id: urls[0], status: 'success' },
      { id: urls[1], status: 'error', error: { tag: expect.any(String) } },
    ])
  })

  test('finds pages by its Firecrawl provider, and orders pieces by Cohere’s reranker', async () => {
    application.compat.site.find('/keys')
    const url = `${yaml('firecrawlApiUrl')}/v2/search`
    const asked = { query: QUESTION, limit: 8, sources: ['web'], country: 'DE', tbs: 'qdr:y' }
    expect(await post(url, key(), asked, 10_000)).toMatchObject({
      data: { web: [{ title: 'Managing keys', url: application.page, description: theAnswer }] },
    })
    const sent = { model: 'rerank-v3.5', query: QUESTION, top_n: 5, documents: ['Bread is baked.', ANSWER] }
    const { results } = (await post(yaml('COHERE_API_URL'), key(), sent, 10_000)) as { results: Json[] }
    expect(results[0]).toMatchObject({ index: 1, relevance_score: aScore })
  })
})

describe('LobeChat', () => {
  test('finds pages of the engines and categories that its model has chosen', async () => {
    application.compat.site.find('/keys')
    const { SEARCH_PROVIDERS, SEARXNG_URL } = application.settings('lobechat')
    expect(SEARCH_PROVIDERS).toBe('searxng')
    const search = async (more: Record<string, string>): Promise<Json[]> => {
      const sent = new URLSearchParams({ ...more, format: 'json', q: QUESTION })
      const answer = await fetch(`${SEARXNG_URL}/search?${sent.toString()}`)
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { results: Json[] }).results
    }
    const chosen = { categories: 'general,social_media', engines: 'google,bing', time_range: 'year' }
    expect(await search(chosen)).toMatchObject([
      {
        title: 'Managing keys',
        url: application.page,
        content: theAnswer,
        score: aScore,
        engines: [expect.any(String)],
      },
    ])
    expect(await search({ engines: 'bilibili,youtube' })).toEqual([])
  })

  test('reads pages by its crawler, and finds some, in the shape of Firecrawl', async () => {
    application.compat.site.find('/keys')
    const { CRAWLER_IMPLS, FIRECRAWL_URL, FIRECRAWL_API_KEY = '' } = application.settings('lobechat')
    expect(CRAWLER_IMPLS).toBe('firecrawl')
    const sent = { formats: ['markdown'], url: application.page }
    expect(await post(`${FIRECRAWL_URL}/scrape`, FIRECRAWL_API_KEY, sent, 10_000)).toMatchObject({
      data: { markdown: theAnswer, metadata: { title: 'Managing keys' } },
    })
    const asked = { limit: 15, query: QUESTION, tbs: 'qdr:y' }
    expect(await post(`${FIRECRAWL_URL}/search`, FIRECRAWL_API_KEY, asked, 15_000)).toMatchObject({
      data: [{ title: 'Managing keys', url: application.page, description: theAnswer }],
    })
  })
})

// Searches in the shapes of other services: what their clients send, and the places in which they look for an answer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANSWER, PUBLISHED, QUESTION, startCompatService, type CompatService } from './compat-service.ts'

let compat: CompatService
beforeAll(async () => {
  compat = await startCompatService()
})
afterAll(() => compat.close())

type Json = Record<string, unknown>
type Result = Record<string, unknown> & { url: string }
const json = async (answer: Response): Promise<Json> => (await answer.json()) as Json
const pathsOf = (results: unknown): string[] => (results as Result[]).map(({ url }) => new URL(url).pathname)

describe('SearXNG', () => {
  const path = (parameters: Record<string, string>) =>
    `/searxng/search?${new URLSearchParams({ q: QUESTION, format: 'json', ...parameters }).toString()}`
  const ask = async (parameters: Record<string, string> = {}): Promise<Json> => {
    const answer = await compat.get(path(parameters))
    expect(answer.status).toBe(200)
    return json(answer)
  }

  test('the request of Open WebUI finds passages as content and a score to sort by', async () => {
    compat.site.find('/other', '/keys')
    const sent = {
      pageno: '1',
      safesearch: '1',
      language: 'all',
      time_range: '',
      categories: '',
      theme: 'simple',
    }
    const answer = await compat.get(path({ ...sent, image_proxy: '0' }), { Accept: 'text/html' })
    const { results, query } = (await json(answer)) as { results: Result[]; query: string }
    expect(query).toBe(QUESTION)
    expect(results[0]).toMatchObject({
      url: `${compat.site.siteUrl}/keys`,
      title: 'Managing keys',
      publishedDate: PUBLISHED,
      engine: 'verbatim',
      engines: ['verbatim'],
      category: 'general',
    })
    expect(results[0]?.['content']).toContain(ANSWER)
    expect(results[0]?.['score']).toBeGreaterThan(results[1]?.['score'] as number)
  })

  test('the page of results that SearXNG shows a browser is there for whoever asks for it, all of it escaped', async () => {
    compat.site.find('/keys')
    const answer = await compat.get(path({ q: '<script>alert(1)</script> revoke a key', format: 'html' }))
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    const html = await answer.text()
    expect(html).toContain(`<a href="${compat.site.siteUrl}/keys" rel="noreferrer">Managing keys</a>`)
    expect(html).toContain('&lt;script>')
    expect(html).not.toContain('<script>')
  })

  test('a page without a passage stays in the list, its content empty', async () => {
    compat.site.find('/gone', '/keys')
    const { results } = (await ask()) as { results: Result[] }
    expect(results.find(({ url }) => url.endsWith('/gone'))).toMatchObject({ content: '', score: 0 })
  })

  test('a form is taken like an address, with a token in the path in place of a header', async () => {
    compat.site.find('/keys')
    const made = { name: 'searxng', ownerId: null, isPathToken: true }
    const { key } = await compat.service.service.accounts.keys.create(made)
    const answer = await fetch(`${compat.url}/searxng/${key}/search`, {
      method: 'POST',
      body: new URLSearchParams({ q: QUESTION, format: 'json' }),
    })
    expect(pathsOf((await json(answer))['results'])).toEqual(['/keys'])
    // However the base address was typed, and whatever its client adds to it.
    const statuses = ['', '/', '//', '/search/', '//search', '/search//'].map(async (end) => {
      const { status } = await fetch(`${compat.url}/searxng/${key}${end}?q=keys&format=json`)
      return [end, status]
    })
    for (const [end, status] of await Promise.all(statuses)) expect([end, status]).toEqual([end, 200])
    const unasked = await fetch(`${compat.url}/searxng/${key}?format=json`)
    expect([unasked.status, await json(unasked)]).toEqual([400, { error: expect.stringMatching(/^q /u) }])
    const config = await fetch(`${compat.url}/searxng/${key}/config`)
    expect(await config.json()).toMatchObject({
      brand: { GIT_URL: 'https://github.com/searxng/searxng' },
    })
  })

  test('of a parameter that is sent twice the first holds, in the address as in a form', async () => {
    compat.site.find('/keys')
    const twice = `${new URLSearchParams({ q: QUESTION, format: 'json' }).toString()}&q=harbour&format=html`
    const asked = await compat.get(`/searxng/search?${twice}`)
    expect(await json(asked)).toMatchObject({ query: QUESTION })
    const posted = await fetch(`${compat.url}/searxng/search`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${compat.service.key}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: twice,
    })
    expect(await json(posted)).toMatchObject({ query: QUESTION })
  })

  test('time_range, language and pageno decide what is found', async () => {
    compat.site.find('/keys', '/old')
    expect(pathsOf((await ask({ time_range: 'year' }))['results'])).toEqual(['/keys'])
    expect(compat.site.asked.at(-1)?.get('time_range')).toBe('year')
    expect((await ask({ language: 'de' }))['results']).toEqual([])
    expect((await ask({ pageno: '2' }))['results']).toEqual([])
    expect((await ask({ pageno: '40' }))['results']).toEqual([])
  })

  test.each([
    [{ engines: 'reddit' }, ['site:reddit.com'], []],
    [{ engines: 'reddit,stackoverflow' }, ['site:reddit.com', 'site:stackoverflow.com'], []],
    [{ engines: 'google,reddit' }, [], []],
    [{ engines: 'arxiv,google scholar,pubmed' }, ['site:arxiv.org', 'site:pubmed.ncbi.nlm.nih.gov'], []],
    // Of the list that LobeChat's model chooses from.
    [{ engines: 'bilibili,z-library' }, null, ['bilibili', 'z-library']],
    [{ engines: 'huggingface' }, ['site:huggingface.co'], []],
    [{ engines: 'reddit,youtube' }, ['site:reddit.com'], ['youtube']],
    [{ engines: 'google,bing', categories: 'images' }, null, ['images']],
    [{ engines: 'wikipedia', categories: 'images' }, ['site:wikipedia.org'], []],
    [{ engines: 'youtube' }, null, ['youtube']],
    [{ engines: 'google images,bing videos' }, null, ['google images', 'bing videos']],
    [{ categories: 'images' }, null, ['images']],
    [{ categories: 'general,images' }, [], ['images']],
    [{ categories: 'news' }, [], []],
  ])('%j asks for %j and answers nothing for %j', async (parameters, sites, silent) => {
    compat.site.find('/keys')
    const before = compat.site.asked.length
    const { unresponsive_engines: unresponsive, results } = await ask(parameters)
    expect((unresponsive as string[][]).map(([name]) => name)).toEqual(silent)
    if (sites === null) expect([results, compat.site.asked.length]).toEqual([[], before])
    for (const site of sites ?? []) expect(compat.site.asked.at(-1)?.get('q')).toContain(site)
    if (sites?.length === 0) expect(compat.site.asked.at(-1)?.get('q')).not.toContain('site:')
  })

  test.each([
    [{ time_range: 'decade' }, /time_range/u],
    [{ pageno: '0' }, /pageno/u],
    [{ format: 'csv' }, /format/u],
    [{ q: ' ' }, /^q must not be empty/u],
  ])('%j is refused with 400 as SearXNG does', async (parameters, says) => {
    const answer = await compat.get(path(parameters))
    expect(answer.status).toBe(400)
    expect((await json(answer))['error']).toMatch(says)
  })

  test('three queries at once are all answered', async () => {
    compat.site.find('/keys')
    const answers = await Promise.all([ask(), ask({ engines: 'reddit' }), ask({ engines: 'youtube' })])
    expect(answers.map(({ results }) => (results as unknown[]).length)).toEqual([1, 0, 0])
  })
})

describe('Tavily', () => {
  const search = async (fields: Json) =>
    json(await compat.post('/tavily/search', { query: QUESTION, ...fields }))

  test('days, dates and raw content are honoured', async () => {
    compat.site.find('/keys', '/old')
    const between = await search({ start_date: '2019-01-01', end_date: '2019-12-31' })
    expect(pathsOf(between['results'])).toEqual(['/old'])
    const raw = await search({ topic: 'news', days: 3_000, include_raw_content: true, max_results: 20 })
    expect(pathsOf(raw['results'])).toContain('/old')
    for (const { raw_content: content } of raw['results'] as Json[]) expect(content).toContain(ANSWER)
  })

  test('the days that its clients send with every topic narrow news alone, and preferred domains nothing', async () => {
    compat.site.find('/old')
    expect((await search({ topic: 'general', days: 7 }))['results']).toHaveLength(1)
    expect((await search({ topic: 'news', days: 7 }))['results']).toHaveLength(0)
    const elsewhere = { include_domains: ['example.org'] }
    expect((await search({ ...elsewhere, include_domains_mode: 'prefer' }))['results']).toHaveLength(1)
    expect((await search({ ...elsewhere, include_domains_mode: 'restrict' }))['results']).toHaveLength(0)
  })

  test('none are given to whoever asks for none', async () => {
    compat.site.find('/keys')
    expect((await search({ max_results: 0 }))['results']).toEqual([])
  })

  test('results beyond twenty are refused', async () => {
    const answer = await compat.post('/tavily/search', { query: QUESTION, max_results: 21 })
    expect(answer.status).toBe(400)
  })
})

describe('Firecrawl', () => {
  const search = async (version: string, fields: Json = {}) => {
    const answer = await compat.post(`/firecrawl/${version}/search`, { query: QUESTION, limit: 5, ...fields })
    return [answer.status, await json(answer)] as const
  }

  test('v2 answers data.web and v1 data, each with the passages as description', async () => {
    compat.site.find('/keys')
    const [, v2] = await search('v2', { timeout: 15_000, ignoreInvalidURLs: true })
    const [, v1] = await search('v1')
    const web = (v2['data'] as { web: Result[] }).web
    expect(web[0]).toMatchObject({ url: `${compat.site.siteUrl}/keys`, title: 'Managing keys', position: 1 })
    expect(web[0]?.['description']).toContain(ANSWER)
    expect([v2['success'], v1['success']]).toEqual([true, true])
    expect(v1['data']).toEqual(web)
  })

  test('the Python client of v2, which drops the path of its address, is answered at the root', async () => {
    compat.site.find('/keys')
    const post = (path: string, body: Json) =>
      fetch(`${compat.service.url}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${compat.service.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect(
      pathsOf(((await json(await post('/v2/search', { query: QUESTION })))['data'] as { web: unknown }).web),
    ).toEqual(['/keys'])
    const scraped = await json(await post('/v2/scrape', { url: `${compat.site.siteUrl}/keys` }))
    expect(scraped).toMatchObject({ success: true, data: { markdown: expect.stringContaining(ANSWER) } })
    expect(await json(await post('/v2/crawl', {}))).toMatchObject({ success: false })
  })

  test('scrapeOptions adds the pages to their results', async () => {
    compat.site.find('/keys')
    const [, answer] = await search('v1', { scrapeOptions: { formats: ['markdown'] } })
    const [result] = answer['data'] as Json[]
    expect(result?.['markdown']).toContain(ANSWER)
    expect(result?.['metadata']).toMatchObject({ sourceURL: `${compat.site.siteUrl}/keys`, statusCode: 200 })
  })

  test('news alone stand where its clients look for them, and what is not to be had is said', async () => {
    compat.site.find('/keys')
    const [, alone] = await search('v2', { sources: ['news'] })
    expect(alone).toMatchObject({
      data: {
        news: [{ title: 'Managing keys', snippet: expect.stringContaining(ANSWER), date: PUBLISHED }],
      },
      warning: expect.stringContaining('no images'),
    })
    const [, all] = await search('v2', { sources: [{ type: 'web' }, 'news', 'images'] })
    expect(all['data']).toMatchObject({ web: [{ title: 'Managing keys' }], news: [], images: [] })
    expect((await search('v2'))[1]).not.toHaveProperty('warning')
  })

  test('of a category and a domain both hold', async () => {
    compat.site.find('/keys')
    const found = async (fields: Json) => pathsOf((await search('v1', fields))[1]['data'])
    expect(await found({ categories: ['github'], includeDomains: ['127.0.0.1'] })).toEqual([])
    await search('v1', { categories: ['research'] })
    expect(compat.site.asked.at(-1)?.get('q')).toContain('site:arxiv.org')
  })

  test('tbs, domains and sources decide what is found', async () => {
    compat.site.find('/keys', '/old')
    const found = async (fields: Json) => pathsOf((await search('v1', fields))[1]['data'])
    expect(await found({ tbs: 'qdr:y' })).toEqual(['/keys'])
    expect(await found({ tbs: 'cdr:1,cd_min:1/1/2019,cd_max:12/31/2019' })).toEqual(['/old'])
    expect(await found({ includeDomains: ['nowhere.example'] })).toEqual([])
    expect(await found({ excludeDomains: ['127.0.0.1/old'] })).toEqual(['/keys'])
    expect(await found({ sources: ['images'] })).toEqual([])
    expect(await found({ categories: ['github'] })).toEqual([])
  })

  test.each([
    [{ tbs: 'qdr:h' }, /qdr/u],
    [{ limit: 100 }, /limit/u],
    [{ scrapeOptions: { formats: ['screenshot'] } }, /formats/u],
    [{ scrapeOptions: { formats: ['markdown'], actions: [{ type: 'wait' }] } }, /actions/u],
  ])('%j is refused in its own shape', async (fields, says) => {
    const [status, answer] = await search('v2', fields)
    expect([status, answer['success']]).toEqual([400, false])
    expect(answer['error']).toMatch(says)
  })
})

describe('Exa', () => {
  const search = async (fields: Json) =>
    json(await compat.post('/exa/search', { query: QUESTION, ...fields }))

  test('a key in X-API-Key finds highlights with their scores, and text where it is asked for', async () => {
    compat.site.find('/keys')
    const answer = await fetch(`${compat.url}/exa/search`, {
      method: 'POST',
      headers: { 'x-api-key': compat.service.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: QUESTION, contents: { text: { maxCharacters: 60 }, highlights: true } }),
    })
    const [result] = (await json(answer))['results'] as (Result & {
      highlights: string[]
      highlightScores: number[]
      text: string
    })[]
    expect(result).toMatchObject({ id: result?.url, title: 'Managing keys', publishedDate: PUBLISHED })
    expect(result?.highlights[0]).toContain(ANSWER)
    expect(result?.highlightScores[0]).toBe(result?.['score'])
    expect(result?.text.length).toBeLessThanOrEqual(60)
  })

  test('highlights of another question are those of that question, and a page without any has no list', async () => {
    compat.site.find('/keys', '/gone')
    const contents = { highlights: { query: 'When does the revocation take effect?' }, text: true }
    const { results } = (await search({ contents })) as { results: Json[] }
    const [read, gone] = ['/keys', '/gone'].map((path) =>
      results.find(({ url }) => String(url).endsWith(path)),
    )
    expect(read).toMatchObject({ highlights: [expect.stringContaining('within one second')] })
    expect(read?.['text']).toContain(ANSWER)
    expect(gone).not.toHaveProperty('highlights')
  })

  test('highlights of a limited length are whole sentences, those that answer, in a search and of a question of their own', async () => {
    compat.site.find('/keys')
    const query = 'When does the revocation take effect on every replica?'
    const sentence = ANSWER.slice(ANSWER.indexOf('The revocation'))
    const limit = { maxCharacters: sentence.length + 10 }
    for (const sent of [
      { query, contents: { highlights: limit } },
      { contents: { highlights: { ...limit, query } } },
    ]) {
      const { results } = (await search(sent)) as { results: Json[] }
      expect(results.map(({ highlights }) => highlights)).toEqual([[sentence]])
    }
  })

  test('how short highlights of another question are to be changes no score', async () => {
    compat.site.find('/keys')
    const scoresOf = async (highlights: Json) =>
      ((await search({ contents: { highlights } })) as { results: Json[] }).results.map(({ score }) => score)
    const query = 'Where is the harbour?'
    const whole = await scoresOf({ query })
    expect(whole[0]).toBeGreaterThan(0)
    expect(await scoresOf({ query, maxCharacters: 10 })).toEqual(whole)
  })

  test('a kept page of any age will do for whoever wants none crawled', async () => {
    compat.site.find('/keys')
    const asked = { query: QUESTION, contents: { maxAgeHours: -1, livecrawl: 'auto', text: true } }
    expect((await compat.post('/exa/search', asked)).status).toBe(200)
  })

  test('dates and domains decide what is found', async () => {
    compat.site.find('/keys', '/old')
    const old = { startPublishedDate: '2019-01-01T00:00:00.000Z', endPublishedDate: '2019-12-31' }
    expect(pathsOf((await search(old))['results'])).toEqual(['/old'])
    expect((await search({ includeDomains: ['nowhere.example'] }))['results']).toEqual([])
    expect((await search({ category: 'github', includeDomains: ['127.0.0.1'] }))['results']).toEqual([])
    expect(pathsOf((await search({ category: 'news' }))['results'])).toContain('/keys')
  })

  test.each(['keyword', 'constructor'])(
    'an unknown type, %s, is searched as one that is left out',
    async (type) => {
      compat.site.find('/keys')
      expect(pathsOf((await search({ type }))['results'])).toEqual(['/keys'])
    },
  )
})

describe('Perplexity', () => {
  test('answers with snippets; domains, days and the length of a page are kept', async () => {
    compat.site.find('/keys', '/old')
    const search = async (fields: Json) =>
      (await json(await compat.post('/perplexity/search', { query: QUESTION, ...fields })))[
        'results'
      ] as Result[]
    const [first] = await search({ max_results: 1 })
    expect(first).toMatchObject({ title: 'Managing keys', date: PUBLISHED })
    expect(first?.['snippet']).toContain(ANSWER)
    expect(pathsOf(await search({ search_before_date_filter: '12/31/2019' }))).toEqual(['/old'])
    expect(await search({ search_domain_filter: ['-127.0.0.1'] })).toEqual([])
    const short = await search({ max_tokens: 50 })
    expect(short.map(({ snippet }) => snippet).join('').length).toBeLessThan(300)
    for (const { snippet } of await search({ max_tokens_per_page: 20 }))
      expect((snippet as string).length).toBeLessThanOrEqual(60)
  })
})

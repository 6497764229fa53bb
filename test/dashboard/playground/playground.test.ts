import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchOptionsSchema, type SearchRequest } from '../../../src/contract.ts'
import { captureUnknown, searchUnavailable } from '../../../src/errors.ts'
import { ANSWER, openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient, type VisitorClient } from '../visitor-client.ts'

const KEPT = 'a'.repeat(64)
const asked: { request: SearchRequest; signal: AbortSignal }[] = []
let answer: () => Promise<typeof ANSWER> = () => Promise.resolve(ANSWER)
let site: DashboardSite
let visitor: VisitorClient
beforeAll(async () => {
  site = await openDashboardSite({
    search: (request, _context, signal) => {
      asked.push({ request, signal })
      return answer()
    },
    findSurroundings: (sha256, { start, end }) =>
      sha256 === KEPT
        ? Promise.resolve({ before: 'Before.', text: `<b>${start}–${end}</b>`, after: 'After.' })
        : Promise.reject(captureUnknown()),
    findBundle: (sha256, spans) =>
      sha256 === KEPT
        ? Promise.resolve({
            jws: { payload: 'p', protected: 'h', signature: 's' },
            snippets: [JSON.stringify(spans)],
          })
        : Promise.reject(captureUnknown()),
    rateLimit: { points: 30, durationSeconds: 60 },
  })
  await site.addPerson({ email: 'ada@example.org' })
  visitor = createVisitorClient(site.url)
  await visitor.signIn('ada@example.org', PASSWORD)
})
afterAll(() => site.close())

const DEFAULTS = {
  num_results: '5',
  max_snippets_per_result: '3',
  search_depth: 'balanced',
  recency: '',
  language: 'en',
  include_domains: '',
  exclude_domains: '',
}
const ask = (fields: Record<string, string>) =>
  visitor.post('/playground', '/playground', { ...DEFAULTS, ...fields })

describe('playground', () => {
  test('every option of the API reaches the search', async () => {
    const response = await ask({
      query: 'how do heat pumps work',
      num_results: '7',
      max_snippets_per_result: '2',
      search_depth: 'exhaustive',
      recency: 'month',
      language: 'de',
      include_domains: 'example.org, docs.example.com',
      exclude_domains: 'Example.NET',
      start_date: '2026-01-01',
      end_date: '2026-06-30',
      page: '2',
      min_score: '0.25',
      max_error: '0.5',
      max_total_characters: '4000',
      max_total_tokens: '900',
      max_age: '0',
      include: 'explain',
    })
    expect(response.status).toBe(200)
    expect(asked.at(-1)?.request).toEqual({
      query: 'how do heat pumps work',
      num_results: 7,
      max_snippets_per_result: 2,
      search_depth: 'exhaustive',
      recency: 'month',
      language: 'de',
      include_domains: ['example.org', 'docs.example.com'],
      exclude_domains: ['example.net'],
      start_date: '2026-01-01',
      end_date: '2026-06-30',
      page: 2,
      min_score: 0.25,
      max_error: 0.5,
      max_total_characters: 4000,
      max_total_tokens: 900,
      max_age: 0,
      include: ['explain', 'proof', 'highlights', 'warning_code'],
      isLanguageGiven: true,
    })
    const html = await response.text()
    for (const option of Object.keys(searchOptionsSchema.shape)) expect(html).toContain(`name="${option}"`)
    for (const shown of ['Ask search engines', 'Read pages', 'Score passages']) expect(html).toContain(shown)
  })

  test('shows snippets with scores and fragment links, warnings and dates', async () => {
    const html = await (await ask({ query: 'How do I revoke an API key?' })).text()
    expect(html).toContain('To revoke an API key, delete it')
    expect(html).toContain('<rect class="value" width="93" height="8">')
    expect(html).toContain('href="https://search.example/docs/api-keys#:~:text=To%20revoke"')
    expect(html).toContain('The page took too long to answer.')
    expect(html).toContain('published <time datetime="2026-03-02">2 Mar 2026</time>')
  })

  test('tells pages that there was no time to judge from those that could not be read, and offers to search again', async () => {
    const unjudged = {
      rank: 1,
      url: 'https://search.example/docs/api-keys',
      title: 'API keys',
      snippets: [],
      warning: 'The time was used up before the passages were scored.',
      warning_code: 'scores_incomplete' as const,
      publish_date: null,
      last_updated: null,
    }
    answer = () => Promise.resolve({ ...ANSWER, response: { ...ANSWER.response, results: [unjudged] } })
    const html = await (await ask({ query: 'q' })).text()
    answer = () => Promise.resolve(ANSWER)
    expect(html).toContain('There was no time to score every passage.')
    expect(html).not.toMatch(/could(?: not)? be read/u)
    expect(html).toMatch(/>Search again<.*>Try exhaustive</su)
  })

  test('what is to be said of every page that answers is said once, what is to be said of one beside it', async () => {
    const warning = 'The time was used up before the model had read every passage.'
    const [first] = ANSWER.response.results
    const shown = async (warnings: (string | null)[]): Promise<number> => {
      const results = warnings.flatMap((text, index) =>
        first === undefined ? [] : [{ ...first, rank: index + 1, warning: text }],
      )
      answer = () => Promise.resolve({ ...ANSWER, response: { ...ANSWER.response, results } })
      const html = await (await ask({ query: 'q' })).text()
      answer = () => Promise.resolve(ANSWER)
      return html.split(warning).length - 1
    }
    expect(await shown([warning, warning, warning])).toBe(1)
    expect(await shown([warning, null, warning])).toBe(2)
  })

  test.each([
    [{ query: ' ' }, 400, 'query must not be empty or blank.'],
    [{ query: 'q', num_results: '11' }, 422, 'num_results must be a whole number from 1 to 10.'],
    [{ query: 'q', num_results: 'many' }, 422, 'num_results must be a whole number from 1 to 10.'],
    [{ query: 'q', include_domains: 'https://example.org/' }, 422, 'must be a bare domain name'],
    [{ query: 'q', language: 'klingon!' }, 422, 'language must be a language code'],
  ])('%j is refused as the API refuses it, beside the field', async (fields, status, sentence) => {
    const before = asked.length
    const response = await ask(fields)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(sentence)
    expect(asked.length).toBe(before)
  })

  test('titles, addresses and passages that are markup or scripts are shown as text and never followed', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    answer = () =>
      Promise.resolve({
        ...ANSWER,
        response: {
          ...ANSWER.response,
          results: ['javascript:alert(1)', 'data:text/html,x', `https://example.org/${hostile}`].map(
            (url, index) => ({
              rank: index + 1,
              url,
              title: hostile,
              snippets: [{ text: hostile, relevance_score: 0.5, start: 0, end: 1, text_fragment_url: url }],
              warning: hostile,
              publish_date: hostile,
              last_updated: null,
            }),
          ),
        },
      })
    const html = await (await ask({ query: hostile })).text()
    answer = () => Promise.resolve(ANSWER)
    expect(html).not.toContain('<script>')
    expect(html).not.toContain('<img')
    expect(html).not.toMatch(/href="(?:javascript|data):/u)
    expect(html.match(/href="https:\/\/example\.org\//gu)).toHaveLength(2)
  })

  test('a button of the answer searches exhaustively, and is gone from an exhaustive answer', async () => {
    expect(await (await ask({ query: 'q' })).text()).toContain('Try exhaustive')
    const html = await (await ask({ query: 'q', try_depth: 'exhaustive' })).text()
    expect(asked.at(-1)?.request.search_depth).toBe('exhaustive')
    expect(html).not.toContain('Try exhaustive')
  })

  test('pages of which none could be read are told for that, and searched for again instead of more deeply', async () => {
    const { explain: _explain, ...response } = ANSWER.response
    const unread = response.results.map((result) => ({ ...result, snippets: [], warning: 'No time left.' }))
    answer = () => Promise.resolve({ ...ANSWER, response: { ...response, results: unread } })
    const html = await (
      await ask({ query: 'q' })
    )
      .text()
      .finally(() => (answer = () => Promise.resolve(ANSWER)))
    expect(html).toContain(`${unread.length} pages that could not be read`)
    expect(html).toContain('Search again')
    expect(html).not.toContain('Try exhaustive')
    expect(html).not.toContain('without a good passage')
  })

  test('shows what stands around a passage, as text, and hands its signed proof out to be saved', async () => {
    const place = `sha256=${KEPT}&start=10&end=120`
    expect(await visitor.text(`/playground/passage?${place}`)).toContain(
      '<span class="around before">Before.</span> &lt;b>10–120&lt;/b> <span class="around after">After.</span>',
    )
    const proof = await visitor.get(`/playground/proof?${place}`)
    expect(proof.headers.get('content-disposition')).toBe(
      'attachment; filename="verbatim-proof-aaaaaaaaaaaa-10.json"',
    )
    expect(await proof.json()).toMatchObject({ snippets: ['[{"start":10,"end":120}]'] })
    for (const page of ['passage', 'proof']) {
      expect((await visitor.get(`/playground/${page}?sha256=${'b'.repeat(64)}&start=1&end=2`)).status).toBe(
        404,
      )
      expect((await visitor.get(`/playground/${page}?sha256=${KEPT}&start=-1&end=2`)).status).toBe(422)
    }
  })

  test('makes a key that lives for an hour, once, puts it into the code and keeps it there', async () => {
    const form = { ...DEFAULTS, query: 'typed before', form_mark: `${'m'.repeat(22)}.sample-key` }
    const made = await visitor.post('/playground', '/playground/key', form)
    expect(made.status).toBe(201)
    const html = await made.text()
    const key = /Bearer (vbt_\w+)/u.exec(html)?.[1] ?? ''
    expect(html).toContain('value="typed before"')
    const record = await site.accounts.keys.verify(key)
    const livesMs = (record?.expiresAt?.getTime() ?? 0) - Date.now()
    expect(livesMs).toBeGreaterThan(3_500_000)
    expect(livesMs).toBeLessThanOrEqual(3_600_000)
    const code = await visitor.post('/playground', '/playground/code', { ...form, sample_key: key })
    expect(await code.text()).toContain(key)
    const forged = await visitor.post('/playground', '/playground/code', { ...form, sample_key: "x' --" })
    expect(await forged.text()).toContain('$VERBATIM_KEY')
    const again = await (await visitor.post('/playground', '/playground/key', form)).text()
    expect(again).toContain('That key was made before')
    expect(await site.accounts.keys.list()).toHaveLength(1)
    const {
      entries: [entry],
    } = await site.accounts.audit.list({ limit: 1 })
    expect(entry).toMatchObject({ action: 'key_created', actorEmail: 'ada@example.org' })
  })

  test('where nothing is found filters are named to who has set some alone', async () => {
    answer = () => Promise.resolve({ ...ANSWER, response: { ...ANSWER.response, results: [] } })
    const plain = await (await ask({ query: 'q', language: '' })).text()
    const filtered = await (await ask({ query: 'q', language: '', include_domains: 'example.org' })).text()
    answer = () => Promise.resolve(ANSWER)
    expect(plain).toContain('No search engine found a page for this query. Ask in other words.')
    expect(filtered).toContain('that passes your filters. Loosen the domains')
  })

  test('a search that fails says so in public words and keeps the form', async () => {
    answer = () => Promise.reject(searchUnavailable(new Error('internal host 10.0.0.1')))
    const response = await ask({ query: 'keep me' })
    answer = () => Promise.resolve(ANSWER)
    const html = await response.text()
    expect(response.status).toBe(500)
    expect(html).toContain('No search provider could be reached.')
    expect(html).toContain('value="keep me"')
    expect(html).not.toContain('10.0.0.1')
  })

  test('a person who goes away stops the search', async () => {
    const stopped = new Promise<void>((resolve) => {
      answer = () =>
        new Promise((_, reject) => {
          const signal = asked.at(-1)?.signal
          signal?.addEventListener('abort', () => {
            reject(new Error('aborted'))
            resolve()
          })
          leave.abort()
        })
    })
    const leave = new AbortController()
    const html = await visitor.text('/playground')
    const token = /name="form_token" value="([^"]+)"/u.exec(html)?.[1] ?? ''
    const gone = fetch(`${site.url}/playground`, {
      method: 'POST',
      signal: leave.signal,
      headers: { Cookie: `verbatim_session=${visitor.cookies.get('verbatim_session')}` },
      body: new URLSearchParams({ ...DEFAULTS, query: 'q', form_token: token }),
    })
    await expect(gone).rejects.toThrow('aborted')
    await stopped
    answer = () => Promise.resolve(ANSWER)
  })

  test('spends the person’s own quota and answers 429 when it is used up', async () => {
    let last = await ask({ query: 'q' })
    for (let count = 0; count < 40 && last.status === 200; count += 1) last = await ask({ query: 'q' })
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await last.text()).toContain('The rate limit is used up.')
  })

  test('that no search engine for the web is set up is told until something answers, beside what answers badly too', async () => {
    const [scores, told]: [number[], boolean[]] = [[], []]
    const alone = await openDashboardSite({
      engines: ['library'],
      search: () => {
        const [first] = ANSWER.response.results
        const snippets = scores.map((relevance_score) => ({ text: 'Passage.', relevance_score }))
        const results = first === undefined ? [] : [{ ...first, snippets }]
        return Promise.resolve({ ...ANSWER, response: { ...ANSWER.response, results } })
      },
    })
    await alone.addPerson({ email: 'ada@example.org' })
    const newcomer = await alone.signIn('ada@example.org')
    const isTold = (page: string) => page.includes('is set up yet')
    told.push(isTold(await newcomer.text('/playground')))
    for (const found of [[], [0.42, 0.17], [0.42, 0.9]]) {
      scores.splice(0, scores.length, ...found)
      const response = await newcomer.post('/playground', '/playground', { ...DEFAULTS, query: 'q' })
      told.push(isTold(await response.text()))
    }
    expect(told).toEqual([true, true, true, false])
    await alone.close()
  })
})

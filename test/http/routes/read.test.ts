import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReadResponse } from '../../../src/contract/read.ts'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

const ANSWER =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica.'
const FILLER = Array.from(
  { length: 12 },
  (_, index) =>
    `Chapter ${index} tells of the harbour, the bakery and the museum of the town, and of its people.`,
)

let asked = 0
let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': {
      html: article(
        'Keys',
        [...FILLER, ANSWER, ...FILLER],
        '<meta property="article:published_time" content="2026-01-05">',
      ),
    },
    '/structured': {
      html: `<!doctype html><html lang="en"><head><title>Structure</title><script>1</script></head><body><main><article>
<h1>Structure</h1><p>${ANSWER}</p><ul><li>first</li><li>second</li></ul>
<p>Read more about <a href="/keys">the keys</a> and how they are kept safe in the service.</p></article></main></body></html>`,
    },
    '/counted': {
      answer: (_, response) => {
        asked += 1
        response.setHeader('Content-Type', 'text/html').end(article('Counted', [ANSWER]))
      },
    },
    '/gone': { answer: (_, response) => response.writeHead(410).end() },
    '/broken': { answer: (_, response) => response.writeHead(503).end() },
    '/picture': { answer: (_, response) => response.setHeader('Content-Type', 'image/png').end('\x89PNG') },
  })
  service = await startService()
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const ask = (body: unknown): Promise<Response> =>
  fetch(`${service.url}/v1/read`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const read = async (body: unknown): Promise<ReadResponse['results']> => {
  const response = await ask(body)
  expect(response.status).toBe(200)
  return ((await response.json()) as ReadResponse).results
}

describe('POST /v1/read', () => {
  test('gives the whole text of a page with its title, date and language', async () => {
    const [page] = await read({ url: `${site.siteUrl}/keys` })
    expect(page).toMatchObject({
      url: `${site.siteUrl}/keys`,
      final_url: `${site.siteUrl}/keys`,
      title: 'Keys',
      snippets: [],
      is_cut: false,
      publish_date: '2026-01-05',
      language: 'en',
      warning: null,
      failure: null,
    })
    expect(page?.content).toContain(ANSWER)
    expect(page?.content).toContain(FILLER[11])
    expect(page).not.toHaveProperty('content_sha256')
  })

  test('writes it as Markdown or HTML, with headings and links, where that is asked for', async () => {
    const [markdown] = await read({ url: `${site.siteUrl}/structured`, format: 'markdown' })
    expect(markdown?.content).toContain('# Structure')
    expect(markdown?.content).toContain('- first\n- second')
    expect(markdown?.content).toContain(`[the keys](${site.siteUrl}/keys)`)
    const [html] = await read({ url: `${site.siteUrl}/structured`, format: 'html' })
    expect(html?.content).toContain('<h1>Structure</h1>')
    expect(html?.content).not.toContain('<script')
    const [text] = await read({ url: `${site.siteUrl}/structured` })
    expect(text?.content).not.toContain('](')
  })

  test('with a query the best passages come first, and proof says where they stand', async () => {
    const body = { url: `${site.siteUrl}/keys`, query: 'How do I revoke a key?', include: ['proof'] }
    const [page] = await read(body)
    const [best] = page?.snippets ?? []
    expect(best?.text).toContain(ANSWER)
    expect(best?.relevance_score).toBeGreaterThan(0.3)
    expect(page?.content.slice(best?.start, best?.end)).toBe(best?.text)
    expect(page?.content_sha256).toMatch(/^[0-9a-f]{64}$/u)
  })

  test('a budget is kept, snippets before content, and no sentence is cut', async () => {
    const [page] = await read({ url: `${site.siteUrl}/keys`, max_characters: 500 })
    expect(page?.is_cut).toBe(true)
    expect(page?.content.length).toBeLessThanOrEqual(500)
    expect(page?.content).toMatch(/\.$/u)
    const query = 'How do I revoke a key?'
    const [found] = await read({ url: `${site.siteUrl}/keys`, query, max_characters: 1_200 })
    const snippets = found?.snippets.map(({ text }) => text).join('') ?? ''
    expect(snippets).toContain(ANSWER)
    expect(snippets.length + (found?.content.length ?? 0)).toBeLessThanOrEqual(1_200)
    const [few] = await read({ url: `${site.siteUrl}/keys`, max_tokens: 100 })
    expect(few?.content.length).toBeLessThanOrEqual(300)
    expect(few?.content.length).toBeGreaterThan(100)
  })

  test('a budget in which no whole passage fits brings the sentence that answers, or says which budget would', async () => {
    const question = { url: `${site.siteUrl}/keys`, query: 'How fast is a key revoked on every replica?' }
    const sentence = ANSWER.slice(ANSWER.indexOf('The revocation'))
    const [small] = await read({ ...question, max_characters: sentence.length + 5, include: ['proof'] })
    expect(small?.snippets.map(({ text }) => text)).toEqual([sentence])
    expect(small?.warning).toBeNull()
    const [tiny] = await read({ ...question, max_tokens: 5, include: ['warning_code'] })
    expect(tiny).toMatchObject({ snippets: [], warning_code: 'budget_too_small' })
    const [, characters, tokens] = /needs (\d+) characters \((\d+) tokens\)/u.exec(tiny?.warning ?? '') ?? []
    for (const budget of [{ max_characters: Number(characters) }, { max_tokens: Number(tokens) }]) {
      const [enough] = await read({ ...question, ...budget })
      expect(enough?.snippets.map(({ text }) => text)).toEqual([sentence])
    }
  })

  test('a query that is none is refused in words that do not ask for one', async () => {
    const answer = await ask({ url: `${site.siteUrl}/keys`, query: 5 })
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { detail: 'query must be a string, or null.' },
    ])
  })

  test('pages that fail are typed results in the order of the request, and cost the others nothing', async () => {
    const paths = ['/gone', '/keys', '/broken', '/picture']
    const pages = await read({ urls: [...paths.map((path) => `${site.siteUrl}${path}`), 'http://10.0.0.1/'] })
    expect(pages.map(({ failure }) => failure?.code ?? null)).toEqual([
      'not_found',
      null,
      expect.any(String),
      'not_text',
      'address_refused',
    ])
    expect(pages.map(({ failure }) => failure?.retryable ?? null)).toEqual([
      false,
      null,
      expect.any(Boolean),
      false,
      false,
    ])
    expect(pages.map(({ content }) => content !== '')).toEqual([false, true, false, false, false])
    for (const { failure } of pages) expect(failure?.message ?? 'fine').toMatch(/^\S.*\S$/u)
  })

  test('max_age decides whether a kept copy will do', async () => {
    const url = `${site.siteUrl}/counted`
    await read({ url })
    await read({ url, max_age: 3_600 })
    expect(asked).toBe(1)
    await read({ url, max_age: 0 })
    expect(asked).toBe(2)
  })

  test.each([
    [{}, '/url'],
    [{ url: 'https://a.example', urls: ['https://a.example'] }, '/url'],
    [{ url: 'ftp://a.example' }, '/url'],
    [{ urls: [] }, '/urls'],
    [{ urls: Array.from({ length: 21 }, () => 'https://a.example') }, '/urls'],
    [{ urls: ['https://a.example', 'nothing'] }, '/urls/1'],
    [{ url: 'https://a.example', format: 'pdf' }, '/format'],
    [{ url: 'https://a.example', max_characters: 0 }, '/max_characters'],
    [{ url: 'https://a.example', max_characters: 5, format: 'html' }, '/format'],
    [{ url: 'https://a.example', query: ' ' }, '/query'],
  ])('%j is refused with 422 at %s', async (body, pointer) => {
    const response = await ask(body)
    expect(response.status).toBe(422)
    expect(((await response.json()) as { errors: { pointer: string }[] }).errors[0]?.pointer).toBe(pointer)
  })
})

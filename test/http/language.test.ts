// The caller's language on its way: to the search engine, to the sites, through the filter, into the explanation; and what
// stands for it when the caller names none.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { startSearchSite, type SearchSite, type SitePage } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const TEXTS = {
  en: 'A key can be revoked at any time in the dashboard, and it is refused at once on every replica.',
  de: 'Ein Schlüssel lässt sich jederzeit im Dashboard widerrufen und wird sofort auf jedem Server abgelehnt.',
  ru: 'Ключ можно отозвать в любое время на панели управления, и он сразу же отклоняется на каждом сервере.',
} as const
type Known = keyof typeof TEXTS

const documentIn = (language: Known): string =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Key</title><main><p>${TEXTS[language]}</p></main></html>`

/** Answers in the language that is asked for, English when it has none. */
const negotiated: SitePage = {
  answer(request, response) {
    const asked = String(request.headers['accept-language']).slice(0, 2)
    const language = asked === 'de' || asked === 'ru' ? asked : 'en'
    response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Vary', 'Accept-Language')
    response.end(documentIn(language))
  },
}

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({ '/key': negotiated, '/russian': { html: documentIn('ru') } })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

async function search(body: object): Promise<SearchResponse> {
  const response = await service.search({ include: ['explain'], ...body })
  expect(response.status).toBe(200)
  return (await response.json()) as SearchResponse
}
const textsOf = ({ results }: SearchResponse): string[] =>
  results.flatMap(({ snippets }) => snippets.map(({ text }) => text))
const askedLanguage = (): string | null | undefined => site.asked.at(-1)?.get('language')

describe('the language of a search', () => {
  test('reaches the engine, the sites and the filter, and no cached page of another language is in its way', async () => {
    site.find('/key')
    for (const language of ['en', 'de', 'ru', 'de'] as const) {
      const answer = await search({ query: 'key', language })
      expect(askedLanguage()).toBe(language)
      expect(textsOf(answer)).toEqual([TEXTS[language]])
      expect(answer.explain?.['language']).toEqual({ used: language, source: 'request' })
    }
  })

  test('may be written in any code that stands for it', async () => {
    site.find('/key')
    expect(textsOf(await search({ query: 'key', language: 'deu' }))).toEqual([TEXTS.de])
    expect(textsOf(await search({ query: 'key', language: 'eng' }))).toEqual([TEXTS.en])
  })

  test('that the caller names always filters, whatever the query is written in', async () => {
    site.find('/russian')
    expect(textsOf(await search({ query: 'Как отозвать ключ', language: 'en' }))).toEqual([])
  })

  test('is the query’s own when none is named and the query is in another script or plainly in another language', async () => {
    site.find('/russian')
    const russian = await search({ query: 'Как отозвать ключ' })
    expect(textsOf(russian)).toEqual([TEXTS.ru])
    expect(russian.explain?.['language']).toEqual({ used: 'ru', source: 'query' })
    site.find('/key')
    expect(textsOf(await search({ query: 'Wie kann ich einen Schlüssel im Dashboard widerrufen?' }))).toEqual(
      [TEXTS.de],
    )
    const short = await search({ query: 'revoke key' })
    expect(short.explain?.['language']).toEqual({ used: 'en', source: 'default' })
  })
})

describe('foreign clients', () => {
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    })
  const query = 'Как отозвать ключ'
  const ROUTES = {
    Tavily: (language: string | null) => post('/compat/tavily/search', { query, language }),
    'Open WebUI': (language: string | null) =>
      post(`/compat/open-webui/search?language=${language ?? ''}`, { query }),
    MCP: (language: string | null) =>
      post('/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search', arguments: { query, ...(language === null ? {} : { language }) } },
      }),
  }

  test.each(Object.entries(ROUTES))(
    '%s: "all", "auto" and nothing mean that no language is named',
    async (_, ask) => {
      site.find('/russian')
      for (const language of ['all', 'auto', 'ALL', '', null]) {
        const response = await ask(language)
        expect([language, response.status, (await response.text()).includes('можно отозвать')]).toEqual([
          language,
          200,
          true,
        ])
        expect(askedLanguage()).toBe('ru')
      }
    },
  )
})

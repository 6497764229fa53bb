// Programs that take the address of a SearXNG and have no page of their own in the documentation: each request as their
// source sends it, each answer read as their source reads it. What is written here follows the sources that are named, and
// is none of their text.
//   LangChain           langchain-ai/langchain-community d68ae88, langchain_community/utilities/searx_search.py; DeerFlow
//                       (bytedance/deer-flow 66689fd, src/tools/search.py) searches by it
//   Page Assist         n4ze3m/page-assist 379ba69, src/web/search-engines/searxng.ts
//   FastGPT             labring/FastGPT 1ea1438, packages/plugins/src/searchXNG
//   Cherry Studio       CherryHQ/cherry-studio c78d1d9, src/renderer/src/providers/WebSearchProvider/SearxngProvider.ts
//   local-deep-research timothybrush/local-deep-research 36f3aac, web_search_engines/engines/search_engine_searxng.py
import { JSDOM } from 'jsdom'
import { beforeEach, describe, expect, test } from 'vitest'
import { theAnswer, type Json, useApplication } from './application.ts'
import { QUESTION } from './compat-service.ts'

const application = useApplication()
/** As the documentation gives it: without a slash at its end. */
const address = (): string => `${application.compat.url}/searxng/${application.token}`
beforeEach(() => application.compat.site.find('/gone', '/keys'))

const ask = async (
  url: string,
  parameters: Record<string, string>,
  accept = '*/*',
  limitMs = 20_000,
): Promise<string> => {
  const query = new URLSearchParams(parameters).toString()
  const answer = await fetch(`${url}?${query}`, {
    headers: { Accept: accept },
    signal: AbortSignal.timeout(limitMs),
  })
  expect(answer.status).toBe(200)
  return answer.text()
}
const parse = (html: string): Document => new JSDOM(html).window.document
const textOf = (element: Element, selector: string): string =>
  element.querySelector(selector)?.textContent?.trim() ?? ''
const linkOf = (element: Element, selector: string): string =>
  element.querySelector(selector)?.getAttribute('href') ?? ''

test('LangChain asks at the address as it stands, and joins or lists what it finds', async () => {
  const sent = { language: 'en', format: 'json', q: QUESTION, engines: 'google,bing' }
  const { answers, results } = JSON.parse(await ask(address(), sent)) as {
    answers: unknown[]
    results: Json[]
  }
  expect(answers).toEqual([])
  expect(results.map((one) => String(one['content'])).join('\n\n')).toEqual(theAnswer)
  // Read unguarded.
  for (const one of results)
    for (const field of ['title', 'url', 'engines', 'category']) expect(one).toHaveProperty(field)
})

describe('Page Assist', () => {
  test('reads JSON where it is told to', async () => {
    const found = JSON.parse(await ask(address(), { q: QUESTION, format: 'json' }, 'application/json')) as {
      results: Json[]
    }
    expect(found.results).toContainEqual(
      expect.objectContaining({ title: 'Managing keys', url: application.page, content: theAnswer }),
    )
  })

  test('else names no format and reads the page, the link above each result', async () => {
    const document = parse(await ask(address(), { q: QUESTION }, '*/*', 10_000))
    const read = [...document.querySelectorAll('article.result')]
      .map((result) => ({
        title: textOf(result, 'h3'),
        link: linkOf(result, 'a.url_header'),
        content: textOf(result, 'p.content'),
      }))
      .filter(({ title, link, content }) => title !== '' && link !== '' && content !== '')
    expect(read).toEqual([{ title: 'Managing keys', link: application.page, content: theAnswer }])
  })
})

test('Cherry Studio asks for the engines that the instance has for whole pages, and by those', async () => {
  const { engines: all } = JSON.parse(await ask(`${address()}/config`, {}, 'application/json', 5_000)) as {
    engines: { enabled: boolean; categories: string[]; name: string }[]
  }
  const engines = all
    .filter(
      ({ enabled, categories }) => enabled && ['general', 'web'].every((one) => categories.includes(one)),
    )
    .map(({ name }) => name)
  expect(engines).not.toEqual([])
  const sent = { q: QUESTION, engines: engines.join(','), language: 'auto', format: 'json' }
  const found = JSON.parse(await ask(`${address()}/search`, sent, 'application/json', 15_000)) as {
    query: string
    results: Json[]
  }
  expect(found.query).toBe(QUESTION)
  expect(found.results).toContainEqual(
    expect.objectContaining({ title: 'Managing keys', url: application.page, content: theAnswer }),
  )
})

test('whoever names no format and accepts JSON alone gets that', async () => {
  expect(JSON.parse(await ask(address(), { q: QUESTION }, 'application/json'))).toMatchObject({
    query: QUESTION,
  })
})

// As fetch accepts everything, and as axios does.
test.each(['*/*', 'application/json, text/plain, */*'])(
  'FastGPT names no format and reads the page: %s',
  async (accept) => {
    const document = parse(await ask(`${address()}/search`, { q: QUESTION, language: 'auto' }, accept))
    const read = [...document.querySelectorAll('.result')].map((result) => ({
      title: textOf(result, 'h3'),
      link: linkOf(result, 'a'),
      snippet: textOf(result, '.content'),
    }))
    expect(read).toContainEqual({ title: 'Managing keys', link: application.page, snippet: theAnswer })
  },
)

test('local-deep-research finds the instance by its start page and reads the page of results', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'
  await ask(address(), {}, accept, 10_000)
  await ask(`${address()}/search`, { q: 'test' }, '*/*', 5_000)
  const sent = {
    q: QUESTION,
    categories: 'general',
    language: 'en',
    format: 'html',
    pageno: '1',
    safesearch: '0',
  }
  const document = parse(await ask(`${address()}/search`, { ...sent, count: '15' }, accept, 15_000))
  expect(document.querySelectorAll('.result-item')).toHaveLength(0)
  const read = [...document.querySelectorAll('.result')].map((result) => ({
    title: textOf(result, 'h3'),
    link: linkOf(result, 'a[href]'),
    snippet: textOf(result, '.content'),
  }))
  expect(read).toContainEqual({ title: 'Managing keys', link: application.page, snippet: theAnswer })
})

// Clients for Python, unmodified and as their documentation shows them: the labelled passage and its score reach the object
// that an application hands to its model. Their own time limits are left as they are.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/config.ts'
import { aScore, PASSAGE, startClientService, thePassage, type ClientService } from './client-service.ts'

let clients: ClientService
beforeAll(async () => {
  clients = await startClientService()
})
afterAll(() => clients.close())

const ask = (name: string, more: Record<string, string> = {}): Promise<unknown> =>
  clients.python('clients.py', [name], more)
const first = (one: Record<string, unknown>) => expect.objectContaining({ url: clients.page, ...one })

/** What the page of an application in the documentation tells people to write, with the address and the key of this service. */
function setupOf(application: string): string {
  const page = readFileSync(join(PACKAGE_ROOT, 'docs', `client-${application}.md`), 'utf8')
  const blocks = [...page.matchAll(/```(?:python|yaml)\n([\s\S]*?)```/gu)].map(([, block = '']) => block)
  const { url, key } = clients.service
  return blocks.join('').replaceAll('http://verbatim:3000', url).replaceAll('<API_KEY>', key)
}

test('tavily-python: search, its asynchronous client, search context, extract, and its own error for a wrong key', async () => {
  const results = expect.arrayContaining([first({ content: thePassage, score: aScore })])
  expect(await ask('tavily')).toMatchObject({
    search: { results },
    asynchronous: { results },
    context: expect.arrayContaining([first({ content: thePassage })]),
    extract: { results: [first({ raw_content: thePassage })], failed_results: [] },
    refused: expect.any(String),
  })
})

test('langchain-tavily: what an agent reads as the tool’s message, and extract', async () => {
  const answer = (await ask('langchain_tavily')) as { message: string; extract: unknown }
  const { results } = JSON.parse(answer.message) as { results: unknown }
  expect(results).toEqual(expect.arrayContaining([first({ content: thePassage, score: aScore })]))
  expect(answer.extract).toMatchObject({ results: [first({ raw_content: thePassage })] })
})

test('firecrawl-py: search and scrape, in its second version and its first', async () => {
  const answer = (await ask('firecrawl')) as Record<string, unknown>
  const described = expect.arrayContaining([first({ description: thePassage })])
  expect(answer).toMatchObject({
    search: described,
    scrape: { markdown: thePassage, raw_html: thePassage, metadata: { title: 'Managing keys' } },
    v1_search: described,
    v1_scrape: { markdown: thePassage },
  })
})

describe('exa-py', () => {
  test('search and contents with highlights, and what it prints for a model', async () => {
    const page = first({
      highlights: expect.arrayContaining([thePassage]),
      highlight_scores: expect.arrayContaining([aScore]),
      text: thePassage,
    })
    expect(await ask('exa')).toMatchObject({
      search: expect.arrayContaining([page]),
      contents: [page],
      printed: thePassage,
    })
  })
})

test('cohere: reranking in both of its versions', async () => {
  const best = expect.objectContaining({ index: 1, relevance_score: aScore })
  const answer = (await ask('cohere')) as Record<'version_1' | 'version_2', unknown[]>
  expect(answer.version_2[0]).toEqual(best)
  expect(answer.version_1[0]).toMatchObject({ index: 1, document: { text: PASSAGE } })
  expect([answer.version_1, answer.version_2].map(({ length }) => length)).toEqual([2, 2])
})

test('agno, set up as its page says: what an agent reads as the answers of its tools, and documents in their order', async () => {
  const answer = (await ask('agno', { VERBATIM_SETUP: setupOf('agno') })) as { reranked: unknown[] }
  expect(answer).toMatchObject({
    search: { results: expect.arrayContaining([first({ content: thePassage, score: aScore })]) },
    context: expect.arrayContaining([first({ content: thePassage })]),
    read: thePassage,
    firecrawl: { web: expect.arrayContaining([first({ description: thePassage })]) },
    scrape: { markdown: thePassage },
    searxng: { results: expect.arrayContaining([first({ content: thePassage, score: aScore })]) },
  })
  expect(answer.reranked[0]).toEqual({ text: PASSAGE, score: aScore })
})

test('litellm, its router set up as its page says: search with dates and rerank, and search by each provider that takes an address', async () => {
  const setup = { VERBATIM_SETUP: setupOf('litellm'), LITELLM_LOCAL_MODEL_COST_MAP: 'True' }
  const found = expect.arrayContaining([first({ snippet: thePassage })])
  expect(await ask('litellm', setup)).toMatchObject({
    router: {
      search: expect.arrayContaining([first({ snippet: thePassage, date: '2026-01-05' })]),
      reranked: [{ index: 1, relevance_score: aScore }, {}],
    },
    providers: { tavily: found, exa_ai: found, firecrawl: found, searxng: found },
  })
})

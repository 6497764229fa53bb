// Clients for Node, unmodified and as their documentation shows them: the labelled passage and its score reach the object
// that an application hands to its model. Their own time limits are left as they are.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aScore, PASSAGE, startClientService, thePassage, type ClientService } from './client-service.ts'

let clients: ClientService
beforeAll(async () => {
  clients = await startClientService()
})
afterAll(() => clients.close())

const ask = (name: string): Promise<unknown> => clients.node('clients.mjs', [name])
const first = (one: Record<string, unknown>) => expect.objectContaining({ url: clients.page, ...one })

test('@tavily/core: search, extract, and its own error for a wrong key', async () => {
  expect(await ask('tavily')).toMatchObject({
    search: { results: expect.arrayContaining([first({ content: thePassage, score: aScore })]) },
    extract: { results: [first({ rawContent: thePassage })], failedResults: [] },
    refused: expect.any(String),
  })
})

test('@mendable/firecrawl-js: search and scrape, in its second version and its first', async () => {
  const described = expect.arrayContaining([first({ description: thePassage })])
  expect(await ask('firecrawl')).toMatchObject({
    search: { web: described },
    scrape: { markdown: thePassage, rawHtml: thePassage, metadata: { title: 'Managing keys' } },
    oldSearch: { success: true, data: described },
    oldScrape: { success: true, markdown: thePassage },
  })
})

test('exa-js: search and contents with highlights and their scores', async () => {
  const page = first({
    highlights: expect.arrayContaining([thePassage]),
    highlightScores: expect.arrayContaining([aScore]),
    text: thePassage,
  })
  expect(await ask('exa')).toMatchObject({
    search: { results: expect.arrayContaining([page]) },
    contents: { results: [page] },
  })
})

test('cohere-ai: reranking in both of its versions', async () => {
  const answer = (await ask('cohere')) as Record<'version1' | 'version2', unknown[]>
  expect(answer.version2).toHaveLength(2)
  expect(answer.version2[0]).toMatchObject({ index: 1, relevanceScore: aScore })
  expect(answer.version1[0]).toMatchObject({ index: 1, document: { text: PASSAGE } })
})

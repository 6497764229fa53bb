// A client that goes away while a transformer reads its passages: what is not read yet is taken out of the queue.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { sendRawSearch } from '../support/raw-search.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const MODEL = 'verbatim-minilm + verbatim-reranker'
/** Many more than the model reads of a page. */
const PARAGRAPHS = 240
/** Of a page that `exhaustive` lets it read; on a slow machine few, each of which takes it the longer. */
const SEVERAL = 2

/** Passages that no other test has, so that no cache knows their vectors. */
const pageOf = (mark: string): string =>
  article(
    mark,
    Array.from(
      { length: PARAGRAPHS },
      (_, index) => `${mark} ${index}: ${'the key was revoked, '.repeat(24)}`,
    ),
  )

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/streamed': { html: pageOf('Streamed') },
    '/whole': { html: pageOf('Whole') },
    '/short': { html: article('Short', ['A key can be revoked at any time in the dashboard.']) },
  })
  service = await startService({
    SEARCH_PROVIDERS: 'searxng',
    SEARXNG_URL: site.engineUrl,
    EMBEDDING_THREADS: '1',
  })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

/** Searches that run and texts that wait for the model, of one and the same moment. */
async function readLoad(): Promise<{ running: number; waiting: number }> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  const gauge = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'mu').exec(metrics)?.[1])
  return { running: gauge('verbatim_searches_running'), waiting: gauge('verbatim_scoring_waiting') }
}

async function expectSeveralWaiting(): Promise<void> {
  await expect
    .poll(async () => (await readLoad()).waiting, { interval: 10, timeout: 10_000 })
    .toBeGreaterThan(SEVERAL)
}

/**
 * In the first look that finds the search ended, nothing waits: had only the answer been given up, passages would
 * still be in the queue.
 */
async function expectInferenceEnded(): Promise<void> {
  let load = await readLoad()
  while (load.running > 0) load = await readLoad()
  expect(load.waiting).toBe(0)
}

const body = { query: 'revoke a key', search_depth: 'exhaustive' }
/** Two at once: where the machine is slow each reads few passages. */
const bodies = [body, { ...body, query: 'take a key back' }]

describe('a client that goes away while the model reads', () => {
  test('in the middle of a stream ends the reading', async () => {
    site.find('/streamed')
    const streams = await Promise.all(
      bodies.map((each) => service.search(each, { Accept: 'application/x-ndjson' })),
    )
    await expectSeveralWaiting()
    await Promise.all(streams.map(async (stream) => stream.body?.cancel()))
    await expectInferenceEnded()
  })

  test('before its whole answer ends the reading', async () => {
    site.find('/whole')
    const clients = bodies.map((each) => sendRawSearch(service, each))
    await expectSeveralWaiting()
    const closed = Promise.all(clients.map((client) => once(client, 'close')))
    for (const client of clients) client.destroy()
    await closed
    await expectInferenceEnded()
  })

  test('leaves the model to the next one', async () => {
    site.find('/short')
    const response = await service.search(body)
    expect(response.headers.get('Verbatim-Model')).toBe(MODEL)
    const { results } = (await response.json()) as SearchResponse
    expect(results.map(({ title, warning }) => ({ title, warning }))).toEqual([
      { title: 'Short', warning: null },
    ])
  })
})

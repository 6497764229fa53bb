// A client that goes away in the middle of its answer: nobody waits, so nothing may go on working for it.
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendRawSearch } from '../../support/raw-search.ts'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

let site: SearchSite
let service: TestService
const hanging = { open: 0, asked: 0 }
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': { html: article('Keys', ['A key can be revoked at any time in the dashboard.']) },
    ...Object.fromEntries(
      ['/hang-1', '/hang-2', '/hang-3'].map((path) => [
        path,
        {
          answer: (request, response) => {
            hanging.asked += 1
            hanging.open += 1
            // The head arrives and the body never does, so that the page is in the middle of being read.
            if (path !== '/hang-1') response.writeHead(200, { 'Content-Type': 'text/html' }).write('<p>')
            request.socket.once('close', () => (hanging.open -= 1))
          },
        } satisfies Parameters<typeof startSearchSite>[0][string],
      ]),
    ),
  })
  service = await startService({
    SEARCH_PROVIDERS: 'searxng',
    SEARXNG_URL: site.engineUrl,
    SEARCH_CONCURRENCY: '1',
  })
})
afterAll(async () => {
  await service.close()
  await site.close()
})
beforeEach(() => {
  hanging.asked = 0
  site.find('/keys', '/hang-1', '/hang-2', '/hang-3')
})

const accept = { Accept: 'application/x-ndjson' }
/** Long before the pages' own deadline, so that only the client's going can have ended them. */
const PROMPTLY = { timeout: 2_000 }

/** Two pages of a host at a time: the third is asked for when one of them has been under way for a second. */
const expectEveryPageAsked = async (): Promise<void> => {
  await expect.poll(() => hanging.asked, { timeout: 6_000 }).toBe(3)
}

const expectEveryPageLetGo = async (): Promise<void> => {
  await expect.poll(() => hanging.open, PROMPTLY).toBe(0)
}

describe('a client that goes away', () => {
  test('in the middle of a stream ends the loading of its pages', async () => {
    const stream = await service.search({ query: 'revoke a key', search_depth: 'exhaustive' }, accept)
    const reader = stream.body?.getReader()
    await expectEveryPageAsked()
    expect(hanging.open).toBe(3)
    await reader?.cancel()
    await expectEveryPageLetGo()
  })

  test('before its whole answer ends the loading of its pages', async () => {
    const client = sendRawSearch(service, { query: 'revoke a key', search_depth: 'exhaustive' })
    await expectEveryPageAsked()
    client.destroy()
    await once(client, 'close')
    await expectEveryPageLetGo()
  })

  test('leaves its place to the next one', async () => {
    const stream = await service.search({ query: 'revoke a key', search_depth: 'exhaustive' }, accept)
    await expectEveryPageAsked()
    await stream.body?.cancel()
    site.find('/keys')
    const response = await service.search({ query: 'revoke a key' })
    expect(response.status).toBe(200)
    await expectEveryPageLetGo()
  })
})

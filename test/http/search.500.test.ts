import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({})
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

describe('500', () => {
  test.each([500, 502, 403, 404])('is the answer when the only search engine answers %i', async (status) => {
    site.breakEngine(status)
    const response = await service.search({ query: 'anything' })
    expect(response.status).toBe(500)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    expect(await response.json()).toMatchObject({ status: 500, code: 'search_unavailable', retryable: true })
  })

  test('tells the caller nothing of what is inside, and the log everything', async () => {
    site.breakEngine(403)
    const text = await (await service.search({ query: 'anything' })).text()
    expect(text).not.toContain(new URL(site.engineUrl).port)
    expect(text).not.toMatch(/searxng|\bat \w+ \(|node_modules|\.ts:/iu)
    expect(service.logged.join('\n')).toMatch(/searxng/iu)
  })

  test('an engine that finds nothing is no failure: 200 with no results', async () => {
    site.breakEngine(null)
    site.find()
    const fresh = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
    const response = await fresh.search({ query: 'anything' })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ query: 'anything', results: [] })
    await fresh.close()
  })

  test('an engine whose every hit leads to something else than a page has failed, and the log says why', async () => {
    site.breakEngine(null)
    site.find('javascript:alert(1)', 'ftp://example.org/file', 'mailto:someone@example.org')
    const fresh = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
    const response = await fresh.search({ query: 'anything' })
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ code: 'search_unavailable', retryable: true })
    expect(fresh.logged.join('\n')).toContain('no entry of the answer has the address of a page')
    await fresh.close()
  })

  test('an unexpected error is a bare 500 that names only the request id', async () => {
    const fresh = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
    await fresh.service.accounts.close()
    const response = await fresh.search({ query: 'anything' })
    expect(response.status).toBe(500)
    const problem = (await response.json()) as Record<string, unknown>
    expect(problem).toMatchObject({
      code: 'internal_error',
      request_id: response.headers.get('x-request-id'),
    })
    expect(JSON.stringify(problem)).not.toMatch(/sqlite|database|closed/iu)
    await fresh.close()
  })
})

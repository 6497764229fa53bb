import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({ '/keys': { html: article('Managing keys', [TEXT]) } })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const ask = (body: unknown, key = service.key, settings = ''): Promise<Response> =>
  fetch(`${service.url}/compat/open-webui/search${settings}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('the external search of Open WebUI', () => {
  test('gets link, title and snippet of each page', async () => {
    const response = await ask({ query: 'How do I revoke a key?', count: 3 })
    expect(response.status).toBe(200)
    const results = (await response.json()) as { link: string; title: string; snippet: string }[]
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ link: `${site.siteUrl}/keys`, title: 'Managing keys' })
    expect(results[0]?.snippet).toContain('revoked at any time')
  })

  test('searches in the language that its address names, and as deep', async () => {
    const query = 'When does the revocation of a key take effect?'
    const english = await ask({ query }, service.key, '?search_depth=precise')
    expect(await english.json()).toHaveLength(1)
    const german = await ask({ query }, service.key, '?language=de')
    expect(await german.json()).toEqual([])
    const wrong = await ask({ query: 'q' }, service.key, '?search_depth=bottomless')
    expect(wrong.status).toBe(400)
    expect(JSON.stringify(await wrong.json())).toContain('search_depth')
  })

  test('refuses what its address says and nobody would heed, by name', async () => {
    const refused = await ask(
      { query: 'q' },
      service.key,
      '?language=en&recency=day&include_domains=a.example',
    )
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        detail:
          'The address may hold language, search_depth, max_total_characters; it holds "recency", "include_domains", too.',
      },
    ])
  })

  test('is refused without a key and without a query', async () => {
    expect((await ask({ query: 'q' }, 'wrong')).status).toBe(401)
    expect((await ask({ count: 3 })).status).toBe(400)
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { SearchResponse } from '../../../src/contract.ts'
import type { VerifyResponse } from '../../../src/contract/verify.ts'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

const TEXT =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'

let version = 'first'
let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': {
      answer: (_, response) =>
        response
          .setHeader('Content-Type', 'text/html')
          .end(article('Keys', [`${TEXT} This is the ${version} version.`])),
    },
    '/gone': { answer: (_, response) => response.writeHead(410).end() },
  })
  service = await startService({
    SEARCH_PROVIDERS: 'searxng',
    SEARXNG_URL: site.engineUrl,
  })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const ask = (body: unknown): Promise<Response> =>
  fetch(`${service.url}/v1/verify`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('POST /v1/verify', () => {
  test('says of each quote whether and where it stands on the page', async () => {
    const response = await ask({
      url: `${site.siteUrl}/keys`,
      quotes: ['revoked at any time', 'REVOKED  at any time', 'Keys never expire'],
    })
    expect(response.status).toBe(200)
    const { quotes, warning, url } = (await response.json()) as VerifyResponse
    expect(quotes.map((quote) => quote.match)).toEqual(['exact', 'normalised', 'none'])
    expect((quotes[0]?.end ?? 0) - (quotes[0]?.start ?? 0)).toBe('revoked at any time'.length)
    expect([warning, url]).toEqual([null, `${site.siteUrl}/keys`])
  })

  test('every snippet of an answer with proof is found exactly, at its offsets, even after the page has changed', async () => {
    site.find('/keys')
    const found = (await (
      await service.search({ query: 'revoke a key', include: ['proof'] })
    ).json()) as SearchResponse
    const result = found.results[0]
    version = 'second'
    const body = {
      content_sha256: result?.content_sha256,
      quotes: result?.snippets.map((snippet) => snippet.text),
    }
    const { quotes } = (await (await ask(body)).json()) as VerifyResponse
    expect(quotes.length).toBeGreaterThan(0)
    for (const [index, quote] of quotes.entries()) {
      const snippet = result?.snippets[index]
      expect(quote).toMatchObject({ match: 'exact', start: snippet?.start, end: snippet?.end })
    }
  })

  test('of a kept page it says whether each quote still stands on the page as it is now', async () => {
    site.find('/keys')
    version = 'third'
    const search = await service.search({ query: 'revoke a key', include: ['proof'] })
    const result = ((await search.json()) as SearchResponse).results[0]
    version = 'fourth'
    const kept = `This is the ${/This is the (\w+) version/u.exec(result?.snippets[0]?.text ?? '')?.[1]} version.`
    const quotes = [
      'revoked at any time',
      `every later request with the revoked key is refused`,
      'Never there',
    ]
    const response = await ask({
      content_sha256: result?.content_sha256,
      quotes: [...quotes, kept],
      recheck: true,
    })
    const checked = (await response.json()) as VerifyResponse
    expect(checked.recheck?.content_sha256).not.toBe(checked.content_sha256)
    expect(checked.quotes.map(({ now }) => now?.standing ?? null)).toEqual([
      'stands',
      'stands',
      null,
      'changed',
    ])
    expect((await ask({ url: `${site.siteUrl}/keys`, quotes, recheck: true })).status).toBe(422)
  })

  test('where the operator keeps no page texts, no digest is known', async () => {
    const forgetful = await startService({
      SEARCH_PROVIDERS: 'searxng',
      SEARXNG_URL: site.engineUrl,
      PROOF_KEEP_MINUTES: '0',
    })
    site.find('/keys')
    const found = (await (
      await forgetful.search({ query: 'revoke a key', include: ['proof'] })
    ).json()) as SearchResponse
    const digest = found.results[0]?.content_sha256
    expect(digest).toMatch(/^[0-9a-f]{64}$/u)
    const response = await fetch(`${forgetful.url}/v1/verify`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${forgetful.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ content_sha256: digest, quotes: ['x'] }),
    })
    expect(await response.json()).toMatchObject({ status: 404, code: 'capture_unknown' })
    await forgetful.close()
  })

  test('a digest that is not kept is 404', async () => {
    const response = await ask({ content_sha256: 'a'.repeat(64), quotes: ['x'] })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'capture_unknown' })
  })

  test('a page that cannot be read is an answer with a warning, and holds no quote', async () => {
    const response = await ask({ url: `${site.siteUrl}/gone`, quotes: ['revoked'] })
    expect(response.status).toBe(200)
    const { quotes, warning } = (await response.json()) as VerifyResponse
    expect(warning).toContain('410')
    expect(quotes).toEqual([{ quote: 'revoked', match: 'none', start: null, end: null }])
  })

  test('a private address is refused like everywhere', async () => {
    const { warning } = (await (
      await ask({ url: 'http://10.0.0.1/', quotes: ['x'] })
    ).json()) as VerifyResponse
    expect(warning).not.toBeNull()
  })

  test('a document of the library is checked by the address that a search gives it, and no other file is opened', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'verbatim-verify-'))
    try {
      const [indexed, other] = [join(folder, 'indexed.txt'), join(folder, 'other.txt')]
      for (const path of [indexed, other]) await writeFile(path, TEXT)
      const url = pathToFileURL(indexed).href
      const about = { title: 'Keys', text: TEXT, language: 'en', publishedAt: null, updatedAt: null }
      await service.service.library.putPage({ url, ...about }, url)
      const quotes = ['revoked at any time']
      const found = (await (await ask({ url, quotes })).json()) as VerifyResponse
      expect(found).toMatchObject({ url, warning: null, quotes: [{ match: 'exact' }] })
      const refused = await ask({ url: pathToFileURL(other).href, quotes })
      expect(await refused.json()).toMatchObject({
        content_sha256: null,
        warning: 'The page leads to an address that this service does not open.',
        quotes: [{ match: 'none' }],
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test.each([
    [{ quotes: ['x'] }],
    [{ url: 'http://a.test/', content_sha256: 'a'.repeat(64), quotes: ['x'] }],
    [{ url: 'ftp://a.test/', quotes: ['x'] }],
    [{ url: 'http://a.test/', quotes: [] }],
    [{ url: 'http://a.test/', quotes: 'x' }],
    [{ url: 'http://a.test/', quotes: [''] }],
    [{ url: 'http://a.test/', quotes: Array.from({ length: 51 }, () => 'x') }],
    [{ url: `http://a.test/${'x'.repeat(LIMITS.urlCharacters)}`, quotes: ['x'] }],
    [{ content_sha256: 'short', quotes: ['x'] }],
  ])('%j is 422', async (body) => {
    const response = await ask(body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'validation_failed' })
  })

  test('needs a key', async () => {
    const response = await fetch(`${service.url}/v1/verify`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
  })
})

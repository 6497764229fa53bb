import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBundle } from '../../../packages/verify/check-bundle.mjs'
import type { SearchResponse } from '../../../src/contract.ts'
import type { Bundle, KeyList } from '../../../src/contract/bundle.ts'
import type { ReadResponse } from '../../../src/contract/read.ts'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

const TEXT =
  'A key can be revoked at any time in the dashboard – “at once”. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for 🔑.'
const HTML = article('Keys', [TEXT])

let site: SearchSite
let service: TestService
let keys: KeyList
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': { html: HTML },
    '/old': { answer: (_, response) => response.writeHead(301, { Location: '/keys' }).end() },
    '/gone': { answer: (_, response) => response.writeHead(410).end() },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  keys = (await (await fetch(`${service.url}/.well-known/verbatim-keys.json`)).json()) as KeyList
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const get = (path: string): Promise<Response> =>
  fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${service.key}` } })
const post = async (path: string, body: unknown): Promise<unknown> => {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('include: ["bundle"]', () => {
  test('gives each quoted page of a search a signed bundle of at most 2 KB that holds to the listed key', async () => {
    site.find('/old', '/gone')
    const { results } = (await post('/v1/search', {
      query: 'revoke a key',
      include: ['bundle'],
    })) as SearchResponse
    const [result, gone] = results
    expect(gone?.bundle).toBeNull()
    expect(result).not.toHaveProperty('content_sha256')
    expect(result?.snippets[0]).not.toHaveProperty('start')
    expect(JSON.stringify(result?.bundle).length).toBeLessThanOrEqual(2_048)
    const { statement, snippets, isTextChecked } = checkBundle(result?.bundle, keys)
    expect(snippets).toEqual(result?.snippets.map(({ text }) => text))
    expect(isTextChecked).toBe(false)
    expect(statement).toMatchObject({
      issuer: service.url,
      url: `${site.siteUrl}/old`,
      final_url: `${site.siteUrl}/keys`,
      capture: { sha256: sha256(HTML), bytes: Buffer.byteLength(HTML), media_type: 'text/html' },
    })
  })

  test('gives pages that are read one, too, with and without passages', async () => {
    const url = `${site.siteUrl}/keys`
    const whole = (await post('/v1/read', { url, include: ['bundle'] })) as ReadResponse
    expect(checkBundle(whole.results[0]?.bundle, keys).snippets).toEqual([])
    const asked = { url, query: 'revoke a key', include: ['bundle', 'proof'] }
    const found = ((await post('/v1/read', asked)) as ReadResponse).results[0]
    const { statement, snippets } = checkBundle(found?.bundle, keys)
    expect(snippets).toEqual(found?.snippets.map(({ text }) => text))
    expect(statement.text.sha256).toBe(found?.content_sha256)
    expect(statement.snippets[0]).toMatchObject({ start: found?.snippets[0]?.start })
  })

  test('adds nothing to an answer that did not ask for it', async () => {
    site.find('/keys')
    const { results } = (await post('/v1/search', { query: 'keys', include: ['proof'] })) as SearchResponse
    expect(results[0]).not.toHaveProperty('bundle')
  })
})

describe('GET /v1/proofs/{sha256}', () => {
  const contentSha256 = async (): Promise<string> => {
    site.find('/keys')
    const body = { query: 'revoke a key', include: ['proof'] }
    return ((await post('/v1/search', body)) as SearchResponse).results[0]?.content_sha256 ?? ''
  }

  test('hands out a bundle with the text, in which every asked-for passage is found again without the service', async () => {
    const digest = await contentSha256()
    const whole = (await (await get(`/v1/proofs/${digest}`)).json()) as Bundle
    const start = whole.text?.indexOf('The revocation') ?? -1
    const response = await get(`/v1/proofs/${digest}?spans=0-4,${start}-${start + 14}`)
    const { statement, snippets, isTextChecked } = checkBundle(await response.json(), keys)
    expect([snippets, isTextChecked]).toEqual([['Keys', 'The revocation'], true])
    expect(statement.text.sha256).toBe(digest)
  })

  test('refuses what is no digest, is not kept, or is no part of the text', async () => {
    const digest = await contentSha256()
    const { text = '' } = (await (await get(`/v1/proofs/${digest}`)).json()) as Bundle
    const inside = text.indexOf('🔑') + 1
    const statuses = await Promise.all(
      [
        `/v1/proofs/${'0'.repeat(64)}`,
        '/v1/proofs/x',
        `/v1/proofs/${digest}?spans=4-4`,
        `/v1/proofs/${digest}?spans=1-2&spans=3-4`,
        `/v1/proofs/${digest}?spans=0-${text.length + 1}`,
        `/v1/proofs/${digest}?spans=0-${inside}`,
      ].map(async (path) => (await get(path)).status),
    )
    expect(statuses).toEqual([404, 422, 422, 422, 422, 422])
    expect((await fetch(`${service.url}/v1/proofs/${digest}`)).status).toBe(401)
  })

  test('signs on with the same key after a restart', async () => {
    const again = await startService({ DATA_DIR: service.dataDir, SEARCH_PROVIDERS: 'library' })
    const listed = await (await fetch(`${again.url}/.well-known/verbatim-keys.json`)).json()
    expect(listed).toEqual(keys)
    expect(JSON.stringify(listed)).not.toMatch(/"d"/u)
    await again.close()
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../../src/contract.ts'
import type { AnswerCheckResponse } from '../../../src/contract/answer-check.ts'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

const KEYS =
  'A key can be revoked at any time in the dashboard. The revocation takes effect within one second on every replica, and every later request with the revoked key is refused with status 401, whatever it asks for.'
const LIMITS =
  'Each key may ask sixty times a minute unless its owner was given more. Whatever comes beyond that is refused with status 429 and a header that says how many seconds to wait.'

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    '/keys': {
      answer: (_, response) => response.setHeader('Content-Type', 'text/html').end(article('Keys', [KEYS])),
    },
    '/limits': {
      answer: (_, response) =>
        response.setHeader('Content-Type', 'text/html').end(article('Limits', [LIMITS])),
    },
    '/gone': { answer: (_, response) => response.writeHead(410).end() },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
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

async function check(answer: string, paths: readonly string[]): Promise<AnswerCheckResponse> {
  const response = await ask({ answer, sources: paths.map((path) => `${site.siteUrl}${path}`) })
  expect(response.status).toBe(200)
  return (await response.json()) as AnswerCheckResponse
}

describe('POST /v1/verify with an answer', () => {
  test('every quote is told for what it is, with what truly stands there, and a statement gets its nearest passage', async () => {
    const { claims, sources } = await check(
      [
        'The page says “a key can be revoked at any time in the dashboard” [1].',
        'It adds: "takes effect within two seconds on every replica" [1].',
        'Also, "every key must be renewed by its owner each January" [2].',
        'Revoked keys get an error when they are used [1].',
        '"Each key may ask sixty times a minute" [1].',
      ].join('\n\n'),
      ['/keys', '/limits'],
    )
    expect(
      claims.map(({ kind, match, source, wrong_source }) => [kind, match, source, wrong_source]),
    ).toEqual([
      ['quotation', 'typographic', 0, false],
      ['quotation', 'altered', 0, false],
      ['quotation', 'absent', null, false],
      ['statement', 'not_a_quote', null, false],
      ['quotation', 'exact', 1, true],
    ])
    expect(claims[1]?.diff).toEqual([
      { op: 'same', text: 'takes effect within' },
      { op: 'page', text: 'one second' },
      { op: 'quote', text: 'two seconds' },
      { op: 'same', text: 'on every replica' },
    ])
    expect(claims[1]?.place?.text).toBe('takes effect within one second on every replica')
    expect(claims[0]?.place?.text_fragment_url).toContain('#:~:text=')
    expect(claims[3]?.nearest?.text).toContain('refused with status 401')
    expect(sources.map(({ warning }) => warning)).toEqual([null, null])
  })

  test('a source that cannot be read is answered with its warning, and the others are looked through', async () => {
    const { claims, sources } = await check('"Each key may ask sixty times a minute" [1].', [
      '/gone',
      '/limits',
    ])
    expect(sources[0]?.warning).not.toBeNull()
    expect(claims[0]).toMatchObject({ match: 'exact', source: 1, wrong_source: true })
  })

  test('a text known by its digest is a source like any other; an unknown digest is a 404', async () => {
    site.find('/keys')
    const found = (await (
      await service.search({ query: 'revoke a key', include: ['proof'] })
    ).json()) as SearchResponse
    const digest = found.results[0]?.content_sha256 ?? ''
    const known = await ask({ answer: 'It says "revoked at any time in the dashboard".', sources: [digest] })
    expect((await known.json()) as AnswerCheckResponse).toMatchObject({
      claims: [{ match: 'exact', source: 0 }],
    })
    expect((await ask({ answer: 'x', sources: ['0'.repeat(64)] })).status).toBe(404)
  })

  test('an answer that is too long, and sources that are no addresses, are refused with the field named', async () => {
    const refused = await ask({ answer: 'x'.repeat(20_001), sources: ['nowhere'] })
    expect(refused.status).toBe(422)
    const { errors } = (await refused.json()) as { errors: { pointer: string }[] }
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/answer', '/sources/0'])
  })

  test('quotes beside an answer are refused, not passed over as if they had been checked', async () => {
    const url = 'https://a.example/'
    const beside = { quotes: ['never looked for'], url, recheck: true }
    const refused = await ask({ answer: 'x', sources: [url], ...beside })
    expect(refused.status).toBe(422)
    const { errors } = (await refused.json()) as { errors: { pointer: string; message: string }[] }
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/quotes', '/url', '/recheck'])
    expect(errors[0]?.message).toMatch(/beside answer/u)
  })
})

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const expectBadRequest = async (response: Response): Promise<Record<string, unknown>> => {
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  const problem = (await response.json()) as Record<string, unknown>
  expect(problem).toMatchObject({
    status: 400,
    code: 'invalid_request',
    title: 'Bad Request',
    retryable: false,
  })
  return problem
}

describe('400: the query', () => {
  test.each([
    ['missing', {}],
    ['null', { query: null }],
    ['a number', { query: 7 }],
    ['a list', { query: ['q'] }],
    ['an object', { query: { text: 'q' } }],
    ['true', { query: true }],
    ['empty', { query: '' }],
    ['blank', { query: ' \t\n ' }],
    ['invisible', { query: '\u200B\u2060' }],
    ['longer than the documented limit', { query: 'a'.repeat(LIMITS.queryCharacters + 1) }],
    ['half a surrogate pair', { query: 'a\uD83D' }],
  ])('%s is refused, and the answer names it', async (_, body) => {
    const problem = await expectBadRequest(await service.search(body))
    expect(problem['errors']).toMatchObject([{ pointer: '/query' }])
    expect(problem['detail']).toContain('query')
  })

  test('is judged before the other fields', async () => {
    await expectBadRequest(await service.search({ query: '', num_results: 99 }))
  })

  test('of exactly the documented limit is accepted', async () => {
    expect((await service.search({ query: 'a'.repeat(LIMITS.queryCharacters), num_results: 0 })).status).toBe(
      422,
    )
  })
})

describe('400: a body that is not encoded as its Content-Encoding says', () => {
  const whole = gzipSync(JSON.stringify({ query: 'q' }))
  test.each([
    ['plain under gzip', 'gzip', '{"query":"q"}'],
    ['plain under deflate', 'deflate', '{"query":"q"}'],
    ['plain under br', 'br', '{"query":"q"}'],
    ['cut off', 'gzip', whole.subarray(0, 12)],
  ])("%s is refused as the caller's mistake and no failure of ours", async (_what, encoding, body) => {
    service.logged.length = 0
    const problem = await expectBadRequest(await service.post(body, { 'Content-Encoding': encoding }))
    expect(problem['detail']).toContain('Content-Encoding')
    expect(service.logged.join('')).not.toContain('"stack"')
  })
})

describe('400: the body', () => {
  test.each([
    ['empty', ''],
    ['blank', '  '],
    ['cut off', '{"query":"q"'],
    ['not JSON', 'query=q'],
    ['JSON with a trailing comma', '{"query":"q",}'],
    ['two documents', '{"query":"q"}{}'],
    ['a list', '[{"query":"q"}]'],
    ['a string', '"q"'],
    ['a number', '7'],
    ['null', 'null'],
  ])('%s is refused', async (_, body) => {
    await expectBadRequest(await service.post(body))
  })

  test('that is not UTF-8 is refused rather than mended', async () => {
    await expectBadRequest(await service.post(Buffer.from([0x7b, 0x22, 0x71, 0xff, 0x22, 0x3a, 0x31, 0x7d])))
  })

  test('that is absent is refused', async () => {
    await expectBadRequest(await service.post(undefined))
  })

  test('is read under an empty label as under none', async () => {
    const response = await service.post('{"query":" "}', { 'Content-Type': '' })
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/query' }] })
  })

  test.each(['json', 'application/', 'application/json, application/json'])(
    'is read under a label that names no type (%s), and that it is one is told',
    async (label) => {
      expect((await service.post('{"query":"q"}', { 'Content-Type': label })).status).toBe(415)
      const problem = await expectBadRequest(await service.post('{"query"', { 'Content-Type': label }))
      expect(problem['detail']).toContain('not valid JSON')
    },
  )

  test.each(['GZIP', 'x-gzip'])('is read under any name of its encoding (%s)', async (encoding) => {
    const body = gzipSync(JSON.stringify({ query: ' ' }))
    const response = await service.post(body, { 'Content-Encoding': encoding })
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/query' }] })
  })

  test('that is not JSON is refused whatever its label says', async () => {
    await expectBadRequest(
      await service.post('query=q', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    )
  })

  test('that is deeply nested is refused or read, never a failure of ours', async () => {
    const deep = `{"query":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    await expectBadRequest(await service.post(deep))
  })

  test('with hostile member names changes nothing but itself', async () => {
    await expectBadRequest(
      await service.post('{"__proto__":{"query":"q"},"constructor":{"prototype":{"query":"q"}}}'),
    )
    expect(({} as Record<string, unknown>)['query']).toBeUndefined()
  })
})

describe('neither 400 nor 500', () => {
  test('JSON under another label is 415', async () => {
    const response = await service.post('{"query":"q"}', { 'Content-Type': 'text/plain' })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' })
  })

  test('a body over the limit is 413, compressed or not', async () => {
    const large = JSON.stringify({ query: 'q', padding: 'x'.repeat(LIMITS.bodyBytes) })
    expect((await service.post(large)).status).toBe(413)
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 0x20))
    const response = await service.post(bomb, { 'Content-Encoding': 'gzip' })
    expect(response.status).toBe(413)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
  })

  test('an unknown Content-Encoding is 415', async () => {
    expect((await service.post('x', { 'Content-Encoding': 'zebra' })).status).toBe(415)
  })
})

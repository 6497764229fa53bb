import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('GET /health', () => {
  test('answers ok without a key', async () => {
    const response = await fetch(`${service.url}/health`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toEqual({ status: 'ok' })
  })

  test('needs no key and minds none', async () => {
    const response = await fetch(`${service.url}/health`, { headers: { Authorization: 'Bearer nonsense' } })
    expect(response.status).toBe(200)
  })
})

describe('an address', () => {
  test('that does not exist is 404 as problem+json', async () => {
    const response = await fetch(`${service.url}/v1/nothing-here`)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' })
  })

  test.each([
    ['GET', '/v1/search', 'POST'],
    ['DELETE', '/v1/search', 'POST'],
    ['POST', '/health', 'HEAD, GET'],
  ])('asked with the wrong method (%s %s) is 405 and says which it answers', async (method, path, allow) => {
    const response = await fetch(`${service.url}${path}`, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
  })

  test('a sane request id of the caller comes back, any other is replaced', async () => {
    const ask = async (id: string) =>
      (await fetch(`${service.url}/health`, { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')
    expect(await ask('trace-42')).toBe('trace-42')
    expect(await ask('x'.repeat(65))).toMatch(/^req_[0-9a-f]{24}$/u)
    expect(await ask('a b')).toMatch(/^req_[0-9a-f]{24}$/u)
  })
})

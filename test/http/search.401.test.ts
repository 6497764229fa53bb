import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mintKey } from '../../src/accounts/keys/key.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const ask = (
  authorization: string | null,
  body: BodyInit = JSON.stringify({ query: 'q' }),
): Promise<Response> =>
  fetch(`${service.url}/v1/search`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(authorization === null ? {} : { Authorization: authorization }),
    },
    body,
  })

/** The problem document without what differs from request to request. */
const faceOf = async (response: Response): Promise<unknown> => {
  const { request_id: requestId, ...face } = (await response.json()) as Record<string, unknown>
  expect(requestId).toBe(response.headers.get('x-request-id'))
  return face
}

describe('401', () => {
  test('missing, malformed, unknown and revoked keys are refused alike, with no hint which', async () => {
    const { record, key: revoked } = await service.service.accounts.keys.create({
      name: 'gone',
      ownerId: null,
    })
    await service.service.accounts.keys.revoke(record.id, { userId: null })
    const refused = [
      null,
      '',
      'Bearer',
      'Bearer ',
      'Bearer vbt_short',
      `Bearer ${service.key.slice(0, -1)}`,
      `Bearer ${service.key}x`,
      `Bearer ${service.key.toUpperCase()}`,
      `Bearer ${mintKey()}`,
      `Bearer ${revoked}`,
      `Basic ${Buffer.from(`user:${service.key}`).toString('base64')}`,
      service.key,
      `Bearer ${service.key} ${service.key}`,
      `Bearer: ${service.key}`,
    ]
    const faces = []
    for (const authorization of refused) {
      const response = await ask(authorization)
      expect([authorization, response.status]).toEqual([authorization, 401])
      expect(response.headers.get('content-type')).toContain('application/problem+json')
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      faces.push(await faceOf(response))
    }
    expect(new Set(faces.map((face) => JSON.stringify(face))).size).toBe(1)
  })

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'the scheme %s is accepted in any case',
    async (scheme) => {
      const response = await ask(`${scheme} ${service.key}`, '{}')
      expect(response.status).toBe(400)
    },
  )

  test('a key in the query string or another header is no key', async () => {
    const response = await fetch(`${service.url}/v1/search?key=${service.key}`, {
      method: 'POST',
      headers: { 'X-API-Key': service.key },
      body: '{"query":"q"}',
    })
    expect(response.status).toBe(401)
  })

  test.each(['', 'not json', '[]', '{"query":7,"num_results":99}', 'x'.repeat(300_000)])(
    'comes before anything of the body is judged (%#)',
    async (body) => {
      expect((await ask('Bearer wrong', body)).status).toBe(401)
    },
  )

  test('comes before the body has even arrived', async () => {
    const { hostname, port } = new URL(service.url)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest({
        hostname,
        port,
        path: '/v1/search',
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': '1000' },
      })
      request.on('response', (response) => {
        resolve(response.statusCode)
        request.destroy()
      })
      request.on('error', reject)
      request.write('{"query":')
    })
    expect(status).toBe(401)
  })

  test('a revoked key is refused at once', async () => {
    const { record, key } = await service.service.accounts.keys.create({ name: 'short-lived', ownerId: null })
    expect((await ask(`Bearer ${key}`, '{}')).status).toBe(400)
    await service.service.accounts.keys.revoke(record.id, { userId: null })
    expect((await ask(`Bearer ${key}`, '{}')).status).toBe(401)
  })

  test('no key that was sent, good or bad, ever reaches the log', async () => {
    const wrong = mintKey()
    await ask(`Bearer ${wrong}`)
    await ask(`Bearer ${service.key}`, 'broken')
    expect(service.logged.join('\n')).not.toContain(wrong.slice(4, 30))
    expect(service.logged.join('\n')).not.toContain(service.key.slice(4, 30))
  })
})

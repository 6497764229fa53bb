// A search while the database of the keys is away: a real PostgreSQL, killed and started again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, startPostgres, type PostgresServer } from '../support/postgres.ts'
import { startService, type TestService } from '../support/service.ts'

const TOLD_AWAY = 'the account store does not answer; requests'

describe.skipIf(!hasPostgres)('503', () => {
  let server: PostgresServer
  let service: TestService
  beforeAll(async () => {
    server = await startPostgres()
    service = await startService({ DATABASE_URL: await server.createDatabase() })
  })
  afterAll(async () => {
    await service.close()
    await server.stop()
  })
  const told = (words: string): string[] => service.logged.filter((line) => line.includes(words))

  test('is the answer to a valid key while its database is away, told once to the log with the reason', async () => {
    await server.kill()
    for (const _ of [1, 2, 3]) {
      const response = await service.search({ query: 'anything' })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('5')
      expect(response.headers.get('content-type')).toContain('application/problem+json')
      expect(await response.json()).toEqual({
        type: '/docs/errors#store_unavailable',
        title: 'Service Unavailable',
        status: 503,
        code: 'store_unavailable',
        detail: 'A database of this service does not answer. Try again in 5 s.',
        request_id: response.headers.get('x-request-id'),
        retryable: true,
      })
    }
    expect(told(TOLD_AWAY)).toHaveLength(1)
    expect(told(TOLD_AWAY)[0]).toContain('ECONNREFUSED')
    expect(service.logged.filter((line) => /"level":50.*"stack"/u.test(line))).toEqual([])
    expect(await (await fetch(`${service.url}/ready`)).json()).toMatchObject({ reasons: ['store'] })
  })

  test('is over with the outage, without a restart, and that is told once, too', async () => {
    await server.start()
    for (const _ of [1, 2]) expect((await service.search({ query: 'revoke a key' })).status).toBe(200)
    expect(told('the account store answers again')).toHaveLength(1)
  })

  test('says nothing of a key that is none: that is known without the database', async () => {
    await server.kill()
    const response = await service.search({ query: 'anything' }, { Authorization: 'Bearer vbt_made-up' })
    expect(response.status).toBe(401)
  })
})

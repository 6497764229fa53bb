import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('what callers ask is what the overview tells: requests, searches, refusals, and each by its id, without its words', async () => {
  const query = 'How do I revoke an API key?'
  for (let index = 0; index < 4; index += 1) {
    const answer = await service.search({ query }, { 'X-Request-Id': `asked-${index}` })
    expect(answer.status).toBe(200)
  }
  expect((await service.search({ query, num_results: 99 }, { 'X-Request-Id': 'refused-1' })).status).toBe(422)
  expect((await service.search({ query }, { Authorization: 'Bearer none' })).status).toBe(401)
  await fetch(`${service.url}/health`)
  const { activity } = service.service.accounts
  // The end of a request is told after its answer.
  await expect
    .poll(
      async () => {
        await activity.flush()
        return (await activity.figures('24h')).requests.total
      },
      { timeout: 60_000 },
    )
    .toBe(6)
  const figures = await activity.figures('30d')
  expect(figures).toMatchObject({
    requests: { total: 6, refused: 2, rateLimited: 0, failed: 0 },
    searches: { total: 4, answered: 4, failed: 0 },
    engines: [{ name: 'library', answered: 4, failed: 0 }],
  })
  expect(figures.pages.total).toBeGreaterThan(0)
  const { requests } = await activity.requests({ requestId: 'asked-2', limit: 5 })
  expect(requests).toMatchObject([
    { route: '/v1/search', status: 200, code: null, depth: 'balanced', engine: 'library', query: null },
  ])
  expect((await activity.requests({ requestId: 'refused-1', limit: 5 })).requests).toMatchObject([
    { status: 422, depth: null, engine: null },
  ])
})

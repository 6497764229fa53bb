import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { article, startSearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
const start = async (environment: NodeJS.ProcessEnv): Promise<TestService> => {
  const service = await startService(environment)
  closers.push(() => service.close())
  return service
}

describe('429: the rate limit', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_POINTS: '2', RATE_LIMIT_DURATION_SECONDS: '60' })
  })
  afterAll(() => service.close())
  /** The header of a key that has spent nothing yet; `points` when it has a limit of its own. */
  async function newKey(points: number | null = null): Promise<Record<string, string>> {
    const options = { name: 'test', ownerId: null, rateLimitPoints: points }
    return { Authorization: `Bearer ${(await service.service.accounts.keys.create(options)).key}` }
  }

  test('allows exactly its points in a window, then refuses with Retry-After', async () => {
    const key = await newKey(3)
    const answers = await Promise.all(Array.from({ length: 8 }, () => service.search({ query: '' }, key)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      400, 400, 400, 429, 429, 429, 429, 429,
    ])
    const refused = answers.find((answer) => answer.status === 429)
    const seconds = Number(refused?.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(refused?.headers.get('content-type')).toContain('application/problem+json')
    expect(await refused?.json()).toMatchObject({ status: 429, code: 'rate_limited', retryable: true })
  })

  test('is told in the headers of every answer, refused or not', async () => {
    const key = await newKey()
    const remaining = []
    for (let round = 0; round < 3; round += 1) {
      const { headers } = await service.search({ query: '' }, key)
      expect(headers.get('ratelimit-policy')).toBe('"default";q=2;w=60')
      expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/u)
      expect(headers.get('x-ratelimit-limit')).toBe('2')
      remaining.push(headers.get('x-ratelimit-remaining'))
    }
    expect(remaining).toEqual(['1', '0', '0'])
  })

  test('is counted per key, and a key may have its own', async () => {
    const [one, own] = [await newKey(), await newKey(3)]
    const statuses = []
    for (const headers of [one, one, one, own, own, own, own])
      statuses.push((await service.post('{}', headers)).status)
    expect(statuses).toEqual([400, 400, 429, 400, 400, 400, 429])
  })

  test('ends with its window', async () => {
    const brief = await start({ RATE_LIMIT_POINTS: '1', RATE_LIMIT_DURATION_SECONDS: '1' })
    // Asked until it refuses: on a busy machine a window may end between two requests.
    await expect.poll(async () => (await brief.post('{}')).status, { interval: 0 }).toBe(429)
    await expect.poll(async () => (await brief.post('{}')).status).toBe(400)
  })

  test('is judged before the body', async () => {
    const key = await newKey(1)
    await service.post('{}', key)
    expect((await service.post('not json', key)).status).toBe(429)
  })
})

describe('429: overload', () => {
  test.each([
    ['a whole answer', 'application/json'],
    ['a stream', 'application/x-ndjson'],
  ])(
    '%s that finds a full queue is refused at once, and those inside are answered',
    async (_name, accept) => {
      const site = await startSearchSite({
        '/slow': {
          answer: (_, response) =>
            void setTimeout(
              () => response.setHeader('Content-Type', 'text/html').end(article('Slow', ['Slow page.'])),
              1_500,
            ),
        },
      })
      closers.push(() => site.close())
      const service = await start({
        SEARCH_PROVIDERS: 'searxng',
        SEARXNG_URL: site.engineUrl,
        SEARCH_CONCURRENCY: '1',
        SEARCH_QUEUE: '1',
      })
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => service.search({ query: 'slow page' }, { Accept: accept })),
      )
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 429, 429, 429])
      const refused = answers.find((answer) => answer.status === 429)
      expect(refused?.headers.get('retry-after')).toBe('1')
      expect(await refused?.json()).toMatchObject({ code: 'overloaded', retryable: true })
      const answered = answers.filter((answer) => answer.status === 200)
      for (const text of await Promise.all(answered.map((answer) => answer.text()))) {
        expect(text).toContain('total_latency_ms')
      }
    },
  )
})

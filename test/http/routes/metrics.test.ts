import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { article, startSearchSite, type SearchSite } from '../../support/search-site.ts'
import { startService, type TestService } from '../../support/service.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function start(environment: NodeJS.ProcessEnv = {}): Promise<TestService> {
  const service = await startService(environment)
  closers.push(() => service.close())
  return service
}

const scrape = (service: TestService, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}/metrics`, { headers })

/** Waits for a line that matches: a request is counted when its answer is out, which its client may see first. */
async function expectLine(service: TestService, line: RegExp): Promise<void> {
  await expect.poll(async () => (await scrape(service)).text(), { timeout: 5_000 }).toMatch(line)
}

describe('GET /metrics', () => {
  let site: SearchSite
  let service: TestService
  beforeAll(async () => {
    site = await startSearchSite({
      '/tides': { html: article('Tides', ['The tide is high when the moon is overhead.']) },
      '/gone': { answer: (_, response) => void response.writeHead(410).end() },
      '/slow': { answer: () => undefined },
    })
    service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
  })
  afterAll(async () => {
    await service.close()
    await site.close()
  })

  test('without a token answers direct requests from this machine', async () => {
    const response = await scrape(service)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/u)
    expect(await response.text()).toMatch(/^nodejs_eventloop_lag_p99_seconds /mu)
  })

  test('without a token does not exist for a request that a proxy passed on', async () => {
    for (const header of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via'])
      expect((await scrape(service, { [header]: '127.0.0.1' })).status).toBe(404)
  })

  test('without a token does not exist under a name that is not this machine, whoever resolved it to loopback', async () => {
    const own = await start()
    const scrapeAs = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(`${own.url}/metrics`, { headers: { Host: host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .once('error', reject)
          .end()
      })
    const { port } = new URL(own.url)
    for (const host of [
      'attacker.example',
      `attacker.example:${port}`,
      '127.0.0.1.attacker.example',
      '10.0.0.1',
    ])
      expect(await scrapeAs(host)).toBe(404)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect(await scrapeAs(host)).toBe(200)
  })

  test.each([[{ PUBLIC_URL: 'https://search.example' }], [{ TRUST_PROXY: 'on' }]])(
    'without a token does not exist behind a proxy (%o), where every caller looks local',
    async (environment) => {
      expect((await scrape(await start(environment))).status).toBe(404)
    },
  )

  test('with a token answers whoever has it and nobody else', async () => {
    const token = 'a-token-of-prometheus'
    const guarded = await start({ METRICS_TOKEN: token, PUBLIC_URL: 'https://search.example' })
    expect((await scrape(guarded, { Authorization: `Bearer ${token}` })).status).toBe(200)
    for (const wrong of [
      {},
      { Authorization: `Bearer ${token}x` },
      { Authorization: `Bearer ${guarded.key}` },
    ]) {
      const response = await scrape(guarded, wrong)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ code: 'unauthorized' })
    }
  })

  test('counts a search with its pages, and holds no address, host, query or key', async () => {
    site.find('/tides', '/gone')
    const answer = await service.search({ query: 'unmistakable question about tides' })
    expect(answer.status).toBe(200)
    await expectLine(
      service,
      /^verbatim_http_requests_total\{method="POST",route="\/v1\/search",status="200"\} 1$/mu,
    )
    const text = await (await scrape(service)).text()
    expect(text).toMatch(/^verbatim_searches_total\{depth="balanced",outcome="answered"\} 1$/mu)
    expect(text).toMatch(/^verbatim_pages_total\{outcome="read",reader="static"\} 1$/mu)
    expect(text).toMatch(/^verbatim_pages_total\{outcome="gone",reader="none"\} 1$/mu)
    expect(text).toMatch(/^verbatim_provider_answers_total\{provider="searxng"\} 1$/mu)
    for (const secret of ['127.0.0.1', 'unmistakable', 'tides', service.key])
      expect(text).not.toContain(secret)
  })

  test('counts refusals of either quota, and engines that fail', async () => {
    const options = { name: 'one point', ownerId: null, rateLimitPoints: 1 }
    const own = { Authorization: `Bearer ${(await service.service.accounts.keys.create(options)).key}` }
    site.breakEngine(500)
    expect((await service.search({ query: 'anything' }, own)).status).toBe(500)
    expect((await service.search({ query: 'anything' }, own)).status).toBe(429)
    site.breakEngine(null)
    await expectLine(service, /^verbatim_rate_limit_refusals_total\{quota="key"\} 1$/mu)
    const text = await (await scrape(service)).text()
    expect(text).toMatch(/^verbatim_provider_failures_total\{provider="searxng",failure="\w+"\} [1-9]/mu)
    expect(text).toMatch(/^verbatim_searches_total\{depth="balanced",outcome="search_unavailable"\} 1$/mu)
  })

  test('the callers own words never become a label', async () => {
    await fetch(`${service.url}/made-up-${'x'.repeat(20)}?key=1`)
    await new Promise<void>((resolve, reject) => {
      request(`${service.url}/other-made-up`, { method: 'PROPFIND' }, (response) => {
        response.resume().once('end', resolve)
      })
        .once('error', reject)
        .end()
    })
    await expectLine(
      service,
      /^verbatim_http_requests_total\{method="other",route="other",status="40[45]"\} 1$/mu,
    )
    const text = await (await scrape(service)).text()
    expect(text).not.toContain('made-up')
    expect(text).not.toContain('PROPFIND')
  })

  test('a search whose client went away is counted as 499 and gone', async () => {
    site.find('/slow')
    const before = site.asked.length
    const controller = new AbortController()
    const gone = fetch(`${service.url}/v1/search`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'slow' }),
      signal: controller.signal,
    })
    await expect.poll(() => site.asked.length).toBeGreaterThan(before)
    controller.abort()
    await expect(gone).rejects.toThrow()
    await expectLine(service, /^verbatim_searches_total\{depth="balanced",outcome="gone"\} 1$/mu)
    await expectLine(service, /^verbatim_http_requests_total\{.*route="\/v1\/search",status="499"\} 1$/mu)
  })
})

// What the service tells of its search engines when they fail or find nothing, over a SearXNG that a test breaks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { createVisitorClient } from '../dashboard/visitor-client.ts'
import { startService, type TestService } from '../support/service.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
/** Our documentation answers it, and nothing else on this web. */
const OUR_QUESTION = { query: 'How do I revoke an API key?' }
const PASSAGE = 'The ferry to Heligoland leaves Cuxhaven at half past ten and takes two hours and a half.'

let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({ '/ferry': { html: article('The ferry', [PASSAGE]) } })
  service = await startService({ SEARXNG_URL: site.engineUrl })
  await service.service.library.putPage(
    {
      url: `${site.siteUrl}/ferry`,
      title: 'The ferry',
      text: PASSAGE,
      language: 'en',
      publishedAt: null,
      updatedAt: null,
    },
    site.siteUrl,
  )
})
afterAll(async () => {
  await service.close()
  await site.close()
})
beforeEach(() => site.breakEngine(null))

describe('a configured engine', () => {
  test('that finds nothing is not replaced by the bundled documentation', async () => {
    site.find()
    const response = await service.search(OUR_QUESTION)
    expect(response.status).toBe(200)
    expect(((await response.json()) as SearchResponse).results).toEqual([])
  })

  test('that fails is not replaced by the bundled documentation', async () => {
    site.breakEngine(502)
    const response = await service.search(OUR_QUESTION)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ code: 'search_unavailable', retryable: true })
  })

  test('that fails is replaced by pages that the operator indexed, and the answer says by whom', async () => {
    site.breakEngine(502)
    const response = await service.search({ query: 'ferry to Heligoland' })
    expect(response.headers.get('verbatim-engine')).toBe('library')
    const { results } = (await response.json()) as SearchResponse
    expect(results.map(({ url }) => url)).toEqual([`${site.siteUrl}/ferry`])
  })

  test('that refuses a query says so, and that asking again is of no use', async () => {
    site.breakEngine(431)
    const response = await service.search(OUR_QUESTION)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ code: 'search_unavailable', retryable: false })
  })

  test('is named by the answer it gave: in a header, and by a stream in its summary', async () => {
    site.find('/ferry')
    const whole = await service.search({ query: 'ferry' })
    expect(whole.headers.get('verbatim-engine')).toBe('searxng')
    expect(Object.keys((await whole.json()) as object).toSorted()).toEqual([
      'query',
      'results',
      'total_latency_ms',
    ])
    const streamed = await service.search({ query: 'ferry' }, { Accept: 'application/x-ndjson' })
    const lines = (await streamed.text()).trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ event: 'summary', summary: { engine: 'searxng' } })
  })
})

test('a search asks its engine once when enough hits remain, and again only when the domain filter leaves too few', async () => {
  const elsewhere = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `http://127.0.0.2:9/page-${index}`)
  const requestsOf = async (body: object): Promise<number> => {
    const before = site.asked.length
    await service.search({ query: 'ferry', num_results: 5, ...body })
    return site.asked.length - before
  }
  site.find('/ferry', ...elsewhere(4))
  expect(await requestsOf({})).toBe(1)
  expect(await requestsOf({ exclude_domains: ['127.0.0.2'] })).toBe(2)
})

test('the start page shows an engine that fails as failing, with its last failure in words and what to do', async () => {
  site.find('/ferry')
  await service.search({ query: 'ferry' })
  site.breakEngine(502)
  await service.search({ query: 'ferry' })
  const invitation = new URL(service.service.firstRun?.invitationUrl ?? '').pathname
  const admin = createVisitorClient(service.url)
  await admin.post(invitation, invitation, {
    name: 'A',
    email: 'a@example.org',
    password: 'correct horse battery',
  })
  const page = await admin.text('/')
  expect(page).toContain('state state-failing')
  expect(page.replaceAll(/<[^>]+>/gu, ' ').replaceAll(/\s+/gu, ' ')).toMatch(
    /Failing since \d+ \w+ \d{4}, \d\d:\d\d UTC , just now\. Last failure: it could not be reached, or was out of order\. See that it runs/u,
  )
})

describe('doctor', () => {
  const doctor = (...options: string[]) => doctorOf({}, ...options)
  async function doctorOf(variables: Record<string, string>, ...options: string[]) {
    const { DATA_DIR: _own, ...environment } = process.env
    const settings = { DATA_DIR: service.dataDir, BROWSER: 'off', SEARXNG_URL: site.engineUrl, ...variables }
    const child = spawn(process.execPath, [MAIN, 'doctor', ...options], {
      env: { ...environment, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    await once(child, 'close')
    return { status: child.exitCode, stdout }
  }

  test('asks every engine, says what that costs, and ends with 2 when one does not answer', async () => {
    const well = await doctor()
    expect(well.stdout).toMatch(/ok +search engine searxng: Last answer/u)
    expect(well.stdout).toContain(
      'Asked one search engine one question, which a paid engine charges as a search.',
    )
    site.breakEngine(403)
    const dead = await doctor()
    expect(dead.status).toBe(2)
    expect(dead.stdout).toMatch(
      /FAILING +search engine searxng: Failing since \d+ \w+ \d{4}, \d\d:\d\d UTC, just now\. It failed when it was last asked/u,
    )
    expect(dead.stdout).toContain('Reason   searxng: status 403: the instance gives no JSON')
  })

  test('asks none with --no-probe, and claims nothing of them', async () => {
    const before = site.asked.length
    const { stdout } = await doctor('--no-probe')
    expect(stdout).toMatch(/untried +search engine searxng: Set up, and not asked since the start/u)
    expect(site.asked.length).toBe(before)
  })

  test('tells of a HOST that is no address of this machine, at which the service would not start', async () => {
    // Set aside for documentation (RFC 5737): no machine has it.
    const { status, stdout } = await doctorOf({ HOST: '192.0.2.1' }, '--no-probe')
    expect(status).toBe(2)
    expect(stdout).toMatch(
      /FAILING +setting HOST: HOST is "192\.0\.2\.1", which is no address of this machine/u,
    )
    expect((await doctor('--no-probe')).stdout).not.toContain('HOST')
  })
})

// What a search may be told beside the eight fields of the specification: which days, which page of results, and how old
// a kept copy of a page may be.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchResponse } from '../../src/contract.ts'
import { article, startSearchSite, type SearchSite } from '../support/search-site.ts'
import { startService, type TestService } from '../support/service.ts'

const textOf = (index: number): string =>
  `A key can be revoked at any time in the dashboard of town number ${index}. The revocation takes effect within one second.`
const PATHS = Array.from({ length: 24 }, (_, index) => `/page-${index}`)
const dayOf = (index: number): string => `2026-0${1 + Math.floor(index / 10)}-1${index % 10}`

let asked = 0
let site: SearchSite
let service: TestService
beforeAll(async () => {
  site = await startSearchSite({
    ...Object.fromEntries(
      PATHS.map((path, index) => [
        path,
        {
          // The engine's further hits look better than its first.
          title: index < 10 ? `Town ${index}` : `How do I revoke a key? Town ${index}`,
          html: article(
            `Town ${index}`,
            [textOf(index)],
            `<meta property="article:published_time" content="${dayOf(index)}">`,
          ),
        },
      ]),
    ),
    '/counted': {
      answer: (_, response) => {
        asked += 1
        response.setHeader('Content-Type', 'text/html').end(article('Counted', [textOf(99)]))
      },
    },
  })
  service = await startService({ SEARCH_PROVIDERS: 'searxng', SEARXNG_URL: site.engineUrl })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const titles = async (request: object): Promise<string[]> => {
  const response = await service.search({ query: 'How do I revoke a key?', ...request })
  expect(response.status).toBe(200)
  return ((await response.json()) as SearchResponse).results.map(({ title }) => title)
}

test('pages of results share no result, and end when the engine knows no more', async () => {
  site.find(...PATHS)
  const pages = []
  for (const page of [1, 2, 3, 4]) pages.push(await titles({ num_results: 5, page }))
  expect(pages.map((found) => found.length)).toEqual([5, 5, 4, 0])
  expect(new Set(pages.flat()).size).toBe(14)
  // A page that came too late the first time, on a machine that has more to do, is known by now.
  const again = await titles({ num_results: 5 })
  expect(await titles({ num_results: 5 })).toEqual(again)
})

test.each([3, 5])(
  'pages of %i results share no result where the engine gives ten hits a question, the better ones later',
  async (num_results) => {
    site.find(...PATHS)
    site.giveAtOnce(10)
    const found = []
    for (const page of [1, 2, 3, 4, 5]) found.push(await titles({ num_results, page }))
    site.giveAtOnce(Number.POSITIVE_INFINITY)
    expect(found.flat().length).toBeGreaterThan(10)
    expect(found.flat().toSorted()).toEqual([...new Set(found.flat())].toSorted())
  },
)

test('start_date and end_date keep to the pages of those days, both included', async () => {
  site.find(...PATHS)
  const found = await titles({ num_results: 10, start_date: '2026-01-12', end_date: '2026-01-14' })
  expect(found.toSorted()).toEqual(['Town 2', 'Town 3', 'Town 4'])
  expect(await titles({ start_date: '2030-01-01' })).toEqual([])
})

test('max_age decides whether a kept copy of a page will do', async () => {
  site.find('/counted')
  await titles({})
  await titles({ max_age: 600 })
  expect(asked).toBe(1)
  await titles({ max_age: 0 })
  expect(asked).toBe(2)
})

test.each([
  [{ start_date: 'yesterday' }, '/start_date'],
  [{ end_date: '2026-13-01' }, '/end_date'],
  [{ start_date: '2026-02-01', end_date: '2026-01-01' }, '/end_date'],
  [{ max_age: -1 }, '/max_age'],
  [{ page: 0 }, '/page'],
  [{ page: 11 }, '/page'],
  [{ num_results: 11 }, '/num_results'],
])('%j is refused with 422 at %s', async (fields, pointer) => {
  const response = await service.search({ query: 'q', ...fields })
  expect(response.status).toBe(422)
  expect(((await response.json()) as { errors: { pointer: string }[] }).errors[0]?.pointer).toBe(pointer)
})

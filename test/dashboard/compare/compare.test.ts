import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchRequest } from '../../../src/contract.ts'
import { searchUnavailable } from '../../../src/errors.ts'
import { ANSWER, openDashboardSite, PASSWORD, type DashboardSite } from '../dashboard-site.ts'
import { createVisitorClient, type VisitorClient } from '../visitor-client.ts'

const asked: [request: SearchRequest, engine: string | undefined][] = []
let answer: () => Promise<typeof ANSWER> = () => Promise.resolve(ANSWER)
let site: DashboardSite
let visitor: VisitorClient
beforeAll(async () => {
  site = await openDashboardSite({
    search: (request, { engine }) => {
      asked.push([request, engine])
      return answer()
    },
  })
  await site.addPerson({ email: 'ada@example.org' })
  visitor = createVisitorClient(site.url)
  await visitor.signIn('ada@example.org', PASSWORD)
})
afterAll(() => site.close())

const compare = async (fields: Record<string, string>): Promise<Response> => {
  asked.length = 0
  return visitor.post('/playground', '/playground/compare', {
    search_depth: 'balanced',
    query: 'quokka',
    ...fields,
  })
}

test('the three depths: one search of each, side by side, and what failed at one says so', async () => {
  let searches = 0
  answer = () => ((searches += 1) === 3 ? Promise.reject(searchUnavailable(null)) : Promise.resolve(ANSWER))
  const html = await (await compare({ by: 'depths' })).text()
  answer = () => Promise.resolve(ANSWER)
  expect(asked.map(([{ query, search_depth }, engine]) => [query, search_depth, engine])).toEqual([
    ['quokka', 'precise', undefined],
    ['quokka', 'balanced', undefined],
    ['quokka', 'exhaustive', undefined],
  ])
  expect(html.match(/To revoke an API key, delete it/gu)).toHaveLength(2)
  expect(html).toContain('No search provider could be reached.')
  expect(html).toContain('2 pages are in every answer that there is.')
})

test('two search engines: each is asked alone with the same request, in the order of the form, and the pages both found are counted', async () => {
  const html = await (
    await compare({ by: 'engines', first_engine: 'library', second_engine: 'searxng', num_results: '7' })
  ).text()
  expect(asked.map(([{ num_results }, engine]) => [num_results, engine])).toEqual([
    [7, 'library'],
    [7, 'searxng'],
  ])
  expect(html.indexOf('id="way-library"')).toBeLessThan(html.indexOf('id="way-searxng"'))
  expect(html).toContain('2 pages are in every answer.')
  expect(html).not.toContain('Search at this depth')
})

test('of an engine that does not answer it is said that this one did not, and no pages are counted as shared', async () => {
  let searches = 0
  answer = () => ((searches += 1) === 1 ? Promise.reject(searchUnavailable(null)) : Promise.resolve(ANSWER))
  const html = await (
    await compare({ by: 'engines', first_engine: 'searxng', second_engine: 'library' })
  ).text()
  answer = () => Promise.resolve(ANSWER)
  expect(html).toContain('This engine did not answer.')
  expect(html).not.toContain('No search provider could be reached.')
  expect(html).not.toContain('in every answer')
  expect(html.match(/To revoke an API key, delete it/gu)).toHaveLength(1)
})

test('an engine that is not asked here, or the same one twice, costs no search', async () => {
  for (const second_engine of ['library', 'brave', '']) {
    const html = await (await compare({ by: 'engines', first_engine: 'library', second_engine })).text()
    expect(html).toContain('Choose two different search engines')
    expect(asked).toEqual([])
  }
})

test('a refused request shows the form with what is wrong in it', async () => {
  const refused = await compare({ by: 'engines', query: ' ' })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('query must not be empty or blank.')
  expect(asked).toEqual([])
})

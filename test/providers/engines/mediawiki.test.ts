import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchResponse } from '../../../src/contract.ts'
import { openEngineClient } from '../../../src/providers/engine-client.ts'
import { mediawiki } from '../../../src/providers/engines/mediawiki.ts'
import { startService } from '../../support/service.ts'
import { hasMediawiki, openMediawiki } from './mediawiki-server.ts'
import { expectProperHits, QUESTION } from './provider-contract.ts'

const client = openEngineClient({ userAgent: 'Verbatim-test/1' })
afterAll(() => client.close())

/** Over SQLite a wiki searches titles only. The others' signs must survive the way into an address. */
const PAGES = {
  'Window class': `A '''window class''' holds what every window of one kind has in common & more.`,
  'What is a window class?': 'A window is a part of the screen. Its class decides how it behaves.',
  'Glass: window class 100%': 'Of windows in houses.',
  Garden: 'Tomatoes want a warm and sunny place.',
}

describe.skipIf(!hasMediawiki())('a real MediaWiki', () => {
  let wiki: Awaited<ReturnType<typeof openMediawiki>>
  beforeAll(async () => {
    wiki = await openMediawiki(PAGES)
  })
  afterAll(() => wiki.close())

  const search = (query: Partial<typeof QUESTION>) =>
    mediawiki
      .create({ apiUrl: wiki.apiUrl }, client)
      .search({ ...QUESTION, ...query }, AbortSignal.timeout(20_000))

  test('gives the pages that hold the words, where the wiki itself shows them', async () => {
    const hits = await search({})
    expectProperHits(hits, QUESTION)
    expect(hits.map(({ title }) => title).toSorted()).toEqual([
      'Glass: window class 100%',
      'What is a window class?',
      'Window class',
    ])
    for (const { url, title } of hits) {
      const page = await fetch(url)
      expect([title, page.status]).toEqual([title, 200])
      expect(await page.text()).toContain(`<title>${title}`)
    }
    const excerpt = hits.find(({ title }) => title === 'Window class')?.excerpt
    expect(excerpt).toContain('of one kind has in common & more')
    expect(excerpt).not.toContain('<')
  })

  test('gives no more than is asked for, and an empty list for what it does not hold', async () => {
    expect(await search({ count: 2 })).toHaveLength(2)
    expect(await search({ text: 'zzzz' })).toEqual([])
  })

  test('takes a question longer than Wikipedia would', async () => {
    expect(await search({ text: 'window '.repeat(200) })).not.toEqual([])
  })

  test('that is private is misconfigured, and says so', async () => {
    const closed = await openMediawiki({}, { isPrivate: true })
    const asked = mediawiki
      .create({ apiUrl: closed.apiUrl }, client)
      .search(QUESTION, AbortSignal.timeout(20_000))
    await expect(asked).rejects.toMatchObject({
      failure: 'misconfigured',
      message: expect.stringContaining('readapidenied'),
    })
    await closed.close()
  })

  test('answers a search of the service with passages of its pages', async () => {
    const service = await startService({ SEARCH_PROVIDERS: 'mediawiki', MEDIAWIKI_URL: wiki.apiUrl })
    const response = await service.search({ query: 'window class', search_depth: 'exhaustive' })
    const { results } = (await response.json()) as SearchResponse
    const passages = results.flatMap(({ snippets }) => snippets.map(({ text }) => text))
    expect(passages).toContainEqual(expect.stringContaining('every window of one kind has in common'))
    await service.close()
  })
})

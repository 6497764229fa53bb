import { afterEach, expect, test } from 'vitest'
import { openProviders, type Providers, type ProvidersOptions } from '../../src/providers/open-providers.ts'
import { createLibraryProvider } from '../../src/providers/engines/library.ts'
import { freePort } from '../support/programs.ts'
import { openEngineServer, replyWith } from './engines/engine-server.ts'
import { QUESTION } from './engines/provider-contract.ts'

const OWN_PAGE = { url: 'http://127.0.0.1:3000/docs/keys', title: 'Keys', publishedAt: null, excerpt: null }
const library = createLibraryProvider({ library: { search: async () => [OWN_PAGE] } })

const opened: Providers[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((providers) => providers.close()))
})

function open(options: Partial<ProvidersOptions>): Providers {
  const client = { userAgent: 'Verbatim-test/1' }
  const providers = openProviders({
    order: ['auto'],
    fusion: false,
    settings: {},
    library,
    client,
    ...options,
  })
  opened.push(providers)
  return providers
}

test('nothing set up: no question leaves the machine', () => {
  expect(open({}).steps).toEqual([['library']])
  expect(open({ settings: { duckduckgo: {} } }).steps).toEqual([['library']])
})

test('auto asks what is set up first, and a wiki of one’s own as an engine like any other', () => {
  const settings = { searxng: { baseUrl: 'http://127.0.0.1:8080' } }
  expect(open({ settings }).steps).toEqual([['searxng'], ['library']])
  const withWiki = { ...settings, mediawiki: { apiUrl: 'http://wiki.internal/api.php' } }
  expect(open({ settings: withWiki }).steps).toEqual([['searxng'], ['mediawiki'], ['library']])
})

test('the operator’s order is kept', () => {
  const settings = { searxng: { baseUrl: 'http://127.0.0.1:8080' } }
  expect(open({ settings, order: ['library', 'searxng'] }).steps).toEqual([['library'], ['searxng']])
})

test('an engine that is named twice, once by auto say, is asked once', () => {
  const settings = { searxng: { baseUrl: 'http://127.0.0.1:8080' } }
  expect(open({ settings, order: ['searxng', 'auto', 'searxng'] }).steps).toEqual([['searxng'], ['library']])
})

test('fusion asks all at once, each of them once', () => {
  const settings = { searxng: { baseUrl: 'http://127.0.0.1:8080' } }
  expect(open({ settings, order: ['library', 'auto'], fusion: true }).steps).toEqual([['library', 'searxng']])
})

test('a name that is unknown or not set up is refused with what to do', () => {
  expect(() => open({ order: ['gogle'] })).toThrow(/"gogle". Known are: auto, searxng, .*library/u)
  expect(() => open({ order: ['searxng'] })).toThrow('"searxng", but its key or address is not set')
})

test('without a network the library answers at once, and the engine outside is soon left alone', async () => {
  const unreachable = `http://127.0.0.1:${await freePort()}/api.php`
  const settings = { mediawiki: { apiUrl: unreachable } }
  const providers = open({ settings, order: ['mediawiki', 'library'], fusion: true })
  for (let count = 0; count < 5; count += 1) {
    const answer = await providers.findHits(QUESTION, AbortSignal.timeout(2_000))
    expect(answer).toMatchObject({
      hits: [OWN_PAGE],
      provider: 'library',
      failures: [{ provider: 'mediawiki', failure: 'unreachable' }],
    })
  }
})

test('with a network both are heard', async () => {
  const found = { batchcomplete: true, query: { search: [{ title: 'Window', snippet: '' }] } }
  const wiki = await openEngineServer([replyWith(200, JSON.stringify(found))])
  const settings = { mediawiki: { apiUrl: `${wiki.origin}/api.php` } }
  const providers = open({ settings, order: ['mediawiki', 'library'], fusion: true })
  const answer = await providers.findHits(QUESTION, AbortSignal.timeout(5_000))
  expect(answer.hits.map(({ url }) => url)).toEqual([`${wiki.origin}/wiki/Window`, OWN_PAGE.url])
  await wiki.close()
})

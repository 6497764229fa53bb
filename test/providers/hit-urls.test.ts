import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuseByRank } from '../../src/providers/fusion.ts'
import { normalizeUrl, uniqueHits, urlKey } from '../../src/providers/hit-urls.ts'

test('what only tells where a click came from is taken off an address', () => {
  const cases = {
    'https://example.org/a?utm_source=x&id=7&utm_campaign=y#part': 'https://example.org/a?id=7',
    'https://example.org/?gclid=1&fbclid=2': 'https://example.org/',
    'HTTPS://Example.ORG.:443/A/': 'https://example.org/A/',
    'http://example.org:80': 'http://example.org/',
    'http://user:secret@example.org/': 'http://example.org/',
    'https://example.org/a?q=a%20b+c&empty=': 'https://example.org/a?q=a%20b+c&empty=',
  }
  for (const [raw, clean] of Object.entries(cases)) expect(normalizeUrl(raw)).toBe(clean)
})

test('what is no web page has no address', () => {
  const odd = [
    'ftp://example.org/',
    'javascript:alert(1)',
    'data:text/html,x',
    '/relative',
    '',
    `https://example.org/${'x'.repeat(5_000)}`,
  ]
  for (const raw of odd) expect(normalizeUrl(raw)).toBeNull()
})

test('cleaning twice changes nothing more, and twins have one key', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (raw) => {
      const once = normalizeUrl(raw) ?? ''
      expect(normalizeUrl(once)).toBe(once)
      expect(urlKey(once)).toBe(urlKey(normalizeUrl(`${once.replace(/^https?:/u, 'http:')}#x`) ?? ''))
    }),
  )
  expect(urlKey('https://www.example.org/a/?b=2&a=1')).toBe(urlKey('http://example.org/a?a=1&b=2'))
  expect(urlKey('https://example.org/a')).not.toBe(urlKey('https://example.org/A'))
})

const list = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 15 }).map((ids) =>
  ids.map((id) => ({
    url: `https://example.org/${id}`,
    title: String(id),
    publishedAt: null,
    excerpt: null,
  })),
)

test('a fused list holds every hit once, and a single list keeps its order', () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 4 }), (lists) => {
      const urls = lists.flat().map(({ url }) => url)
      expect(
        fuseByRank(lists)
          .map(({ url }) => url)
          .toSorted(),
      ).toEqual([...new Set(urls)].toSorted())
      for (const each of lists) expect(fuseByRank([each])).toEqual(each)
    }),
  )
})

test('a fused list of more requests begins as that of fewer, so that pages of results share no hit', () => {
  const perRequest = fc.constantFrom(3, 5, 10)
  const engine = fc
    .tuple(list, perRequest)
    .map(([hits, size]) => hits.map((hit, index) => ({ ...hit, requestsBefore: Math.floor(index / size) })))
  fc.assert(
    fc.property(fc.array(engine, { minLength: 2, maxLength: 3 }), fc.nat(3), (lists, requests) => {
      const fewer = fuseByRank(lists.map((each) => each.filter((hit) => hit.requestsBefore <= requests)))
      const whole = fuseByRank(lists)
      expect(whole.slice(0, fewer.length).map(({ url }) => url)).toEqual(fewer.map(({ url }) => url))
    }),
  )
})

test('a file is a hit where the embedded engine says so, and never where an address does', () => {
  const hit = (isLocalFile: boolean) => ({
    url: 'file:///srv/papers/a.docx',
    title: 'A',
    publishedAt: null,
    excerpt: null,
    ...(isLocalFile ? { isLocalFile } : {}),
  })
  expect(uniqueHits([hit(false)])).toEqual([])
  expect(uniqueHits([hit(true), hit(true)])).toEqual([hit(true)])
})

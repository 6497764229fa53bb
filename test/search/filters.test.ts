import { describe, expect, test } from 'vitest'
import { isOnDomain } from '../../src/providers/hit-urls.ts'
import { dropReason, isSameLanguage, isWithin, recencySince } from '../../src/search/filters.ts'

const NOW = new Date('2026-06-15T12:00:00Z')
const request = {
  query: 'q',
  num_results: 5,
  max_snippets_per_result: 3,
  search_depth: 'balanced' as const,
  recency: null,
  language: 'en',
  isLanguageGiven: true,
  include_domains: [],
  exclude_domains: [],
  include: [],
}
const facts = { url: 'https://example.com/a', publishDate: null, language: null }

describe('domains', () => {
  test('cover their sub-domains and nothing that merely ends alike', () => {
    expect(isOnDomain('https://docs.example.com/x', ['example.com'])).toBe(true)
    expect(isOnDomain('https://EXAMPLE.com./x', ['example.com'])).toBe(true)
    expect(isOnDomain('https://notexample.com/x', ['example.com'])).toBe(false)
    expect(isOnDomain('https://example.com.evil.test/', ['example.com'])).toBe(false)
    expect(isOnDomain('no url', ['example.com'])).toBe(false)
  })

  test('that are excluded win over those that are included', () => {
    const both = { ...request, include_domains: ['example.com'], exclude_domains: ['a.example.com'] }
    const context = { now: NOW, undatedIsRecent: false }
    expect(dropReason({ ...facts, url: 'https://a.example.com/' }, both, context)).toBe('domain')
    expect(dropReason({ ...facts, url: 'https://b.example.com/' }, both, context)).toBeNull()
    expect(dropReason({ ...facts, url: 'https://other.test/' }, both, context)).toBe('domain')
  })
})

describe('start_date and end_date', () => {
  const context = { now: NOW, undatedIsRecent: true }
  test.each([
    ['2026-01-01', '2026-01-31', '2026-01-01', null],
    ['2026-01-01', '2026-01-31', '2026-01-31T23:59:00+02:00', null],
    ['2026-01-01', '2026-01-31', '2026-02-01', 'recency'],
    ['2026-01-01', undefined, '2025-12-31', 'recency'],
    ['2026-01-01', undefined, '2026-06-01', null],
    [undefined, '2026-01-31', '2019-01-01', null],
    [undefined, '2026-01-31', '2026-02-01', 'recency'],
    ['2026-01-01', undefined, null, 'recency'],
  ])('from %s to %s: a page of %s is dropped for %s', (start, end, publishDate, reason) => {
    const dated = { ...request, start_date: start ?? null, end_date: end ?? null }
    expect(dropReason({ ...facts, publishDate }, dated, context)).toBe(reason)
  })

  test.each([
    ['2026-06-15', 'day'],
    ['2026-06-10', 'week'],
    ['2026-05-20', 'month'],
    ['2025-12-01', 'year'],
    ['2020-01-01', null],
    [null, null],
  ] as const)('since %s an engine is asked for the shortest window that holds it: %s', (start, recency) => {
    expect(recencySince(start, NOW)).toBe(recency)
  })
})

describe('recency', () => {
  test.each([
    ['day', '2026-06-15', true],
    ['day', '2026-06-14', true],
    ['day', '2026-06-14T12:00:00Z', true],
    ['day', '2026-06-16T12:00:00Z', true],
    ['day', '2026-06-14T11:00:00Z', false],
    ['day', '2026-06-12', false],
    ['week', '2026-06-09', true],
    ['week', '2026-06-01', false],
    ['month', '2026-05-20', true],
    ['month', '2026-04-30', false],
    ['year', '2025-06-20', true],
    ['year', '2025-06-01', false],
    ['year', '2027-01-01', false],
    ['year', 'yesterday', false],
  ] as const)('%s: %s is within it: %s', (recency, date, within) => {
    expect(isWithin(recency, date, NOW)).toBe(within)
  })

  test('drops a page without a date unless the provider vouches for it', () => {
    const recent = { ...request, recency: 'week' as const }
    expect(dropReason(facts, recent, { now: NOW, undatedIsRecent: false })).toBe('recency')
    expect(dropReason(facts, recent, { now: NOW, undatedIsRecent: true })).toBeNull()
    expect(
      dropReason({ ...facts, publishDate: '2020-01-01' }, recent, { now: NOW, undatedIsRecent: true }),
    ).toBe('recency')
  })
})

describe('language', () => {
  test.each([
    ['en-GB', 'en', true],
    ['de', 'en', false],
    ['nb', 'no', true],
    ['nn_NO', 'no', true],
    ['iw', 'he', true],
    ['in', 'id', true],
    ['ji', 'yi', true],
    ['tl', 'fil', true],
    ['cmn', 'zh-TW', true],
    ['yue', 'zh', true],
  ])('is compared by its primary sub-tag, old and member codes included: %s and %s', (left, right, same) => {
    expect(isSameLanguage(left, right)).toBe(same)
  })

  test('never drops a page that does not tell its language', () => {
    const context = { now: NOW, undatedIsRecent: false }
    expect(dropReason(facts, request, context)).toBeNull()
    expect(dropReason({ ...facts, language: 'fr' }, request, context)).toBe('language')
    expect(dropReason({ ...facts, language: 'fr' }, { ...request, language: 'fr-CA' }, context)).toBeNull()
  })
})

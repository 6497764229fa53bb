import { describe, expect, test } from 'vitest'
import { isOnDomain } from '../../src/providers/hit-urls.ts'
import { dropReason, isSameLanguage, isWithin } from '../../src/search/filters.ts'

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

describe('recency', () => {
  test.each([
    ['day', '2026-06-15', true],
    ['day', '2026-06-14T13:00:00Z', true],
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
  test('is compared by its primary sub-tag, old and member codes included', () => {
    expect(isSameLanguage('en-GB', 'en')).toBe(true)
    expect(isSameLanguage('nb', 'no')).toBe(true)
    expect(isSameLanguage('de', 'en')).toBe(false)
  })

  test('never drops a page that does not tell its language', () => {
    const context = { now: NOW, undatedIsRecent: false }
    expect(dropReason(facts, request, context)).toBeNull()
    expect(dropReason({ ...facts, language: 'fr' }, request, context)).toBe('language')
    expect(dropReason({ ...facts, language: 'fr' }, { ...request, language: 'fr-CA' }, context)).toBeNull()
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutWords, regionOf, spellQueries } from '../../src/providers/query-syntax.ts'

const LIMITS = { charactersMax: 400, wordsMax: 50, splitAtCharacters: 400, queriesMax: 5 } as const

const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), {
  minLength: 1,
  maxLength: 80,
})
const domains = fc.uniqueArray(fc.domain(), { maxLength: 30 })

test('several domains are joined by OR, excluded ones follow the words', () => {
  const query = { text: 'window class', includeDomains: ['a.org', 'b.org'], excludeDomains: ['c.org'] }
  expect(spellQueries(query, LIMITS)).toEqual(['window class -site:c.org (site:a.org OR site:b.org)'])
  expect(spellQueries({ ...query, includeDomains: ['a.org'] }, LIMITS)).toEqual([
    'window class -site:c.org site:a.org',
  ])
})

test('whatever is asked, every query keeps to the engine’s limits', () => {
  fc.assert(
    fc.property(words, domains, domains, (text, includeDomains, excludeDomains) => {
      const texts = spellQueries({ text: text.join(' '), includeDomains, excludeDomains }, LIMITS)
      expect(texts.length).toBeGreaterThan(0)
      expect(texts.length).toBeLessThanOrEqual(LIMITS.queriesMax)
      for (const each of texts) {
        expect(each.length).toBeLessThanOrEqual(LIMITS.charactersMax)
        expect(each.split(/\s+/u).filter(Boolean).length).toBeLessThanOrEqual(LIMITS.wordsMax)
        expect(() => encodeURIComponent(each)).not.toThrow()
      }
    }),
  )
})

test('no included domain is lost where the number of queries allows it, and none is asked for twice', () => {
  fc.assert(
    fc.property(domains, (includeDomains) => {
      const limits = { ...LIMITS, wordsMax: null, queriesMax: 30 }
      const texts = spellQueries({ text: 'window', includeDomains, excludeDomains: [] }, limits)
      const named = texts.flatMap((each) =>
        [...each.matchAll(/site:([^\s)]+)/gu)].map((match) => match[1] ?? ''),
      )
      expect(named.toSorted()).toEqual(includeDomains.toSorted())
    }),
  )
})

test('a text within the limits is sent as it is', () => {
  const text = '  two  spaces\tand "quotes" '
  expect(spellQueries({ text, includeDomains: [], excludeDomains: [] }, LIMITS)).toEqual([text])
})

test('text is cut at the end of a word, and only a single endless word within it', () => {
  expect(cutWords('one two three', 9, 99)).toBe('one two')
  expect(cutWords('one two three', 99, 2)).toBe('one two')
  expect(cutWords('x'.repeat(50), 10, 99)).toBe('x'.repeat(10))
  expect(cutWords('x🔑', 2, 99)).toBe('x')
})

test('a region is read from a tag wherever it stands', () => {
  expect(['de-AT', 'zh-Hant-TW', 'en', 'sr-Latn'].map(regionOf)).toEqual(['at', 'tw', null, null])
})

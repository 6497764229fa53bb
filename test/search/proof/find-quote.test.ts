import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createQuoteFinder, type QuotePlace } from '../../../src/search/proof/find-quote.ts'

const findQuote = (text: string, quote: string): QuotePlace => createQuoteFinder(text)(quote)

const TEXT = 'Keys are “shown once”.\n\nA revoked key — any key — is refused\tat once.'

describe('a quote', () => {
  test('that stands there to the letter is found exactly', () => {
    expect(findQuote(TEXT, 'A revoked key')).toEqual({ match: 'exact', start: 24, end: 37 })
  })

  test('that differs only in spacing, case or typographic signs is found as normalised', () => {
    const place = findQuote(TEXT, 'keys are "SHOWN once". a revoked key - any key')
    expect(place.match).toBe('normalised')
    expect(TEXT.slice(place.start ?? 0, place.end ?? 0)).toBe(
      'Keys are “shown once”.\n\nA revoked key — any key',
    )
  })

  test.each([
    ['5 percent', 'It fell by 1.5 percent', 'none'],
    ['10,000', 'some 10,000,000 people', 'none'],
    ['in 20', 'in 2020 and in 20 years', 'exact'],
    ['IN 2020', 'It fell in 2020.', 'normalised'],
    ['v1.2', 'v1.2.3', 'none'],
    ['p. 7', 'see p. 7, 8', 'exact'],
  ])('cuts no number: %j in %j', (quote, text, match) => {
    expect(findQuote(text, quote)).toMatchObject({ match })
  })

  test.each(['A revoked key is refused', 'refused at once!', ' ', '\u200B'])(
    '%j does not stand there',
    (quote) => {
      expect(findQuote(TEXT, quote)).toMatchObject({ match: quote === ' ' ? 'exact' : 'none' })
    },
  )

  test.each([
    ...["'‘", "'’", "'‚", '"“', '"”', '"„', '"«', '"»', '-‐', '-‑', '-–', '-—', '-−', '-―', "'›"].map(
      (signs): [string, string, number] => [`A ${signs[0]} B`, `it says a ${signs[1]} b`, 'a ? b'.length],
    ),
    ['a ... b', 'it says a … b', 5],
    ['A … B', 'it says a ... b', 7],
    ['efficient floating fish', 'it says eﬃcient ﬂoating ﬁsh', 19],
    ['oﬀ', 'it says off', 3],
    ['DOCUMENT', 'it says do\u00ADcu\u200Bment', 10],
    ['A  B', 'it says a\u00A0\n\tb', 5],
    ['GO 😀', 'it says go 😀', 5],
    ['I\u0307STANBUL', 'it says İstanbul', 8],
    ['nai\u0308ve', 'it says naïve', 5],
    ['naïve', 'it says nai\u0308ve', 6],
    ['ấ', 'it says a\u0302\u0301', 3],
    ['が', 'it says か\u3099', 2],
    ['한글', 'it says \u1112\u1161\u11ab\u1100\u1173\u11af', 6],
  ])('%j stands in %j, where it ends', (quote, text, length) => {
    expect(findQuote(`${text} now`, quote)).toEqual({ match: 'normalised', start: 8, end: 8 + length })
  })

  test.each([
    ['AB', 'a b'],
    ["A ' B", 'a " b'],
    ['STRASSE', 'Straße'],
    ['naive', 'nai\u0308ve'],
    ['का', 'कि'],
  ])('%j is not %j', (quote, text) => {
    expect(findQuote(text, quote)).toEqual({ match: 'none', start: null, end: null })
  })

  test('cut from any text is found in it, and the place holds it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
        fc.nat(),
        fc.nat(),
        (text, from, length) => {
          const start = from % text.length
          const quote = text.slice(start, start + 1 + (length % 20))
          const place = findQuote(text, quote)
          return place.match === 'exact' && text.slice(place.start ?? 0, place.end ?? 0) === quote
        },
      ),
    )
  })

  test('in other case and spacing is still found wherever it has a word', () => {
    fc.assert(
      fc.property(
        fc.lorem({ maxCount: 20 }),
        fc.lorem({ maxCount: 5 }),
        fc.lorem({ maxCount: 20 }),
        (before, quote, after) => {
          const place = findQuote(`${before}\n${quote}\t${after}`, quote.toUpperCase().replaceAll(' ', '  '))
          return place.match !== 'none' && (place.end ?? 0) > (place.start ?? 0)
        },
      ),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPageQuotes } from '../../../src/search/quotes/page-quotes.ts'
import { parseQuote } from '../../../src/search/quotes/parse-quote.ts'
import { makeQuotes, MUTATIONS } from '../../../scripts/eval/quote-mutations.ts'
import { tallyQuotes } from '../../../scripts/eval/verification.ts'
import { MULTILINGUAL_PAGES } from '../../support/multilingual-pages.ts'

const TEXT =
  'Prices rose by 1.5 percent in 2019. It is not allowed to share keys. Mr. Hale said: “We’ll be ready – in time.” The Carrow Board[12] met on 3 May and refused the plan of 1,500 houses.'

const page = createPageQuotes(TEXT)
const truth = (quote: string): string | null => page.findTrue(parseQuote(quote))?.match ?? null
const altered = (quote: string) => page.findAltered(parseQuote(quote))

describe('a quote on a page', () => {
  test('stands there exactly, or but for marks, dashes, spaces, case, ligatures and footnote marks', () => {
    expect(truth('It is not allowed to share keys.')).toBe('exact')
    for (const quote of [
      'it is NOT allowed to share keys',
      'It is not  allowed\u00a0to share keys,',
      '"We\'ll be ready - in time."',
      'The Carrow Board met on 3 May',
      'al\u00adlowed to share',
    ])
      expect([quote, truth(quote)]).toEqual([quote, 'typographic'])
  })

  test('differs by case alone where a letter has no other case of one sign: Turkish İ, Armenian և', () => {
    const text = 'Deprem İzmir’de hissedildi. Նոր և հին գյուղեր կան։'
    const folded = createPageQuotes(text)
    for (const quote of [
      'Deprem İzmir’de'.toLowerCase(),
      'deprem izmir’de hissedildi',
      `[${'İ'.toLowerCase()}]zmir’de hissedildi`,
      'ՆՈՐ ԵՒ ՀԻՆ',
    ])
      expect([quote, folded.findTrue(parseQuote(quote))?.match]).toEqual([quote, 'typographic'])
  })

  test('is never exact nor typographic where a number, a word or a name is cut or differs', () => {
    for (const quote of [
      '5 percent in 2019',
      'rose by 1',
      'Prices rose by 1.5 percent in 201',
      'plan of 1,500 house',
      '500 houses',
      'It is allowed to share keys',
      'Mr. Hole said',
      'Prices rose by 1.6 percent in 2019',
      'The Carrow Board met on 4 May',
    ])
      expect([quote, truth(quote)]).toEqual([quote, null])
  })

  test('may leave words out and put words in where it says so, but not so that a denial or a number is lost', () => {
    expect(truth('the Carrow Board […] refused the plan')).toBe('typographic')
    expect(truth('It is not allowed […] keys.')).toBe('exact')
    expect(truth('[The] Board met on 3 May')).not.toBeNull()
    expect(truth('[i]t is not allowed [to anybody] to share keys')).not.toBeNull()
    expect(truth('It is […] allowed to share keys')).toBeNull()
    expect(truth('It is [never] allowed to share keys')).toBeNull()
  })

  test('that was altered is answered with what truly stands there and every word that differs', () => {
    const found = altered('Prices fell by 1.5 percent in 2019')
    expect(TEXT.slice(found?.start, found?.end)).toBe('Prices rose by 1.5 percent in 2019')
    expect(found?.diff).toEqual([
      { op: 'same', text: 'Prices' },
      { op: 'page', text: 'rose' },
      { op: 'quote', text: 'fell' },
      { op: 'same', text: 'by 1.5 percent in 2019' },
    ])
    expect(altered('Sheep may safely graze where a good shepherd watches')).toBeNull()
  })

  test('whose marks are single within a quote and double on the page differs by marks alone, but feet are not inches', () => {
    const marks = createPageQuotes(
      "He told them: “We ‘may’ go,” and left. The dogs' bowl is 5\" wide. ''Go now'' it said.",
    )
    const match = (quote: string) => marks.findTrue(parseQuote(quote))?.match ?? null
    for (const quote of [
      'He told them: ‘We "may" go,’ and left.',
      "He told them: 'We “may” go,' and left.",
      'The dogs’ bowl is 5" wide',
      '“Go now” it said',
    ])
      expect([quote, match(quote)]).toEqual([quote, 'typographic'])
    for (const quote of ["The dogs' bowl is 5' wide", 'He told them: We ‘may’ go,'])
      expect([quote, match(quote)]).toEqual([quote, null])
  })

  test.each([
    [
      'It costs €5 a day',
      [
        ['same', 'It costs'],
        ['page', '$'],
        ['quote', '€'],
        ['same', '5 a day'],
      ],
    ],
    [
      '€5 a day in May',
      [
        ['page', '$'],
        ['quote', '€'],
        ['same', '5 a day in May'],
      ],
    ],
    [
      'and 20 more of it',
      [
        ['same', 'and 20'],
        ['page', '%'],
        ['same', 'more of it'],
      ],
    ],
    [
      'more of it in June?',
      [
        ['same', 'more of it in June'],
        ['page', '.'],
        ['quote', '?'],
      ],
    ],
  ])('that was altered in a sign alone is answered with that sign: %s', (quote, diff) => {
    const text = 'It costs $5 a day in May (for all) and 20% more of it in June.'
    const found = createPageQuotes(text).findAltered(parseQuote(quote))
    expect(found?.diff?.map((part) => [part.op, part.text])).toEqual(diff)
  })

  test('found anywhere is a slice of the page, whatever is asked of whatever text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ maxLength: 40 }),
        fc.nat(300),
        fc.nat(60),
        (text, quote, from, length) => {
          const quotes = createPageQuotes(text)
          for (const asked of [quote, text.slice(from, from + length)]) {
            const parsed = parseQuote(asked)
            for (const found of [quotes.findTrue(parsed), quotes.findAltered(parsed)]) {
              if (found === null) continue
              expect(found.start).toBeGreaterThanOrEqual(0)
              expect(found.end).toBeGreaterThan(found.start)
              expect(found.end).toBeLessThanOrEqual(text.length)
            }
          }
        },
      ),
    )
  })

  test('of twelve kinds in ten languages is told for what it is: none falsely true, nearly all rightly', () => {
    const tallies = tallyQuotes(MULTILINGUAL_PAGES, makeQuotes(MULTILINGUAL_PAGES, 1_200, 7))
    for (const mutation of MUTATIONS) {
      const { quotes, right, falselyTrue, overlapping } = tallies.get(mutation) ?? {
        quotes: 0,
        right: 0,
        falselyTrue: 1,
        overlapping: 0,
      }
      expect([mutation, falselyTrue]).toEqual([mutation, 0])
      expect([mutation, quotes > 20, right / quotes >= 0.97]).toEqual([mutation, true, true])
      if (mutation !== 'absent') expect([mutation, overlapping / quotes >= 0.9]).toEqual([mutation, true])
    }
  })
})

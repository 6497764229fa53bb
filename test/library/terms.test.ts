import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptOf, indexedPart, readQuestion, toIndexText } from '../../src/library/terms.ts'

test('a run of characters without spaces is indexed as its pairs', () => {
  expect(toIndexText('JR東京都 駅').split(/\s+/u).filter(Boolean)).toEqual(['JR', '東京', '京都', '駅'])
})

test('every pair of a CJK question is among the pairs of a text that holds it', () => {
  const run = fc.string({
    unit: fc.constantFrom('東', '京', '都', '駅', 'の', 'カ', '한', '국'),
    minLength: 2,
    maxLength: 12,
  })
  fc.assert(
    fc.property(run, fc.string(), fc.string(), (text, before, after) => {
      const indexed = toIndexText(`${before} ${text} ${after}`).split(/\s+/u)
      for (const term of readQuestion(text, 'en').terms) expect(indexed).toContain(term.words[0])
    }),
  )
})

test('the words that hold a question together are no terms while others are left', () => {
  const termsOf = (text: string, language: string): string[] =>
    readQuestion(text, language).terms.map((term) => term.text)
  expect(termsOf('Which search depth should I choose?', 'en')).toEqual(['search', 'depth', 'choose'])
  expect(termsOf('Wie widerrufe ich einen Schlüssel?', 'de')).toEqual(['widerrufe', 'schlüssel'])
  expect(termsOf('how should I', 'en')).toEqual(['how', 'should', 'i'])
})

test('no question gives a term that could mean something to a query language', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { terms, phrases } = readQuestion(text, 'en')
      expect(terms.length).toBeLessThanOrEqual(32)
      const words = [...terms, ...phrases].flatMap((term) => term.words)
      expect(words.join('')).not.toMatch(/[\s"'()*:^{}[\]\\;%]/u)
    }),
  )
})

test('an excerpt is a slice of the text around what was asked, whatever the text', () => {
  const text = `${'Nothing of interest here. '.repeat(50)}The quokka smiles.${' And so on.'.repeat(50)}`
  expect(excerptOf(text, readQuestion('quokka', 'en').terms)).toContain('quokka')
  fc.assert(
    fc.property(fc.string(), fc.string(), (anyText, question) => {
      const excerpt = excerptOf(anyText, readQuestion(question, 'en').terms)
      expect(anyText.replace(/\s+/gu, ' ')).toContain(excerpt)
    }),
  )
})

test('of a text of more words than a book the beginning is indexed, and of any other all', () => {
  const prose = 'a word of a long text and '.repeat(30_000)
  expect(indexedPart(prose)).toBe(prose)
  const han = '東京'.repeat(400_000)
  expect(indexedPart(han)).toBe(han.slice(0, 250_000))
  const words = 'ab '.repeat(300_000)
  expect(indexedPart(words)).toBe('ab '.repeat(250_000))
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createStemming } from '../../../src/score/lexical/stemming.ts'
import { createWordScanner, foldAccents, normalizeText } from '../../../src/score/lexical/words.ts'

const scanner = createWordScanner()
const wordsOf = (text: string): string[] => {
  const words: string[] = []
  scanner.scan(text, (start, end) => words.push(text.slice(start, end)))
  return words
}

it.each([
  ['The cat, the hat.', ['The', 'cat', 'the', 'hat']],
  ['l’été 2024', ['l', 'été', '2024']],
  ['मानव अधिकारों', ['मानव', 'अधिकारों']],
  ['東京都', ['東京', '京都']],
  ['東', ['東']],
  ['C++と東京', ['C', 'と東', '東京']],
  ['𠮷野家', ['𠮷野', '野家']],
  ['ok🙂ok', ['ok', 'ok']],
  ['', []],
])('finds the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

it('never cuts a character in two and never leaves the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      for (const word of wordsOf(text)) {
        expect(word.length).toBeGreaterThan(0)
        // Throws for half a surrogate pair.
        expect(() => encodeURIComponent(word)).not.toThrow()
        expect(text).toContain(word)
      }
    }),
  )
})

it('makes case, width and accents one', () => {
  expect(foldAccents(normalizeText('ＣＡＦÉ'))).toBe('cafe')
  expect(foldAccents('الكِتاب')).toBe('الكتاب')
})

it('brings the forms of a word together in its language and leaves other languages alone', () => {
  const stemming = createStemming()
  expect(stemming.forLanguage('en')('treaties')).toBe(stemming.forLanguage('en')('treaty'))
  expect(stemming.forLanguage('de')('Häuser'.toLowerCase())).toBe(stemming.forLanguage('de')('haus'))
  expect(stemming.forLanguage('ru')('договоры')).toBe(stemming.forLanguage('ru')('договор'))
  expect(stemming.forLanguage('th')('treaties')).toBe('treaties')
})

it('tells the language of a pool from its longest texts, in whatever order', () => {
  const texts = ['Menu', 'Der schnelle braune Fuchs springt über den faulen Hund und läuft davon.', 'OK']
  expect(createStemming().languageOf(texts)).toBe('de')
  expect(createStemming().languageOf(texts.toReversed())).toBe('de')
})

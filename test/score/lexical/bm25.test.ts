import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLexical } from '../../../src/score/lexical/bm25.ts'

const lexical = createLexical(() => undefined)
const plain = (texts: readonly string[]) => texts.map((text) => ({ text, heading: '' }))
const score = (query: string, texts: readonly string[]) =>
  Array.from(lexical.score(query, plain(texts)).bm25Full)

const PASSAGES = [
  'A key can be revoked at any time: open the dashboard, choose Delete beside the key and confirm.',
  'How do you feel about the new kitchen? How do I get there, and what do they cook?',
  'Rate limits are counted per key and window, and every answer tells what is left of them.',
]

describe('the lexical stage', () => {
  test('looks for what a question is about, not for the words that ask it', () => {
    const asked = score('How do I revoke a key?', PASSAGES)
    expect(asked.indexOf(Math.max(...asked))).toBe(0)
    expect(asked[0]).toBeGreaterThan(2 * (asked[1] ?? 0))
  })

  test('gives a question and its bare words nearly the same score', () => {
    const [asked = 0] = score('How do I revoke a key?', PASSAGES)
    const [bare = 0] = score('revoke key', PASSAGES)
    expect(Math.abs(asked - bare)).toBeLessThan(0.1)
  })

  test('still finds a query that consists of such words alone', () => {
    const found = score('to be or not to be', [
      'To be, or not to be, that is the question.',
      'Bread needs time.',
    ])
    expect(found[0]).toBeGreaterThan(0.3)
    expect(found[1]).toBe(0)
  })

  test('counts title and headings with the text, and tells the three apart', () => {
    const { bm25Text, bm25Heading, bm25Full, repeated } = lexical.score('revoke key', [
      { text: 'It takes effect at once.', heading: 'Keys — Revoke a key' },
      { text: 'Revoke a key here.', heading: 'Keys' },
    ])
    expect(bm25Text[0]).toBe(0)
    expect(bm25Heading[0]).toBeGreaterThan(0)
    expect(bm25Full[0]).toBeGreaterThan(0)
    expect(bm25Text[1]).toBeGreaterThan(0)
    expect(repeated[1]).toBeGreaterThan(repeated[0] ?? 0)
  })

  test('words that no passage holds pull no coverage down', () => {
    const { coverFull, answerable } = lexical.score('revoke key for my uncle Günther', plain(PASSAGES))
    expect(coverFull[0]).toBe(1)
    expect(answerable).toBeLessThan(1)
  })

  test.each([
    ['a slip of the keyboard', 'dashbaord', 'dashboard'],
    ['a German compound', 'Oberlidstraffung', 'Straffung des Oberlids'],
  ])('the spelling meets %s', (_what, query, text) => {
    const { spelling } = lexical.score(query, plain([text, 'Something else entirely is said here.']))
    expect(spelling[0]).toBeGreaterThan(0.3)
    expect(spelling[0]).toBeGreaterThan(3 * (spelling[1] ?? 0))
  })

  test('a Korean word is met with any ending', () => {
    expect(score('도서관', ['도서관에서는 책을 빌립니다', '날씨가 맑습니다'])[0]).toBeGreaterThan(0)
  })

  test('every share is between 0 and 1 for any texts', () => {
    const anyText = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(anyText, fc.array(fc.record({ text: anyText, heading: anyText })), (query, passages) => {
        const {
          words: _words,
          queryInformation,
          queryTerms: _terms,
          language: _language,
          answerable,
          ...shares
        } = lexical.score(query, passages)
        for (const values of Object.values(shares))
          for (const value of values) expect(value >= 0 && value <= 1 + 1e-9).toBe(true)
        expect(answerable >= 0 && answerable <= 1).toBe(true)
        expect(queryInformation).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLexical } from '../../../src/score/lexical/bm25.ts'

const lexical = createLexical(() => undefined)
const score = (query: string, texts: readonly string[]) =>
  Array.from(
    lexical.score(
      query,
      texts.map((text) => ({ text, heading: '' })),
    ).bm25,
  )

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

  test('is between 0 and 1 for any texts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
        (query, texts) => score(query, texts).every((value) => value >= 0 && value <= 1),
      ),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutToFit, estimateTokens, fits } from '../../../src/search/highlights/text-budget.ts'

const PROSE = 'The first sentence stands here. The second one follows it at once. And a third ends it.'

describe('cutToFit', () => {
  test('ends after a sentence where one is near, else after a word, else anywhere', () => {
    expect(cutToFit(PROSE, { maxCharacters: 70, maxTokens: null })).toBe(
      'The first sentence stands here. The second one follows it at once.',
    )
    expect(cutToFit('many words without an end', { maxCharacters: 20, maxTokens: null })).toBe(
      'many words without',
    )
    expect(cutToFit('x'.repeat(50), { maxCharacters: 10, maxTokens: null })).toBe('x'.repeat(10))
    expect(cutToFit('a😀', { maxCharacters: 2, maxTokens: null })).toBe('a')
  })

  test('is a beginning of the text that fits, whatever the text', () => {
    const limit = fc.option(fc.integer({ min: 1, max: 3_000 }))
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4_000 }),
      fc
        .array(fc.constantFrom('word ', '数据库', '. ', '\n', 'a'), { maxLength: 2_000 })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, limit, limit, (whole, maxCharacters, maxTokens) => {
        const cut = cutToFit(whole, { maxCharacters, maxTokens })
        expect(whole.startsWith(cut)).toBe(true)
        expect(fits(cut, { maxCharacters, maxTokens })).toBe(true)
      }),
    )
  })

  test('gives up less than a third of what would fit for a better end', () => {
    const text = 'word '.repeat(1_000)
    expect(cutToFit(text, { maxCharacters: 1_000, maxTokens: null }).length).toBeGreaterThan(690)
    expect(estimateTokens(cutToFit(text, { maxCharacters: null, maxTokens: 300 }))).toBeGreaterThan(200)
  })
})

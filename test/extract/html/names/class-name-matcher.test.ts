import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNames } from '../../../../src/extract/html/names/class-families.ts'
import { createWordFinder } from '../../../../src/extract/html/names/class-name-matcher.ts'

const WORDS = ['.nav', 'side-?bar', '.ads?.', 'toc.', 'a11y', 'post', 'post-']
const find = createWordFinder(WORDS.map((words, index) => [1 << index, words] as const))

/** The same by regular expressions. */
const findByExpressions = (text: string): number =>
  WORDS.map((word) => new RegExp(word.replaceAll('.', '\\b'), 'i')).reduce(
    (bits, expression, index) => (expression.test(text) ? bits | (1 << index) : bits),
    0,
  )

describe('words in class names', () => {
  it('are found where an expression of the same meaning finds them', () => {
    const parts = fc.constantFrom(
      'nav',
      'Nav',
      'side',
      'side-',
      'bar',
      'ad',
      'ads',
      's',
      '-',
      ' ',
      '_',
      'toc',
      '1',
      'a11y',
      'post',
      'é',
      'po',
      '.',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (names) => {
        const text = names.join('')
        expect(find(text)).toBe(findByExpressions(text))
      }),
    )
  })

  it('a word that no list could ever hold is refused when the lists are read', () => {
    expect(() => createWordFinder([[1, 'sidebär']])).toThrow('sidebär')
  })

  it('an attribute that is not there says nothing', () => {
    expect(readNames(undefined)).toBe(0)
    expect(readNames('')).toBe(0)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toHostName } from '../../src/contract/fields.ts'

describe('a domain', () => {
  test('is compared in ASCII lower case without a trailing dot', () => {
    expect(toHostName('EXAMPLE.com.')).toBe('example.com')
    expect(toHostName('bücher.example')).toBe('xn--bcher-kva.example')
  })

  test.each([
    [`${'a'.repeat(63)}.example`, true],
    [`${'a'.repeat(64)}.example`, false],
    [`${`${'a'.repeat(49)}.`.repeat(5)}abc`, true],
    [`${`${'a'.repeat(49)}.`.repeat(5)}abcd`, false],
    ['a-.example', false],
    ['a.-b', false],
    ['a.b-', false],
    ['_dmarc.example', true],
    ['a', true],
    ['a.example..', false],
    ['a~b.example', false],
    ...['a b', 'a/b', 'a:1', 'u@a', 'a?b', 'a#b', 'a%62', 'a\\\\b', '[::1]', '*.a'].map(
      (text): [string, boolean] => [text, false],
    ),
  ])('%j is a name: %s', (text, isName) => {
    expect(toHostName(text) !== null).toBe(isName)
  })

  test('is either null or a name that is its own normal form, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const name = toHostName(text)
        return name === null || toHostName(name) === name
      }),
    )
  })
})

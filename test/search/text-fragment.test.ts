import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textFragmentUrl } from '../../src/search/text-fragment.ts'

describe('a text fragment link', () => {
  test('quotes a short passage whole', () => {
    expect(textFragmentUrl('https://example.com/a?b=1', 'Keys are shown once.')).toBe(
      'https://example.com/a?b=1#:~:text=Keys%20are%20shown%20once.',
    )
  })

  test('quotes a long passage by its first and last words', () => {
    const passage =
      'A key can be revoked in the dashboard or on the command line. The revocation holds everywhere within one second.'
    expect(textFragmentUrl('https://example.com/', passage)).toBe(
      'https://example.com/#:~:text=A%20key%20can%20be%20revoked,holds%20everywhere%20within%20one%20second.',
    )
  })

  test('never takes its start or end across a line break', () => {
    const link = textFragmentUrl('https://example.com/', 'One line here\nanother line there')
    expect(link).toBe('https://example.com/#:~:text=One%20line%20here,another%20line%20there')
  })

  test('keeps the anchor of the page and escapes what has a meaning in a directive', () => {
    expect(textFragmentUrl('https://example.com/#part', 'a-b, c & d')).toBe(
      'https://example.com/#part:~:text=a%2Db%2C%20c%20%26%20d',
    )
  })

  test('is a parsable URL for any passage, or null', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (passage) => {
        const link = textFragmentUrl('https://example.com/', passage)
        return link === null || URL.canParse(link)
      }),
    )
  })
})

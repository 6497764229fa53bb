import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stretchesOf } from '../../../src/search/flags/stretches.ts'

const partsOf = (text: string): string[] => stretchesOf(text).map(({ start, end }) => text.slice(start, end))

test('each clause is read alone and with the next one', () => {
  expect(partsOf('One: two at a.b! 三。Four')).toEqual([
    'One:',
    ' two at a.b!',
    ' 三。',
    'Four',
    'One: two at a.b!',
    ' two at a.b! 三。',
    ' 三。Four',
  ])
  expect(partsOf('Only one')).toEqual(['Only one'])
  expect(partsOf(' … ')).toEqual([])
})

test('every letter of a text stands in a clause, and no stretch is longer than the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '语', '.', '。', ':', ' ', '\n', '"'), maxLength: 80 }),
      (text) => {
        const stretches = stretchesOf(text)
        for (const [at, sign] of Array.from(text).entries())
          if (/\p{L}/u.test(sign))
            expect(stretches.some(({ start, end }) => start <= at && at < end)).toBe(true)
        expect(stretches.every(({ start, end }) => 0 <= start && start < end && end <= text.length)).toBe(
          true,
        )
      },
    ),
  )
})

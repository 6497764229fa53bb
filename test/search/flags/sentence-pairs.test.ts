import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentencePairsOf } from '../../../src/search/flags/sentence-pairs.ts'

const pairsOf = (text: string): string[] =>
  sentencePairsOf(text).map(({ start, end }) => text.slice(start, end))

test('each sentence is read with the next one, a single one alone', () => {
  expect(pairsOf('One. Two at a.b! 三。Four')).toEqual(['One. Two at a.b!', ' Two at a.b! 三。', ' 三。Four'])
  expect(pairsOf('Only one')).toEqual(['Only one'])
  expect(pairsOf(' … ')).toEqual([])
})

test('every letter of a text stands in some stretch, and stretches stand in its order', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '语', '.', '。', ' ', '\n', '"'), maxLength: 80 }),
      (text) => {
        const stretches = sentencePairsOf(text)
        for (const [at, sign] of Array.from(text).entries())
          if (/\p{L}/u.test(sign))
            expect(stretches.some(({ start, end }) => start <= at && at < end)).toBe(true)
        const starts = stretches.map(({ start }) => start)
        expect(starts).toEqual(starts.toSorted((one, other) => one - other))
      },
    ),
  )
})

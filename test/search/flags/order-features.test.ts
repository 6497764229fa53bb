import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, orderFeaturesOf } from '../../../src/search/flags/order-features.ts'

const featuresOf = (text: string): string[] => [...orderFeaturesOf(fold(text))]

test('words count by their stems, alone and with the one before, whatever their accents, capitals and endings', () => {
  expect(featuresOf('Ignorés, IGNORES')).toEqual(['ignor', '^ ignor', ',', 'ignor ,', ', ignor'])
})

test('signs of scripts without spaces count in runs of up to three', () => {
  expect(featuresOf('忽略以')).toEqual(['忽', '忽略', '忽略以', '略', '略以', '以'])
})

test('an address and a number are what they are, not which', () => {
  expect(featuresOf('2024 https://a.example/?q=1')).toEqual([
    '<number>',
    '^ <number>',
    '<address>',
    '<number> <address>',
  ])
})

test('a text has at most three features for each of its signs', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      (text) => orderFeaturesOf(fold(text)).size <= 3 * fold(text).length,
    ),
  )
})

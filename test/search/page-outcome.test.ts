import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WARNING_CODES } from '../../src/contract/warning-codes.ts'
import { verdictOnText, warningCodeOf } from '../../src/search/page-outcome.ts'

test('every public code stands in the documentation, and none that is not public', () => {
  const section = readFileSync('docs/api.md', 'utf8').split('{#warning-codes}')[1]?.split('\n## ')[0] ?? ''
  const documented = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/gu)].map(([, code]) => code))
    .filter((code) => code !== 'warning_code')
  expect(documented.toSorted()).toEqual([...WARNING_CODES].toSorted())
})

test('what the service calls otherwise has its public name', () => {
  expect(warningCodeOf('read')).toBeNull()
  expect(warningCodeOf('gone')).toBe('not_found')
  expect(warningCodeOf('scanned')).toBe('no_text_layer')
  expect(warningCodeOf('cut_short')).toBe('truncated')
  expect(warningCodeOf('partly_damaged')).toBe('truncated')
  expect(warningCodeOf('challenge')).toBe('challenge')
})

test('a file that is damaged in part is not said to be whole', () => {
  const page = { text: 'What could be read.', isDamaged: true }
  expect(verdictOnText({ warning: null }, page, { truncated: false, isPaywalled: false })).toEqual({
    warning: 'The file is damaged in part; what could be read of it was used.',
    outcome: 'partly_damaged',
  })
})

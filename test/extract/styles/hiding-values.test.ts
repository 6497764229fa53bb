import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesAt } from '../../../src/extract/styles/hiding-values.ts'
import { readStyleSheets } from '../../../src/extract/styles/style-sheet.ts'
import { read } from '../fixtures.ts'

const PIECES = [
  'left',
  ' ',
  '{',
  '}',
  ';',
  ':0',
  '.a',
  '@media print',
  '@layer',
  '/*',
  '*/',
  '"',
  '&',
] as const

test('no sheet, however its rules stand in each other, is looked through without end', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
      const css = pieces.join('')
      const rules = readStyleSheets([css])
      const places = [...rules.keys()]
      const found: number[] = []
      for (const place of rulesAt(css, 'left', places, rules)) if (found.push(place) > rules.length) break
      expect(found).toEqual([...new Set(found)].toSorted((one, other) => one - other))
    }),
    { numRuns: 2_000 },
  )
})

test('a page is read whose rule says nothing before the one that stands in it', async () => {
  const { text } = await read(
    '<style>.a{left{color:red} .unseen & {left:0}} .unseen{display:none}</style><p>Words.</p><p class="unseen">Unseen.</p>',
  )
  expect(text).toBe('Words.')
})

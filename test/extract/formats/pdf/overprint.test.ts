import { expect, test } from 'vitest'
import { pdfOf } from '../../../support/pdf.ts'
import { read } from '../../fixtures.ts'

const LINES = [
  'Otters sleep while floating on their backs,',
  'and hold hands so that they do not drift apart.',
]
const shown = (x: number, line: string, y: number): string =>
  `BT /F1 12 Tf 1 0 0 1 ${x} ${y} Tm (${line}) Tj ET`
const textOf = async (...parts: string[]): Promise<string> =>
  (await read(pdfOf(parts.join('\n')), { mediaType: 'application/pdf' })).text

test('a line that is printed twice at one place, to be bold or to have a shadow, is read once', async () => {
  const bold = LINES.flatMap((line, index) => {
    const y = 700 - 15 * index
    return [shown(72, line, y), shown(72.3, line, y), shown(72, line, y - 0.4)]
  })
  expect(await textOf(...bold)).toBe(LINES.join('\n'))
})

test('so is a page whose lines are all printed a second time', async () => {
  const page = LINES.map((line, index) => shown(72, line, 700 - 15 * index))
  expect(await textOf(...page, ...page)).toBe(LINES.join('\n'))
})

test('the same words at two places are said twice', async () => {
  const [first = ''] = LINES
  expect(await textOf(shown(72, first, 700), shown(72, first, 685))).toBe(`${first}\n${first}`)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Link } from '../../../../src/extract/document.ts'
import { joinedLinks, linkAreasOf, linksIn } from '../../../../src/extract/formats/pdf/pdf-links.ts'
import { read, readFixtureBytes, textOf } from '../../fixtures.ts'

test('what an area of a PDF links are the words that it covers, over the end of a line too; places in it are no links', async () => {
  const page = await read(readFixtureBytes('pdf-links/source.pdf'), { mediaType: 'application/pdf' })
  const links = page.blocks.flatMap((block) => block.links ?? [])
  expect(links.map((link) => [textOf(page, link), link.target])).toEqual([
    ['the manual', 'https://example.org/manual'],
    ['before\nyou row,', 'https://example.org/rowing'],
  ])
})

test('annotations of any shape are areas with an address, or nothing', () => {
  const area = { left: 1, bottom: 2, right: 3, top: 4, target: 'https://example.org/' }
  const url = area.target
  expect(
    linkAreasOf([{ url, rect: [3, 4, 1, 2] }, { rect: [1, 2, 3, 4] }, { url, rect: [1] }, null]),
  ).toEqual([area])
  fc.assert(
    fc.property(fc.array(fc.anything()), (annotations) => {
      expect(linkAreasOf(annotations)).toEqual([])
    }),
  )
})

test('links of a line are whole words of it, in order and none within another, wherever their areas lie', () => {
  const points = fc.double({ min: 0, max: 100, noNaN: true })
  const areas = fc.array(
    fc.record({
      left: points,
      right: points,
      bottom: points,
      top: points,
      target: fc.constantFrom('a', 'b'),
    }),
  )
  const text = 'one two  three four'
  const pieces = [
    { start: 0, end: 8, x: 10, right: 40 },
    { start: 9, end: 19, x: 55, right: 90 },
  ]
  fc.assert(
    fc.property(areas, (given) => {
      const links = linksIn({ text, middle: 50, pieces }, given)
      let last = 0
      for (const { start, end } of links) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(text.slice(start, end)).toMatch(/^\S(?:.*\S)?$/u)
        expect(`${text[start - 1] ?? ' '}${text[end] ?? ' '}`).toBe('  ')
        last = end
      }
    }),
  )
})

test('a link that goes on in the next line is one, two of one address in a line are two', () => {
  const link = (start: number, end: number): Link => ({ start, end, target: 'a' })
  const joined = joinedLinks(
    [
      { text: 'a b c', links: [link(0, 1), link(4, 5)] },
      { text: 'd e', links: [link(0, 1)] },
    ],
    7,
  )
  expect(joined).toEqual([link(7, 8), link(11, 14)])
})

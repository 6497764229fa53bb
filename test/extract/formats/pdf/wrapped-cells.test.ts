import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PrintedCell } from '../../../../src/extract/formats/pdf/pdf-cells.ts'
import type { PdfLine } from '../../../../src/extract/formats/pdf/pdf-lines.ts'
import { findTableRows } from '../../../../src/extract/formats/pdf/pdf-tables.ts'
import { read, readFixture, readFixtureBytes, textOf } from '../../fixtures.ts'

interface PrintedTables {
  /** Of every table, its rows with tabs between the cells. */
  tables: readonly (readonly string[])[]
  /** Some cells with the names of their rows and columns. */
  headed: readonly string[]
  /** What stands in no table. */
  prose: readonly string[]
  /** What is linked. */
  links: readonly string[]
}

describe('cells of several lines', () => {
  const expectations: Record<string, PrintedTables> = JSON.parse(
    readFixture('pdf-wrapped-cells/expected.json'),
  )
  test.each(Object.entries(expectations))(
    'printed by %s are cells with their headers, and columns of prose beside them are none',
    async (name, { tables, headed, prose, links }) => {
      const page = await read(readFixtureBytes(`pdf-wrapped-cells/${name}.pdf`), {
        mediaType: 'application/pdf',
      })
      const rows = page.blocks.filter(({ kind }) => kind === 'table')
      const numbers = new Set(rows.map(({ table }) => table?.number))
      expect(
        [...numbers].map((number) =>
          rows.filter(({ table }) => table?.number === number).map((row) => textOf(page, row)),
        ),
      ).toEqual(tables)
      const cells = rows.flatMap(({ table }) => table?.cells ?? [])
      expect(
        cells.map((cell) => [textOf(page, cell), ...cell.rowHeaders, ...cell.columnHeaders].join(' / ')),
      ).toEqual(expect.arrayContaining([...headed]))
      const others = page.blocks.filter(({ kind }) => kind !== 'table').map((block) => textOf(page, block))
      for (const text of prose) expect(others.some((other) => other.includes(text))).toBe(true)
      const linked = page.blocks.flatMap((block) => (block.links ?? []).map((link) => textOf(page, link)))
      expect(linked).toEqual(links)
    },
  )
})

const HEIGHT = 10
const PITCH = 12
const PADDING = 8
const COLUMN = 140
const LETTER = 5

/** Where in its row a cell of fewer lines stands: 0 at the top, 1 at the foot. */
type Alignment = 0 | 0.5 | 1

interface Word {
  text: string
  x: number
  y: number
}

/** Rows of cells of lines as words at their places, cell by cell. */
function cellByCell(rows: readonly (readonly (readonly string[])[])[], alignment: Alignment): Word[] {
  let top = 700
  return rows.flatMap((row) => {
    const tallest = Math.max(...row.map(({ length }) => length))
    const words = row.flatMap((lines, column) =>
      lines.map((text, line) => ({
        text,
        x: 50 + column * COLUMN,
        y: top - (line + (tallest - lines.length) * alignment) * PITCH,
      })),
    )
    top -= tallest * PITCH + PADDING
    return words
  })
}

/** A line ends where the next word stands lower or higher. */
function linesOf(words: readonly Word[]): PdfLine[] {
  const lines: Word[][] = []
  for (const word of words) {
    const last = lines.at(-1)?.at(-1)
    if (last !== undefined && last.y === word.y && last.x < word.x) lines.at(-1)?.push(word)
    else lines.push([word])
  }
  return lines.map((line) => {
    let at = 0
    const cells = line.map(({ text, x, y }): PrintedCell => {
      const start = at
      at += text.length + 1
      return { text, start, end: at - 1, x, right: x + text.length * LETTER, y, height: HEIGHT, font: 'F1' }
    })
    const [{ x, y } = { x: 0, y: 0 }] = line
    return { page: 1, text: line.map(({ text }) => text).join(' '), x, y, height: HEIGHT, cells }
  })
}

const none = (): boolean => false
const word = fc.stringMatching(/^[a-z]{3,16}$/u)
const words = fc.array(word, { minLength: 1, maxLength: 4 })
const figure = fc.tuple(fc.stringMatching(/^[1-9]\d{0,3}\.\d{2}$/u))
/** What stands right above the first row may be the rest of its first cell, or a caption: it is of one line. */
const rowsOfLines = fc.array(fc.tuple(words, words, figure), { minLength: 2, maxLength: 12 })
const FIRST_ROW = [['first'], ['row'], ['1.00']]

const rowsIn = (lines: readonly PdfLine[]): string[][] =>
  [...new Set(findTableRows(lines, none).values())].map(({ text, table }) =>
    table.cells.map(({ start, end }) => text.slice(start, end)),
  )

describe('a row', () => {
  test('has all lines of its cells, however these stand in it', () => {
    fc.assert(
      fc.property(rowsOfLines, fc.constantFrom<Alignment>(0, 0.5, 1), (further, alignment) => {
        const rows = [FIRST_ROW, ...further]
        const cells = rows.map((row) => row.map((lines) => lines.join(' ')))
        expect(rowsIn(linesOf(cellByCell(rows, alignment)))).toEqual(cells)
      }),
    )
  })

  test('printed line by line has the lines that are nearer to it than the next row', () => {
    const oneLonger = fc.array(fc.tuple(fc.tuple(word), words, figure), { minLength: 3, maxLength: 12 })
    fc.assert(
      fc.property(oneLonger, (rows) => {
        const sorted = cellByCell(rows, 0).toSorted((one, other) => other.y - one.y || one.x - other.x)
        const cells = rows.map((row) => row.map((lines) => lines.join(' ')))
        expect(rowsIn(linesOf(sorted))).toEqual(cells)
      }),
    )
  })

  test('ends where the next begins, also where that has nothing in its first column', () => {
    const rows = [
      ['East', 'January', '3.00'],
      ['North', 'January', '12.00'],
      ['', 'February', '14.00'],
      ['', 'March', '9.00'],
      ['South', 'January', '7.00'],
    ]
    const printed = rows.flatMap((row, line) =>
      row.flatMap((text, column) =>
        text === '' ? [] : [{ text, x: 50 + column * COLUMN, y: 700 - line * PITCH }],
      ),
    )
    expect(rowsIn(linesOf(printed))).toEqual(rows.map((row) => row.filter((text) => text !== '')))
  })
})

test('a sum is a row of its table, though its name reaches over several columns', () => {
  const rows = [
    ['1', 'Crane', '140.00'],
    ['2', 'Berth', '22.00'],
    ['3', 'Winter place', '900.00'],
    ['Sum without the tax of the year 2024', '', '1062.00'],
    ['Total', '', '1263.78'],
  ]
  const printed = rows.flatMap((row, line) =>
    row.flatMap((text, column) =>
      text === '' ? [] : [{ text, x: 50 + column * COLUMN, y: 700 - line * PITCH }],
    ),
  )
  expect(rowsIn(linesOf(printed))).toEqual(rows.map((row) => row.filter((text) => text !== '')))
})

test('two columns of prose are no table, printed one after the other or line by line', () => {
  const prose = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 30 })
  fc.assert(
    fc.property(prose, prose, (left, right) => {
      const columns = [left, right].flatMap((lines, column) =>
        lines.map((texts, line) => ({
          text: texts.join(' '),
          x: 50 + column * 300,
          y: 700 - line * PITCH,
        })),
      )
      const across = columns.toSorted((one, other) => other.y - one.y || one.x - other.x)
      expect(findTableRows(linesOf(columns), none).size).toBe(0)
      expect(findTableRows(linesOf(across), none).size).toBe(0)
    }),
  )
})

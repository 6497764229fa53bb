import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageText } from '../../../../src/extract/document.ts'
import type { PdfLine } from '../../../../src/extract/formats/pdf/pdf-lines.ts'
import { findTableRows } from '../../../../src/extract/formats/pdf/pdf-tables.ts'
import { toMarkdown } from '../../../../src/extract/markup/to-markdown.ts'
import { cutPassages } from '../../../../src/extract/passages/cut-passages.ts'
import { read, readFixtureBytes, textOf } from '../../fixtures.ts'

/** Printed by ReportLab, fpdf2 and Chromium: each holds prose, too. */
const readPrinted = (name: string): Promise<PageText> =>
  read(readFixtureBytes(`pdf-tables/${name}.pdf`), { mediaType: 'application/pdf' })

const rowsOf = (page: PageText): string[][] =>
  page.blocks.flatMap(({ table }) =>
    table === undefined ? [] : [table.cells.map((cell) => textOf(page, cell))],
  )

/** Row, column and what a cell is of: its text, the names of its row and of its column. */
const headedCells = (page: PageText) =>
  page.blocks.flatMap(({ table }) =>
    (table?.cells ?? [])
      .filter(({ isHeader }) => !isHeader)
      .map((cell) => [textOf(page, cell), ...cell.rowHeaders, ...cell.columnHeaders].join(' / ')),
  )

describe('words in columns', () => {
  test('are cells with the names of their rows and columns, in a grid with figures to the right', async () => {
    const cells = headedCells(await readPrinted('reportlab'))
    expect(cells).toHaveLength(16)
    expect(cells).toEqual(
      expect.arrayContaining(['780 / Old mill / Stone (t)', '2003 / Lower pit / Opened', 'South / Pit']),
    )
  })

  test('are cells where a browser prints them, and columns of prose are none', async () => {
    const page = await readPrinted('chromium')
    expect(headedCells(page)).toContain('19:45 / Evening, with supper on board / Arrives')
    expect(rowsOf(page)).toHaveLength(4)
    expect(page.blocks.find((block) => textOf(page, block).includes('In 1912'))?.table).toBeUndefined()
  })

  test('are cells of their columns where others are empty; names and values are a table, contents with their pages are none', async () => {
    const page = await readPrinted('fpdf')
    expect(rowsOf(page)).toEqual([
      ['Zone', '2023', '2024'],
      ['Inner', '2.10', '2.30'],
      ['Outer', '3.40'],
      ['Islands', '5.00', '5.60'],
      ['Night', '4.20', '4.40'],
      ['Registration no.', 'HRB 20417'],
      ['Founded', '1912'],
      ['Boats', '14'],
      ['Harbour dues', 'EUR 4,200.00'],
    ])
    expect(new Set(page.blocks.flatMap(({ table }) => table?.number ?? []))).toEqual(new Set([0, 1]))
    expect(page.text).toContain('How boats are built 7')
  })

  test('are rows in a passage, below the names of their columns, and a table in Markdown', async () => {
    const page = await readPrinted('reportlab')
    const passage = cutPassages(page, { overlap: false, limit: 10 }).find(({ text }) =>
      text.includes('6,020'),
    )
    expect(passage?.text).toContain('Pit\tDepth (m)\tStone (t)\tOpened\nNorth\t14\t2,310\t1987\n')
    expect(toMarkdown(page, { contentWeightLeast: 0 })).toContain('| Old mill | 9 | 780 | 1954 |')
  })
})

const PITCH_POINTS = 14
const COLUMN_POINTS = 90
const LETTER_POINTS = 5

/** A line of words, each at its place; '' leaves its column empty. */
function printed(words: readonly string[], row: number, page = 1, pitch = COLUMN_POINTS): PdfLine {
  const cells = words.flatMap((text, column) => (text === '' ? [] : [{ text, x: 50 + column * pitch }]))
  let at = 0
  const placed = cells.map(({ text, x }) => {
    const start = at
    at += text.length + 1
    const y = 700 - row * PITCH_POINTS
    return { text, start, end: at - 1, x, right: x + text.length * LETTER_POINTS, y, height: 10, font: 'F1' }
  })
  return {
    page,
    text: cells.map(({ text }) => text).join(' '),
    x: cells[0] === undefined ? 0 : 50,
    y: 700 - row * PITCH_POINTS,
    height: 10,
    ...(placed.length < 2 ? {} : { cells: placed }),
  }
}

const none = (): boolean => false
const word = fc.stringMatching(/^[a-z]{1,12}$/u)
const figure = fc.stringMatching(/^[1-9]\d{0,3}\.\d{2}$/u)

describe('lines of any words', () => {
  test('are rows where a column holds figures, cell by cell as they are printed', () => {
    const rows = fc.array(fc.tuple(word, figure, word), { minLength: 3, maxLength: 20 })
    fc.assert(
      fc.property(rows, (grid) => {
        const lines = grid.map((texts, row) => printed(texts, row))
        const found = findTableRows(lines, none)
        const texts = lines.map((line) => {
          const row = found.get(line)
          return row?.table.cells.map(({ start, end }) => row.text.slice(start, end))
        })
        expect(texts).toEqual(grid)
        expect([...found.values()].map(({ text }) => text)).toEqual(grid.map((row) => row.join('\t')))
      }),
    )
  })

  test('are no rows where no column holds figures, nor two of them alone', () => {
    const prose = fc.array(fc.tuple(word, word), { maxLength: 20 })
    fc.assert(
      fc.property(prose, (grid) => {
        expect(
          findTableRows(
            grid.map((texts, row) => printed(texts, row)),
            none,
          ).size,
        ).toBe(0)
      }),
    )
    const two = [printed(['north', '14.00'], 0), printed(['south', '22.50'], 1)]
    expect(findTableRows(two, none).size).toBe(0)
  })

  test('keep their text to the letter, but for the white space between cells, and each cell stands in one column', () => {
    const words = fc.array(fc.oneof(word, figure, fc.constant('')), { maxLength: 5 })
    const grids = fc.array(words, { maxLength: 15 })
    // Where columns are narrow, the words of one stand below those of the next.
    fc.assert(
      fc.property(grids, fc.constantFrom(20, 45, COLUMN_POINTS), (grid, pitch) => {
        const lines = grid.map((texts, row) => printed(texts, row, 1, pitch))
        for (const [line, { text, table }] of findTableRows(lines, none)) {
          expect(text.replaceAll('\t', ' ')).toBe(line.text)
          expect(new Set(table.cells.map(({ column }) => column)).size).toBe(table.cells.length)
        }
      }),
    )
  })

  test('that are told to be something else are no rows, and end a table', () => {
    const grid = [1, 2, 3, 4, 5, 6, 7].map((number) => ['word', `${number}.00`])
    const lines = grid.map((texts, row) => printed(texts, row))
    const found = findTableRows(lines, (line) => line === lines[3])
    expect(lines.map((line) => found.get(line)?.table.number)).toEqual([0, 0, 0, undefined, 1, 1, 1])
  })

  test('on the next page begin another table', () => {
    const lines = [0, 1, 2, 3, 4, 5].map((row) => printed(['word', '4.00'], row, row < 3 ? 1 : 2))
    const found = findTableRows(lines, none)
    expect(lines.map((line) => found.get(line)?.table.number)).toEqual([0, 0, 0, 1, 1, 1])
  })
})

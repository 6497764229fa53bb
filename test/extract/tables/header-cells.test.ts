import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveHeaders } from '../../../src/extract/tables/header-cells.ts'
import { type GridCell, type GridRow, placeCells } from '../../../src/extract/tables/table-grid.ts'
import { read, textOf } from '../fixtures.ts'

/** Each cell with text as "row headers | column headers". */
async function headersIn(html: string): Promise<Record<string, string>> {
  const page = await read(html)
  const cells = page.blocks.flatMap(({ table }) => table?.cells ?? [])
  return Object.fromEntries(
    cells.map((cell) => [
      textOf(page, cell),
      `${cell.rowHeaders.join(' › ')} | ${cell.columnHeaders.join(' › ')}`,
    ]),
  )
}

describe('headers of cells', () => {
  test('two rows of headers, the upper one over several columns', async () => {
    const found = await headersIn(`<table>
      <tr><td></td><th colspan="2">2020</th><th rowspan="2">Sum</th></tr>
      <tr><td></td><th>Q1</th><th>Q2</th></tr>
      <tr><th>Apples</th><td>11</td><td>12</td><td>23</td></tr></table>`)
    expect(found).toMatchObject({
      '11': 'Apples | 2020 › Q1',
      '12': 'Apples | 2020 › Q2',
      '23': 'Apples | Sum',
    })
  })

  test('a row header that reaches over rows holds for each of them', async () => {
    const found = await headersIn(`<table><tr><th>Region</th><th>City</th><th>People</th></tr>
      <tr><th rowspan="2">North</th><th>Kiel</th><td>247000</td></tr><tr><th>Husum</th><td>23000</td></tr></table>`)
    expect(found).toMatchObject({ '247000': 'North › Kiel | People', '23000': 'North › Husum | People' })
  })

  test('a cell that reaches down takes its slot from the rows below', async () => {
    const found = await headersIn(`<table><tr><th>A</th><th>B</th><th>C</th></tr>
      <tr><td rowspan="2">long</td><td>b1</td><td>c1</td></tr><tr><td>b2</td><td>c2</td></tr></table>`)
    expect(found).toMatchObject({ long: ' | A', b2: 'long | B', c2: 'long › b2 | C' })
  })

  test('a heading within the table replaces the one before it, a header above it keeps holding', async () => {
    const found = await headersIn(`<table><tr><th>Name</th><th>Size</th></tr>
      <tr><th colspan="2">Cats</th></tr><tr><td>Tom</td><td>4</td></tr>
      <tr><th colspan="2">Dogs</th></tr><tr><td>Rex</td><td>9</td></tr></table>`)
    expect(found).toMatchObject({ '4': 'Tom | Size › Cats', '9': 'Rex | Size › Dogs' })
  })

  test('names beside values, two pairs to a row', async () => {
    const found = await headersIn(
      '<table><tr><th>Height</th><td>6 cm</td><th>Depth</th><td>9 cm</td></tr></table>',
    )
    expect(found).toMatchObject({ '6 cm': 'Height | ', '9 cm': 'Depth | ' })
  })

  test('cells of a thead are headers, whatever they are called', async () => {
    const found = await headersIn(
      '<table><thead><tr><td>Year</td><td>Won</td></tr></thead><tr><td>1998</td><td>yes</td></tr></table>',
    )
    expect(found).toMatchObject({ '1998': ' | Year', yes: ' | Won' })
  })

  test('scope says what a header is for', async () => {
    const found = await headersIn(
      '<table><tr><th scope="row">Left</th><th scope="col">Top</th></tr><tr><td>below left</td><td>below top</td></tr></table>',
    )
    expect(found).toMatchObject({ 'below left': ' | ', 'below top': 'below left | Top' })
  })

  test.each([
    ['bold', '<tr><td><b>Fruit</b></td><td><b>Taste</b></td><td><b>Smell</b></td></tr>'],
    ['above figures', '<tr><td>Fruit</td><td>Taste</td><td>Smell</td></tr>'],
    ['of another shape', '<tr><td>Fruit</td><td>up to 3 days</td><td>up to 9 days</td></tr>'],
  ])('a first row without <th> is the header when it is %s', async (name, header) => {
    const found = await headersIn(
      `<table>${header}<tr><td>Apple</td><td>7 of 10</td><td>5 of 10</td></tr><tr><td>Pear</td><td>9 of 10</td><td>8 of 10</td></tr></table>`,
    )
    const columns = name === 'of another shape' ? ['up to 3 days', 'up to 9 days'] : ['Taste', 'Smell']
    expect(found).toMatchObject({ '9 of 10': `Pear | ${columns[0]}`, '5 of 10': `Apple | ${columns[1]}` })
  })

  test('the first of many pairs is no header of the others', async () => {
    const found = await headersIn(
      '<table><tr><td>Maker</td><td>Acme</td></tr><tr><td>Weight</td><td>5 kg</td></tr><tr><td>Height</td><td>9 cm</td></tr></table>',
    )
    expect(found).toMatchObject({ Acme: 'Maker | ', '5 kg': 'Weight | ', '9 cm': 'Height | ' })
  })

  test('a cell over all columns names the part of the table below it', async () => {
    const found = await headersIn(`<table><tr><td>Size</td><td>S</td></tr>
      <tr><td colspan="2">Energy</td></tr><tr><td>Class</td><td>D</td></tr><tr><td>Use</td><td>174 kWh</td></tr>
      <tr><td colspan="2">It was measured in a room of twenty degrees.</td></tr><tr><td>Noise</td><td>38 dB</td></tr></table>`)
    expect(found).toMatchObject({ S: 'Size | ', '174 kWh': 'Use | Energy', '38 dB': 'Noise | Energy' })
  })

  test.each([
    [
      'the first column',
      '<tr><td>Anna</td><td>12</td><td>3</td></tr><tr><td>Ben</td><td>9</td><td>4</td></tr>',
      'Ben',
    ],
    [
      'the second, where the first numbers the rows',
      '<tr><td>1</td><td>Anna</td><td>3</td></tr><tr><td>2</td><td>Ben</td><td>4</td></tr>',
      '2 › Ben',
    ],
    [
      'the second too, where the first groups them',
      '<tr><td rowspan="2">Blue</td><td>Anna</td><td>3</td></tr><tr><td>Ben</td><td>4</td></tr>',
      'Blue › Ben',
    ],
  ])('rows without a header are named by %s', async (_, rows, name) => {
    const found = await headersIn(`<table><tr><th>A</th><th>B</th><th>C</th></tr>${rows}</table>`)
    expect(found).toMatchObject({ '4': `${name} | C` })
  })

  test('each of two tables that stand side by side names its own rows', async () => {
    const found = await headersIn(`<table><tr><th>Town</th><th>Bus</th><th>Town</th><th>Bus</th></tr>
      <tr><td>Arn</td><td>11</td><td>Bol</td><td>7</td></tr><tr><td>Cas</td><td>4</td><td>Dorn</td><td>19</td></tr></table>`)
    expect(found).toMatchObject({ '4': 'Cas | Bus', '19': 'Dorn | Bus', Dorn: ' | Town' })
  })

  test('a list set in columns has no header', async () => {
    const found = await headersIn(
      '<table><tr><td>one</td><td>two</td><td>three</td></tr><tr><td>four</td><td>five</td><td>six</td></tr></table>',
    )
    expect(found).toMatchObject({ six: ' | ' })
  })

  test.each([
    ['says that it is one', '<table role="presentation"><tr><td>left</td><td>right</td></tr></table>'],
    ['has one column', '<table><tr><td>above</td></tr><tr><td>below</td></tr></table>'],
  ])('a layout that %s has no cells', async (_, html) => {
    expect(await headersIn(html)).toEqual({})
  })

  test('the table inside a layout has cells, the layout has none', async () => {
    const found = await headersIn(
      '<table><tr><td>menu</td><td><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>',
    )
    expect(found).toEqual({ A: ' | ', B: ' | ', '1': ' | A', '2': ' | B' })
  })
})

const cell: fc.Arbitrary<GridCell> = fc.record({
  columnSpan: fc.integer({ min: 1, max: 4 }),
  rowSpan: fc.integer({ min: 0, max: 4 }),
  isHeader: fc.boolean(),
  scope: fc.constantFrom(null, 'row', 'column'),
  text: fc.constantFrom('', 'a', 'b', 'c', '1'),
  isBold: fc.boolean(),
})
const rows: fc.Arbitrary<GridRow<GridCell>[]> = fc.array(
  fc.record({ group: fc.constantFrom(1, 2), isHead: fc.boolean(), cells: fc.array(cell, { maxLength: 6 }) }),
  { maxLength: 8 },
)

test('no two cells of any table cover one slot, and every cell is placed inside its row and group', () => {
  fc.assert(
    fc.property(rows, (table) => {
      const grid = placeCells(table)
      const covered = new Set<string>()
      for (const { row, column, columnSpan } of grid.cells) {
        for (let at = column; at < column + columnSpan; at++) {
          expect(covered.has(`${row} ${at}`)).toBe(false)
          covered.add(`${row} ${at}`)
        }
      }
      expect(grid.cells.map(({ cell: placed }) => placed)).toEqual(table.flatMap(({ cells }) => cells))
      expect(resolveHeaders(table, grid).size).toBe(grid.cells.length)
    }),
  )
})

import { expect, test } from 'vitest'
import { isRight } from '../../../scripts/eval/tables.ts'
import { readLabelledTables } from '../../../scripts/eval/labelled-tables.ts'
import { toMarkdown } from '../../../src/extract/markup/to-markdown.ts'
import { read, textOf } from '../fixtures.ts'

test('tables made of roles have the headers that they have to a reader', async () => {
  const { tables, cells } = await readLabelledTables('tables-by-role')
  expect([tables, cells.length]).toEqual([7, 12])
  expect(cells.filter((cell) => !isRight(cell) || !cell.isQuotedWithHeaders)).toEqual([])
})

const PRICES = `<h2>Prices</h2><div role="table"><div role="row"><b role="columnheader">Fruit</b><div role="columnheader">Price</div></div>
  <div role="row" style="display:flex"><div role="cell">Pears</div><div role="cell">€3</div></div>
  <a role="row" href="/plums"><span role="cell">Plums</span><span role="cell">€4</span></a></div><p>All per kilogram.</p>`

test('rows by role stand on a line each with tabs between their cells, as those of tables do', async () => {
  const { text, blocks } = await read(PRICES)
  expect(text).toBe('Prices\nFruit\tPrice\nPears\t€3\nPlums\t€4\n\nAll per kilogram.')
  expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'table', 'table', 'table', 'paragraph'])
})

test('tables by role are tables in Markdown', async () => {
  const page = await read(PRICES)
  expect(toMarkdown(page, { contentWeightLeast: 0 })).toContain(
    '| Fruit | Price |\n| - | - |\n| Pears | €3 |',
  )
})

test('a grid that names neither columns nor rows is layout: its cards and items stay what they are', async () => {
  const cards = (role: string): string =>
    `<div ${role}="grid"><ul ${role}="row"><li ${role}="gridcell"><h3>Pears</h3>sweet and soft</li><li ${role}="gridcell">Plums</li></ul></div>`
  expect(await read(cards('role'))).toEqual(await read(cards('data-role')))
})

test('a table by role around another table is layout', async () => {
  const page = await read(`<div role="table"><div role="row"><div role="cell">
    <table><tr><th>Town</th><th>People</th></tr><tr><td>Kiel</td><td>247000</td></tr></table></div><div role="cell">Advice</div></div></div>`)
  const cells = page.blocks.flatMap(({ table }) => table?.cells ?? [])
  expect(cells.map((cell) => textOf(page, cell))).toEqual(['Town', 'People', 'Kiel', '247000'])
})

test('roles of rows and cells outside of a table mean nothing', async () => {
  const page = await read('<div role="row"><div role="cell">Pears</div><div role="cell">Plums</div></div>')
  expect(page.text).toBe('Pears\nPlums')
  expect(page.blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph'])
})

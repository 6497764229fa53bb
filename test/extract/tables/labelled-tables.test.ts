import { expect, test } from 'vitest'
import { readLabelledTables } from '../../../scripts/eval/labelled-tables.ts'
import { isRight } from '../../../scripts/eval/tables.ts'

test('of 208 cells of 100 tables, 95 of 100 have the headers that they have to a reader, and stand with them', async () => {
  const { tables, cells } = await readLabelledTables('tables')
  expect([tables, cells.length]).toEqual([100, 208])
  expect(cells.filter(isRight).length / cells.length).toBeGreaterThanOrEqual(0.95)
  const quoted = cells.filter(({ isQuotedWithHeaders }) => isQuotedWithHeaders)
  expect(quoted.length / cells.length).toBeGreaterThanOrEqual(0.95)
})

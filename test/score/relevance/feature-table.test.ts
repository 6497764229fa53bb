import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  columnIndex,
  comparePassages,
  createFeatureTable,
  setColumn,
  valueAt,
} from '../../../src/score/relevance/feature-table.ts'

const value = fc.oneof(fc.constant(Number.NaN), fc.double({ min: -1, max: 1, noNaN: true }))
const rows = fc.array(fc.record({ value, page: fc.nat(3) }), { minLength: 1, maxLength: 30 })

test('the best of the pool has no gap and rank 0, and what is not known is compared with nothing', () => {
  fc.assert(
    fc.property(rows, (passages) => {
      const table = createFeatureTable(passages.length)
      setColumn(table, 'cosine', (row) => passages[row]?.value ?? 0)
      comparePassages(
        table,
        passages.map(({ page }) => page),
      )
      const known = passages.filter((passage) => !Number.isNaN(passage.value))
      const best = Math.max(...known.map((passage) => Math.fround(passage.value)))
      for (const [row, passage] of passages.entries()) {
        const gap = valueAt(table, row, columnIndex('cosineGap'))
        if (Number.isNaN(passage.value)) {
          expect(gap).toBeNaN()
          continue
        }
        expect(gap).toBeCloseTo(Math.fround(passage.value) - best, 5)
        const higher = known.filter((other) => Math.fround(other.value) > Math.fround(passage.value)).length
        expect(valueAt(table, row, columnIndex('cosineRank'))).toBeCloseTo(Math.log1p(higher), 5)
        const onPage = known.filter((other) => other.page === passage.page)
        const pageBest = Math.max(...onPage.map((other) => Math.fround(other.value)))
        expect(valueAt(table, row, columnIndex('cosinePageGap'))).toBeCloseTo(pageBest - best, 5)
      }
    }),
  )
})

test('a passage that only echoes the query takes nothing from the others, and gains nothing over them', () => {
  fc.assert(
    fc.property(rows, fc.double({ min: -1, max: 1, noNaN: true }), (passages, echoed) => {
      const compare = (values: readonly number[]) => {
        const table = createFeatureTable(values.length)
        setColumn(table, 'cosine', (row) => values[row] ?? 0)
        setColumn(table, 'echo', (row) => (row === passages.length ? 1 : 0.2))
        comparePassages(table, [...passages.map(({ page }) => page), 0])
        const columns = ['cosineGap', 'cosineRank', 'cosinePageGap'].map(columnIndex)
        return values.map((_, row) => columns.map((column) => valueAt(table, row, column)))
      }
      const own = passages.map((passage) => passage.value)
      const beside = compare([...own, echoed])
      expect(beside.slice(0, -1)).toEqual(compare(own))
      expect(beside.at(-1)?.[0]).toBeLessThanOrEqual(0)
    }),
  )
})

test('a passage is shown what stands directly before and after it on its page, in whatever order the pool comes', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), (order) => {
      // Three passages on each of two pages; their places are told, their order in the pool is any.
      const table = createFeatureTable(6)
      setColumn(table, 'place', (row) => (order[row] ?? 0) % 3)
      setColumn(table, 'bm25Full', (row) => order[row] ?? 0)
      comparePassages(
        table,
        order.map((passage) => Math.floor(passage / 3)),
      )
      const [before, after] = [columnIndex('bm25FullBefore'), columnIndex('bm25FullAfter')]
      for (const [row, passage] of order.entries()) {
        expect(valueAt(table, row, before)).toBe(passage % 3 === 0 ? Number.NaN : passage - 1)
        expect(valueAt(table, row, after)).toBe(passage % 3 === 2 ? Number.NaN : passage + 1)
      }
    }),
  )
})

test('comparing twice changes nothing', () => {
  const table = createFeatureTable(3)
  setColumn(table, 'bm25Full', (row) => row / 3)
  comparePassages(table, [0, 0, 1])
  const once = Array.from(table.values)
  comparePassages(table, [0, 0, 1])
  expect(Array.from(table.values)).toEqual(once)
})

test('a feature that does not exist is named', () => {
  expect(() => columnIndex('beauty')).toThrow('There is no feature "beauty".')
})

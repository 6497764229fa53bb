import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  columnIndex,
  COLUMNS,
  createFeatureTable,
  setCell,
  setColumn,
  type FeatureTable,
  type PoolKind,
} from '../../../src/score/relevance/feature-table.ts'
import { logOddsOf } from '../../../src/score/relevance/calibration.ts'
import { loadRelevanceModel } from '../../../src/score/relevance/relevance-model.ts'

const curve = [
  [-2, 0.1],
  [0, 0.5],
  [2, 0.9],
]
const STANDING = { logOdds: 1, lead: 0, field: 0, leadMax: 2, size: 0, answerable: 0, intercept: 0 }
const model = (trees: unknown[]) => ({
  version: 'test',
  columns: ['cosine', 'bm25Full'],
  intercept: 0.5,
  trees,
  standings: { pages: STANDING, few: STANDING, texts: STANDING },
  promises: [{ maxError: 0.1, least: 0.8 }],
  curves: { english: curve, latin: curve, dense: curve, other: curve },
})
/** cosine <= .5 ? -1 : bm25Full <= .25 ? 0 : 1, unknown cosines to the right. */
const TREE = {
  column: [0, 1],
  threshold: [0.5, 0.25],
  below: [-1, -2],
  above: [1, -3],
  unknownBelow: [0, 1],
  leaves: [-1, 0, 1],
}

function tableOf(rows: readonly (readonly [number, number])[]): FeatureTable {
  const table = createFeatureTable(rows.length)
  setColumn(table, 'script', () => 0)
  setColumn(table, 'cosine', (row) => rows[row]?.[0] ?? 0)
  setColumn(table, 'bm25Full', (row) => rows[row]?.[1] ?? 0)
  return table
}

test('trees are walked by value, and by their own rule where a value is not known', () => {
  const { logOdds } = loadRelevanceModel(model([TREE]))
  const table = tableOf([
    [0.5, 1],
    [0.75, 0.25],
    [0.75, 0.5],
    [Number.NaN, 0.5],
    [Number.NaN, Number.NaN],
  ])
  expect([0, 1, 2, 3, 4].map((row) => logOdds(table, row))).toEqual([-0.5, 0.5, 1.5, 1.5, 0.5])
})

test('the curve is followed between its points and level beyond them', () => {
  const { judge } = loadRelevanceModel(
    model([
      { ...TREE, leaves: [-5, 0, 1] },
      { ...TREE, leaves: [0, 0, 9] },
    ]),
  )
  const [low, middle, high] = judge(
    tableOf([
      [0.1, 0],
      [0.9, 0],
      [0.9, 1],
    ]),
  )
  expect(low).toBeCloseTo(0.1)
  expect(middle).toBeCloseTo(0.6)
  expect(high).toBeCloseTo(0.9)
})

describe('the standing', () => {
  const standings = {
    pages: STANDING,
    few: { ...STANDING, intercept: -1 },
    texts: { ...STANDING, intercept: -2 },
  }
  const { judge } = loadRelevanceModel({ ...model([]), standings })
  const oddsIn = (rows: number, of: PoolKind): number =>
    logOddsOf(judge(createFeatureTable(rows, of))[0] ?? 0)

  test('of texts by themselves is their own, not that of pages', () => {
    expect(oddsIn(5, 'pages') - oddsIn(5, 'texts')).toBeCloseTo(2)
    expect(oddsIn(1, 'texts')).toBeCloseTo(oddsIn(5, 'texts'))
  })

  test('of the few passages of a short page is one of its own: too few are there to stand out of', () => {
    for (const rows of [1, 4]) expect(oddsIn(5, 'pages') - oddsIn(rows, 'pages')).toBeCloseTo(1)
  })
})

test('a fit that names a feature that does not exist is refused', () => {
  expect(() => loadRelevanceModel({ ...model([]), columns: ['beauty'] })).toThrow(
    'There is no feature "beauty".',
  )
})

describe.each(readdirSync('models/relevance').filter((name) => name.endsWith('.json')))(
  'the fit %s',
  (name) => {
    const fit = loadRelevanceModel(JSON.parse(readFileSync(`models/relevance/${name}`, 'utf8')))
    const columns = [
      'cosine',
      'bestSentence',
      'maxSim',
      'crossEncoder',
      'coverFull',
      'bm25Full',
      'staticFullMaxSim',
    ]
    const cell = fc.oneof(fc.constant(Number.NaN), fc.double({ min: -1, max: 1, noNaN: true }))

    test('never judges a passage worse because it is closer to the query or holds more of its words', () => {
      fc.assert(
        fc.property(
          fc.array(cell, { minLength: COLUMNS.length, maxLength: COLUMNS.length }),
          fc.constantFrom(...columns),
          fc.double({ min: 0, max: 1, noNaN: true }),
          (row, column, more) => {
            const table = createFeatureTable(2)
            for (const [at, value] of row.entries()) for (const to of [0, 1]) setCell(table, to, at, value)
            const value = row[columnIndex(column)] ?? 0
            if (Number.isNaN(value)) return
            setCell(table, 1, columnIndex(column), value + more)
            for (const to of [0, 1]) setCell(table, to, columnIndex('script'), 0)
            const [plain = 0, closer = 0] = fit.judge(table)
            expect(closer).toBeGreaterThanOrEqual(plain - 1e-12)
          },
        ),
        { numRuns: 300 },
      )
    })
  },
)

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { partMeans } from '../../../src/score/models/network/part-means.ts'
import { loadWordPiece } from '../../../src/score/models/word-piece.ts'
import { createFirstStage } from '../../../src/score/relevance/first-stage.ts'
import { loadHighlightMap } from '../../../src/score/relevance/highlight-map.ts'
import { PART_COLUMNS, readParts } from '../../../src/score/relevance/part-features.ts'
import { readStaticModel } from '../../../src/score/static/static-model.ts'

type Column = (typeof PART_COLUMNS)[number]

const weightsOf = (more: Partial<Record<Column, number>>) => ({
  ...Object.fromEntries(PART_COLUMNS.map((name) => [name, 0])),
  ...more,
})
const sharesOf = loadHighlightMap({
  version: 'test',
  withReranker: weightsOf({ answering: 1 }),
  withModel: weightsOf({ cosine: 1 }),
  withoutModel: weightsOf({ coverText: 1 }),
})

/** A row of PART_COLUMNS a part; what is not named is not known. */
const rowsOf = (...parts: Partial<Record<Column, number>>[]): Float32Array =>
  Float32Array.from(parts.flatMap((part) => PART_COLUMNS.map((name) => part[name] ?? Number.NaN)))

/** The place of the part with the largest share. */
const likeliest = (...parts: Partial<Record<Column, number>>[]): number => {
  const shares = sharesOf(rowsOf(...parts), 0, parts.length)
  return shares.indexOf(Math.max(...shares))
}

describe('the share of each part of a passage', () => {
  const told = { coverText: 1, cosine: 0, answering: 0 }
  const near = { coverText: 0, cosine: 1, answering: 0 }
  const answers = { coverText: 0, cosine: 0, answering: 1 }

  it('goes by what the last model that read the passage says of its parts', () => {
    expect(likeliest(told, near, answers)).toBe(2)
    const [toldByModel, nearByModel] = [told, near].map(({ answering: _unknown, ...known }) => known)
    expect(likeliest({ ...toldByModel }, { ...nearByModel }, { coverText: 0, cosine: 0 })).toBe(1)
    expect(likeliest({ coverText: 1 }, { coverText: 0 }, { coverText: 0 })).toBe(0)
  })

  it('is a mean one for a part that the re-ranker did not reach', () => {
    const rows = rowsOf({ answering: 1 }, {}, { answering: 0 })
    const [first = 0, unread = 0, last = 0] = sharesOf(rows, 0, 3)
    expect(first).toBeGreaterThan(unread)
    expect(unread).toBeGreaterThan(last)
    expect(first + unread + last).toBeCloseTo(1)
  })

  it('is of the passage alone, whatever stands before and after it', () => {
    const rows = rowsOf({ cosine: 1 }, { answering: 2 }, { answering: 1 }, { cosine: 0 })
    const alone = rowsOf({ answering: 2 }, { answering: 1 })
    expect(sharesOf(rows, 1, 2)).toEqual(sharesOf(alone, 0, 2))
  })
})

describe('the word of the re-ranker on the parts of a passage', () => {
  const firstStage = createFirstStage({
    model: readStaticModel(readFileSync('models/bundled/onnx/model_quantized.onnx')),
    wordPiece: loadWordPiece(JSON.parse(readFileSync('models/bundled/tokenizer.json', 'utf8'))),
  })
  const column = PART_COLUMNS.indexOf('answering')
  const wordOn = (text: string): number[] => {
    const passage = { text, parts: [{ start: 0, end: text.length }], title: '', headings: [] }
    const asked = { passage: { ...passage, contentWeight: 1, place: 0, page: 0 }, relevance: 1 }
    const values = readParts(firstStage, 'q', [{ ...asked, answering: Float32Array.of(2) }])
    return [values[column] ?? 0]
  }

  it('counts in Latin letters, and not in scripts that it was not taught', () => {
    expect(wordOn('Vier Eier mit dem Zucker schlagen.')).toEqual([2])
    expect(wordOn('这座桥是1931年通车的。')).toEqual([Number.NaN])
    expect(wordOn('Мост открыт в 1931 году.')).toEqual([Number.NaN])
  })
})

describe('what is said of the tokens of a part', () => {
  it('is their mean, without those of no part and of the passage around', () => {
    const values = Float32Array.of(9, 1, 2, 3, 7, 5, 9)
    const partOf = Int32Array.of(-1, 0, 0, 0, -1, 1, -1)
    expect([...partMeans(values, partOf, 2)]).toEqual([2, 5])
  })

  it('is no number for a part of which nothing was read', () => {
    expect([...partMeans(Float32Array.of(1, 1), Int32Array.of(-1, 1), 3)]).toEqual([
      Number.NaN,
      1,
      Number.NaN,
    ])
    expect(partMeans(new Float32Array(0), new Int32Array(0), 0)).toHaveLength(0)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillBudget } from '../../../src/search/highlights/fill-budget.ts'
import { highlightsOf } from '../../../src/search/highlights/highlight.ts'
import type { ScoredPassage } from '../../../src/search/rank.ts'

/** A passage at `start` whose sentences are so long and answer so likely. */
function passageOf(
  start: number,
  sentences: readonly { length: number; relevance: number }[],
): ScoredPassage {
  let text = ''
  const parts = sentences.map(({ length, relevance }, at) => {
    const from = text === '' ? 0 : text.length + 1
    text += `${text === '' ? '' : ' '}${String.fromCharCode(97 + (at % 26)).repeat(length)}`
    return { start: from, end: text.length, relevance }
  })
  const relevance = parts.reduce((sum, part) => sum + part.relevance, 0)
  const end = start + text.length
  return { start, end, text, headings: [], opensSection: false, relevance, scoredBy: 'model', parts }
}

const page = (...rows: readonly (readonly [length: number, relevance: number])[]): ScoredPassage[] => [
  passageOf(
    0,
    rows.map(([length, relevance]) => ({ length, relevance })),
  ),
]
const texts = (filled: readonly (readonly ScoredPassage[])[]): string[][] =>
  filled.map((passages) => passages.map(({ text }) => text.replace(/(.)\1+/gu, '$1')))

describe('an answer of limited length', () => {
  test('takes the sentences that answer, of whatever page they are, and leaves out those around them', () => {
    const pages = [page([100, 0.02], [60, 0.5], [100, 0.05]), page([80, 0.01], [50, 0.3])]
    expect(texts(fillBudget(pages, { characters: 120, tokens: null, perPage: 3 }))).toEqual([['b'], ['b']])
  })

  test('rather takes a short sentence that answers than a long one that answers hardly more likely', () => {
    const pages = [page([300, 0.42]), page([40, 0.4])]
    expect(texts(fillBudget(pages, { characters: 310, tokens: null, perPage: 3 }))[1]).toEqual(['a'])
  })

  test('never cuts off what answers and keeps its score: a piece without it has the score of what it holds', () => {
    const [passages = []] = fillBudget([page([40, 0.1], [200, 0.7])], {
      characters: 100,
      tokens: null,
      perPage: 3,
    })
    expect(passages.map(({ text, relevance }) => [text.length, relevance])).toEqual([[40, 0.1]])
    const asked = { characters: 100, tokens: null, perPage: 3, least: 0.2 }
    expect(fillBudget([page([40, 0.1], [200, 0.7])], asked)).toEqual([[]])
    const [whole] = fillBudget([page([40, 0.1], [80, 0.7])], asked)
    expect(whole?.map(({ text, relevance }) => [text.length, relevance.toFixed(2)])).toEqual([[80, '0.80']])
  })

  test('is never longer than allowed, in characters and in tokens, and every piece is a slice between borders of sentences', () => {
    const sentence = fc.record({
      length: fc.integer({ min: 1, max: 200 }),
      relevance: fc.double({ min: 0, max: 0.2, noNaN: true }),
    })
    const pages = fc.array(
      fc
        .array(fc.array(sentence, { minLength: 1, maxLength: 8 }), { maxLength: 4 })
        .map((list) => list.map((rows, at) => passageOf(at * 2_000, rows))),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(
        pages,
        fc.integer({ min: 50, max: 1_500 }),
        fc.integer({ min: 50, max: 500 }),
        (given, characters, tokens) => {
          const filled = fillBudget(given, { characters, tokens, perPage: 2 })
          const all = filled.flat()
          expect(all.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(characters)
          for (const [index, passages] of filled.entries()) {
            expect(passages.length).toBeLessThanOrEqual(2)
            for (const { start, end, text, parts } of passages) {
              const whole = given[index]?.find((one) => one.start <= start && end <= one.end)
              expect(whole?.text.slice(start - (whole.start ?? 0), end - (whole.start ?? 0))).toBe(text)
              expect([parts?.[0]?.start, parts?.at(-1)?.end]).toEqual([0, text.length])
            }
          }
        },
      ),
    )
  })
})

describe('highlights', () => {
  test('are the sentence that answers, or the few that may, in the order of the text', () => {
    const clear = passageOf(0, [
      { length: 30, relevance: 0.05 },
      { length: 30, relevance: 0.7 },
      { length: 30, relevance: 0.05 },
    ])
    expect(highlightsOf(clear).map(({ start }) => start)).toEqual([31])
    const open = passageOf(0, [
      { length: 30, relevance: 0.3 },
      { length: 30, relevance: 0.1 },
      { length: 30, relevance: 0.35 },
    ])
    expect(highlightsOf(open).map(({ start }) => start)).toEqual([0, 62])
    expect(highlightsOf({ parts: null })).toEqual([])
  })
})

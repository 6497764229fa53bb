// The first stage over the bundled model, and the fit of it, as they ship.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadWordPiece } from '../../../src/score/models/word-piece.ts'
import type { ScoredPassage } from '../../../src/score/passage.ts'
import { ANSWER_KINDS, kindsAsked } from '../../../src/score/relevance/answer-kinds.ts'
import { COLUMNS, columnIndex, comparePassages, valueAt } from '../../../src/score/relevance/feature-table.ts'
import { createFirstStage } from '../../../src/score/relevance/first-stage.ts'
import { loadRelevanceModel } from '../../../src/score/relevance/relevance-model.ts'
import { readStaticModel } from '../../../src/score/static/static-model.ts'

const parts = {
  model: readStaticModel(readFileSync('models/bundled/onnx/model_quantized.onnx')),
  wordPiece: loadWordPiece(JSON.parse(readFileSync('models/bundled/tokenizer.json', 'utf8'))),
}
const firstStage = createFirstStage(parts)
const fit = loadRelevanceModel(JSON.parse(readFileSync('models/relevance/first-stage.json', 'utf8')))

const passage = (text: string, more: Partial<ScoredPassage> = {}): ScoredPassage => ({
  text,
  title: '',
  headings: [],
  contentWeight: 0.9,
  place: 0.3,
  page: 0,
  ...more,
})
function judge(query: string, passages: readonly ScoredPassage[]): Float64Array {
  const table = firstStage.readPool(query, passages)
  comparePassages(
    table,
    passages.map(({ page }) => page),
  )
  return fit.judge(table)
}

const anyText = fc.string({ unit: 'binary', maxLength: 120 })
const anyPassages = fc.array(
  fc.record({
    text: anyText,
    title: anyText,
    headings: fc.array(anyText, { maxLength: 3 }),
    contentWeight: fc.double({ min: 0, max: 1, noNaN: true }),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    page: fc.nat(2),
  }),
  { maxLength: 8 },
)

describe('the first stage', () => {
  it('gives every passage a probability, whatever the text, and knows all of its columns but those of kinds that nobody asked for', () => {
    fc.assert(
      fc.property(anyText, anyPassages, (query, passages) => {
        const table = firstStage.readPool(query, passages)
        for (const value of judge(query, passages)) expect(value >= 0 && value <= 1).toBe(true)
        const own = COLUMNS.slice(0, COLUMNS.indexOf('cosine'))
        const asked = new Set<string>(kindsAsked(query))
        const isNotAsked = (name: string): boolean =>
          ANSWER_KINDS.some((kind) => kind === name) && !asked.has(name)
        for (let row = 0; row < table.rows; row++)
          for (const name of own)
            expect([name, Number.isNaN(valueAt(table, row, columnIndex(name)))]).toEqual([
              name,
              isNotAsked(name),
            ])
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['ample', 1_000_000],
    ['so small that it forgets at once', 2_000],
  ])('tells the same when it remembers passages, with a memory that is %s', (_what, memoryBytes) => {
    const remembering = createFirstStage({ ...parts, memoryBytes })
    fc.assert(
      fc.property(fc.tuple(anyText, anyText), anyPassages, (queries, passages) => {
        for (const query of [...queries, ...queries])
          expect(remembering.readPool(query, passages)).toEqual(firstStage.readPool(query, passages))
      }),
      { numRuns: 60 },
    )
  })

  it('gives a passage the same probability wherever it stands in the pool', () => {
    const shuffled = anyPassages.chain((passages) =>
      fc.tuple(
        fc.constant(passages),
        fc.shuffledSubarray([...passages.keys()], { minLength: passages.length }),
      ),
    )
    fc.assert(
      fc.property(anyText, shuffled, (query, [passages, order]) => {
        const straight = judge(query, passages)
        const moved = judge(
          query,
          order.map((index) => passages[index]!),
        )
        for (const [place, index] of order.entries()) expect(moved[place]).toBeCloseTo(straight[index]!, 6)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['English', 'how do vaccines work', 'Vaccines work by training the immune system to know a germ.'],
    ['inflected English', 'revoking a key', 'You revoke keys on the page of your account.'],
    ['German', 'Wann wurde die Mauer gebaut?', 'Die Mauer wurde im August 1961 gebaut.'],
    ['Chinese', '议会选举多久举行一次', '议会选举每四年举行一次。'],
    ['Thai', 'เมืองหลวงของประเทศไทย', 'กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย'],
    ['Arabic', 'ما هي عاصمة مصر', 'القاهرة هي عاصمة جمهورية مصر العربية.'],
    ['Korean', '도서관은 몇 시에 문을 닫습니까', '도서관은 저녁 여덟 시에 문을 닫습니다.'],
  ])('puts the passage that answers first: %s', (_language, query, answer) => {
    const others = [
      'The recipe needs two eggs and a little butter.',
      'Der Wetterbericht meldet Regen im Norden.',
      'Cookies on this site help us to improve it.',
      '今天天气很好。',
    ]
    const relevance = judge(
      query,
      [...others, answer].map((text) => passage(text)),
    )
    expect(relevance.indexOf(Math.max(...relevance))).toBe(others.length)
  })

  it.each([2, 5])('tells an answer from its lack in a pool of %i', (size) => {
    const query = 'How long must sourdough bread rise?'
    const answer = 'Sourdough bread must rise for ten to twelve hours, overnight if the kitchen is cool.'
    const others = [
      'Subscribe to our newsletter for more recipes like this one.',
      'The kettle is made of stainless steel and holds one litre.',
      'Parking is free behind the town hall on Sundays.',
      'She joined the band in 1987 and left it two years later.',
      'Wipe the keyboard with a soft, dry cloth.',
    ].map((text) => passage(text))
    const [found = 0] = judge(query, [passage(answer), ...others.slice(1, size)])
    const none = judge(query, others.slice(0, size))
    expect(found).toBeGreaterThan(0.4)
    expect(Math.max(...none)).toBeLessThan(0.2)
  })

  it('counts the headings above a passage', () => {
    const text =
      'It takes effect at once and cannot be undone, whoever made it and however long ago that was.'
    const relevance = judge('revoke key', [passage(text), passage(text, { headings: ['Revoke a key'] })])
    expect(relevance[1]).toBeGreaterThan(relevance[0]!)
  })
})

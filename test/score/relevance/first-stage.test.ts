// The first stage over the bundled model as it ships.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadCalibration, logitOf, sigmoid } from '../../../src/score/relevance/calibration.ts'
import {
  createFirstStage,
  FIRST_STAGE_FEATURES,
  FIRST_STAGE_MODEL,
} from '../../../src/score/relevance/first-stage.ts'
import { readStaticModel } from '../../../src/score/static/static-model.ts'
import { loadWordPiece } from '../../../src/score/models/word-piece.ts'

const calibration = loadCalibration(JSON.parse(readFileSync('models/calibration.json', 'utf8')))
const parts = {
  model: readStaticModel(readFileSync('models/bundled/onnx/model_quantized.onnx')),
  wordPiece: loadWordPiece(JSON.parse(readFileSync('models/bundled/tokenizer.json', 'utf8'))),
  calibration,
}
const firstStage = createFirstStage(parts)

const plain = (texts: readonly string[]) => texts.map((text) => ({ text, heading: '' }))
const anyText = fc.string({ unit: 'binary', maxLength: 120 })
const anyPassages = fc.array(fc.record({ text: anyText, heading: anyText }), { maxLength: 8 })

describe('the first stage', () => {
  it('gives every passage a finite probability, whatever the text', () => {
    fc.assert(
      fc.property(anyText, anyPassages, (query, passages) => {
        const scores = firstStage.score(query, passages)
        expect(scores.relevance).toHaveLength(passages.length)
        for (const value of scores.relevance) expect(value >= 0 && value <= 1).toBe(true)
        for (const { cosine, maxSim, adjacency, information, queryInformation } of scores.features) {
          expect(cosine! >= -1 && cosine! <= 1).toBe(true)
          for (const value of [maxSim!, adjacency!]) expect(value >= 0 && value <= 1).toBe(true)
          expect(information! >= 0 && information! <= queryInformation!).toBe(true)
        }
        for (const value of scores.logit) expect(Number.isFinite(value)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['ample', 1_000_000],
    ['so small that it forgets at once', 2_000],
  ])('gives the same scores when it remembers passages, with a memory that is %s', (_what, memoryBytes) => {
    const remembering = createFirstStage({ ...parts, memoryBytes })
    const twoQueries = fc.tuple(anyText, anyText)
    fc.assert(
      fc.property(twoQueries, anyPassages, (queries, passages) => {
        for (const query of [...queries, ...queries])
          expect(remembering.score(query, passages)).toEqual(firstStage.score(query, passages))
      }),
      { numRuns: 60 },
    )
  })

  it('gives a passage the same score wherever it stands in the pool', () => {
    const shuffled = anyPassages.chain((passages) =>
      fc.tuple(
        fc.constant(passages),
        fc.shuffledSubarray([...passages.keys()], { minLength: passages.length }),
      ),
    )
    fc.assert(
      fc.property(anyText, shuffled, (query, [passages, order]) => {
        const straight = firstStage.score(query, passages).relevance
        const moved = firstStage.score(
          query,
          order.map((index) => passages[index]!),
        ).relevance
        for (const [place, index] of order.entries()) expect(moved[place]).toBeCloseTo(straight[index]!, 10)
      }),
      { numRuns: 60 },
    )
  })

  it('never lowers a score when the cosine rises at the same lexical features', () => {
    const map = calibration.mapOf(FIRST_STAGE_MODEL)
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    const cosine = fc.double({ min: -1, max: 1, noNaN: true })
    const others = fc.record(
      Object.fromEntries(
        FIRST_STAGE_FEATURES.filter((name) => name !== 'cosine').map((name) => [name, unit]),
      ),
    )
    fc.assert(
      fc.property(cosine, cosine, others, (one, other, features) => {
        const relevance = (value: number) => sigmoid(logitOf(map, { ...features, cosine: value }))
        expect(relevance(Math.max(one, other))).toBeGreaterThanOrEqual(relevance(Math.min(one, other)))
      }),
    )
  })

  it('weighs exactly the features it computes', () => {
    const { weights } = calibration.mapOf(FIRST_STAGE_MODEL)
    for (const name of Object.keys(weights)) expect(FIRST_STAGE_FEATURES).toContain(name)
  })

  it.each([
    ['English', 'how do vaccines work', 'Vaccines work by training the immune system to know a germ.'],
    ['inflected English', 'revoking a key', 'You revoke keys on the page of your account.'],
    ['German', 'Wann wurde die Mauer gebaut?', 'Die Mauer wurde im August 1961 gebaut.'],
    ['Chinese', '议会选举多久举行一次', '议会选举每四年举行一次。'],
    ['Thai', 'เมืองหลวงของประเทศไทย', 'กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย'],
    ['Arabic', 'ما هي عاصمة مصر', 'القاهرة هي عاصمة جمهورية مصر العربية.'],
  ])('puts the passage that answers first: %s', (_language, query, answer) => {
    const others = [
      'The recipe needs two eggs and a little butter.',
      'Der Wetterbericht meldet Regen im Norden.',
      'Cookies on this site help us to improve it.',
      '今天天气很好。',
    ]
    const { relevance } = firstStage.score(query, plain([...others, answer]))
    expect(relevance.indexOf(Math.max(...relevance))).toBe(others.length)
  })

  it.each([1, 2, 5])('tells an answer from its lack in a pool of %i', (size) => {
    const query = 'How long must sourdough bread rise?'
    const answer = 'Sourdough bread must rise for ten to twelve hours, overnight if the kitchen is cool.'
    const others = [
      'Subscribe to our newsletter for more recipes like this one.',
      'The kettle is made of stainless steel and holds one litre.',
      'Parking is free behind the town hall on Sundays.',
      'She joined the band in 1987 and left it two years later.',
      'Wipe the keyboard with a soft, dry cloth.',
    ]
    const [found = 0] = firstStage.score(query, plain([answer, ...others.slice(1, size)])).relevance
    const none = firstStage.score(query, plain(others.slice(0, size))).relevance
    expect(found).toBeGreaterThan(0.5)
    expect(Math.max(...none)).toBeLessThan(0.1)
  })

  it('counts the headings above a passage, less than its own words', () => {
    const text = 'It takes effect at once and cannot be undone.'
    const { relevance } = firstStage.score('revoke key', [
      { text, heading: '' },
      { text, heading: 'Revoke a key' },
      { text: `Revoke a key. ${text}`, heading: '' },
    ])
    expect(relevance[1]).toBeGreaterThan(relevance[0]!)
    expect(relevance[2]).toBeGreaterThan(relevance[1]!)
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadWordPiece } from '../../src/score/models/word-piece.ts'
import { createFeatureTable } from '../../src/score/relevance/feature-table.ts'
import { createFirstStage } from '../../src/score/relevance/first-stage.ts'
import { loadRelevanceModel } from '../../src/score/relevance/relevance-model.ts'
import { readStaticModel } from '../../src/score/static/static-model.ts'
import { finish, inSlices, mapInSteps, type Steps } from '../../src/score/steps.ts'

const never = new AbortController().signal

describe('work in steps', () => {
  test('gives what it gives at once, whoever drives it', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, at) => at)
    const doubled = (): Steps<number[]> => mapInSteps(numbers, (number, at) => number + at)
    expect(finish(doubled())).toEqual(numbers.map((number) => 2 * number))
    expect(await inSlices(doubled(), never)).toEqual(finish(doubled()))
  })

  test('is given up in the midst when nobody waits for it any more', async () => {
    function* endless(): Steps<never> {
      for (;;) yield
    }
    const gone = new AbortController()
    const working = inSlices(endless(), gone.signal)
    setImmediate(() => gone.abort(new Error('nobody waits')))
    await expect(working).rejects.toThrow('nobody waits')
  })
})

describe('a pool of any size is scored a few passages at a time', () => {
  const FEW = 500
  const MANY = 4 * FEW
  const stepsOf = (steps: Steps<unknown>): number => {
    let count = 0
    while (steps.next().done !== true) count += 1
    return count
  }
  const growth = (work: (passages: number) => Steps<unknown>): number =>
    stepsOf(work(MANY)) / stepsOf(work(FEW))

  test('by the first stage', () => {
    const firstStage = createFirstStage({
      model: readStaticModel(readFileSync('models/bundled/onnx/model_quantized.onnx')),
      wordPiece: loadWordPiece(JSON.parse(readFileSync('models/bundled/tokenizer.json', 'utf8'))),
    })
    const passages = (count: number) =>
      Array.from({ length: count }, (_, place) => ({
        text: `The tide of day ${place}.`,
        title: '',
        headings: [],
        contentWeight: 1,
        place,
        page: 0,
      }))
    expect(growth((count) => firstStage.readPoolInSteps('spring tide', passages(count)))).toBeGreaterThan(3)
  })

  test('by the learned relevance', () => {
    const fit = loadRelevanceModel(JSON.parse(readFileSync('models/relevance/first-stage.json', 'utf8')))
    expect(growth((count) => fit.judgeInSteps(createFeatureTable(count)))).toBeGreaterThan(3)
  })
})

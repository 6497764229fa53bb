// What becomes of documents that are more or longer than can be read in time.
import { describe, expect, test } from 'vitest'
import { TimeLimitError } from '../../../src/concurrency/deadline.ts'
import type { ScoredPassage } from '../../../src/score/scorer.ts'
import { createRerank, type CutTexts } from '../../../src/search/given/rerank.ts'
import { firstStageAnswer } from '../../support/first-stage-answer.ts'

/** A scorer that knows an answer by a word of it. */
function rerankWith(cutTexts: CutTexts) {
  const read: ScoredPassage[] = []
  const rerank = createRerank({
    cutTexts,
    score: (_query, passages) => {
      read.push(...passages)
      const relevance = passages.map(({ text }) => (text.includes('answer') ? 0.9 : 0.00001))
      return Promise.resolve({ ...firstStageAnswer(relevance), model: 'test' })
    },
  })
  const ask = (documents: readonly string[]) =>
    rerank({ query: 'q', documents }, { arrivedAtMs: Date.now() }, new AbortController().signal)
  return { ask, read }
}

/** Pieces of a hundred characters. */
const inHundreds: CutTexts = (texts, limit) =>
  Promise.resolve(texts.map((text) => (text.match(/.{1,100}/gu) ?? []).slice(0, limit)))
const longOf = (begin: string, pieces: number): string =>
  begin.padEnd(100, '.') + 'x'.repeat((pieces - 1) * 100)

describe('reranking', () => {
  test('reads the beginning of every document before the rest of any, and says that not all was read', async () => {
    const { ask, read } = rerankWith(inHundreds)
    const documents = Array.from({ length: 1_000 }, (_, index) => longOf(`a${index}`, 20))
    const { ranked, warning } = await ask([...documents, longOf('z: the answer', 20)])
    expect(ranked[0]).toMatchObject({ index: 1_000, relevance: 0.9 })
    expect(new Set(read.map(({ page }) => page)).size).toBe(1_001)
    expect(warning).toMatch(/beginnings/u)
  })

  test('says so of one document that is longer than what is read of it, and of none that is not', async () => {
    const { ask } = rerankWith(inHundreds)
    expect((await ask([longOf('the answer', 201)])).warning).toMatch(/beginnings/u)
    expect((await ask([longOf('the answer', 200), 'short'])).warning).toBeNull()
  })

  test('scores the beginnings where cutting takes too long, rather than nothing', async () => {
    const { ask } = rerankWith(() => Promise.reject(new TimeLimitError('cutting', 1)))
    const { ranked, warning } = await ask([longOf('bread', 20), longOf('the answer', 20), 'short'])
    expect(ranked[0]).toMatchObject({ index: 1 })
    expect(warning).toMatch(/beginnings/u)
  })

  test('gives a document with nothing to read in it no probability, beside others and alone', async () => {
    const { ask, read } = rerankWith(inHundreds)
    const { ranked } = await ask(['', 'the answer', ' \u{200b}\n'])
    expect(ranked.map(({ index, relevance }) => [index, relevance])).toEqual([
      [1, 0.9],
      [0, 0],
      [2, 0],
    ])
    expect(read.map(({ text }) => text)).toEqual(['the answer'])
    expect((await ask([''])).ranked).toMatchObject([{ index: 0, relevance: 0 }])
  })

  test('tells log odds that are finer than the rounded score, and finite', async () => {
    const { ask } = rerankWith(inHundreds)
    const { ranked } = await ask(['the answer', 'bread'])
    expect(ranked.map(({ relevance }) => relevance)).toEqual([0.9, 0])
    expect(ranked[0]?.logOdds).toBeCloseTo(Math.log(9), 6)
    expect(ranked[1]?.logOdds).toBeCloseTo(Math.log(0.00001), 3)
  })
})

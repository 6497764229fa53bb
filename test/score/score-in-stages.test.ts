// The stages over parts that a test holds in its hand: what an answer is when one of them never ends.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TierModels } from '../../src/score/models/model-registry.ts'
import { SIMILARITIES } from '../../src/score/models/token-similarity.ts'
import type { ScoredPassage } from '../../src/score/passage.ts'
import { createFeatureTable } from '../../src/score/relevance/feature-table.ts'
import type { Relevance } from '../../src/score/relevance/open-relevance.ts'
import type { PassageToHighlight } from '../../src/score/relevance/part-features.ts'
import type { RelevanceResult } from '../../src/score/relevance/relevance-worker.ts'
import type { ScoreAnswer } from '../../src/score/score-answer.ts'
import { scoreInStages } from '../../src/score/score-in-stages.ts'

const LIMIT_MS = 700
const PASSAGES = ['To revoke a key, ask.', 'Bananas grow in bunches.'].map((text): ScoredPassage => ({
  text,
  title: '',
  headings: [],
  contentWeight: 1,
  place: 0,
  page: 0,
  parts: [{ start: 0, end: text.length }],
}))

const judged = (version: string, ...relevance: number[]): RelevanceResult => ({
  table: createFeatureTable(PASSAGES.length),
  relevance: Float64Array.from(relevance),
  version,
  promises: [],
})

/** Pays no heed to its signal, as a thread in the middle of its work. */
const endless = (): Promise<never> => new Promise(() => undefined)

const stages = {
  read: async () => judged('first', 0.4, 0.1),
  judge: async (stage: string) => judged(stage, 0.8, 0.05),
  highlight: async () => [Float64Array.of(0.8), Float64Array.of(0.05)],
}

/** Told how long each model may still read. */
const readFor: number[] = []

const location = (id: string): TierModels['embedding'] => ({
  id,
  directory: '',
  device: 'cpu',
  spec: { kind: 'embedding', tokenizer: 'word-piece', dimensions: 32, maximumTokens: 128 },
})

const embedder: TierModels['embedder'] = {
  workers: 1,
  load: async () => 1,
  relate: async (_model, _query, texts, deadlineMs) => {
    readFor.push(deadlineMs - Date.now())
    return { values: texts.map(() => new Float32Array(SIMILARITIES.length + 2)), failure: null }
  },
  rank: async (_model, _query, texts, deadlineMs) => {
    readFor.push(deadlineMs - Date.now())
    return { values: texts.map(() => Float32Array.of(1, 0.25)), failure: null }
  },
  describeLoad: () => ({ waiting: 0, vectors: { hits: 0, misses: 0, entries: 0, bytes: 0 } }),
  close: async () => undefined,
}

const tier: TierModels = {
  label: 'small + cross',
  embedder,
  embedding: location('small'),
  crossEncoder: location('cross'),
  paceMs: { embedding: 5, crossEncoder: 5 },
}

/** The answer that is there when the deadline has come, to the millisecond. */
async function answerAtDeadline(
  parts: Partial<Pick<Relevance, keyof typeof stages>>,
): Promise<ScoreAnswer | 'none yet'> {
  const limits = { candidates: 2, reranked: 1, highlighted: 2, deadlineMs: Date.now() + LIMIT_MS }
  const request = { tier: 'exhaustive', language: 'en', ...limits } as const
  const { signal } = new AbortController()
  const scoring = { query: 'revoke a key', passages: PASSAGES, request, signal }
  let answer: ScoreAnswer | 'none yet' = 'none yet'
  const running = scoreInStages({ ...stages, ...parts }, tier, scoring, () => undefined)
  void running.then((made) => (answer = made))
  await vi.advanceTimersByTimeAsync(LIMIT_MS)
  return answer
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  readFor.length = 0
})

describe('an answer is there at its deadline', () => {
  test('when nothing hangs, with every stage and the parts of its passages', async () => {
    expect(await answerAtDeadline({})).toMatchObject({
      scoredBy: ['reranker', 'model'],
      version: 'small+cross',
      warning: null,
      partRelevance: new Map([
        [0, Float64Array.of(0.8)],
        [1, Float64Array.of(0.05)],
      ]),
    })
  })

  test('when the first stage never ends: nothing is scored, and it says so', async () => {
    expect(await answerAtDeadline({ read: endless })).toMatchObject({
      scoredBy: ['first', 'first'],
      relevance: Float64Array.of(0, 0),
      version: 'none',
      warning: 'The time was used up before the passages were scored.',
    })
  })

  test('when judging what the model read never ends: with the scores of the first stage, and it says so', async () => {
    expect(await answerAtDeadline({ judge: endless })).toMatchObject({
      scoredBy: ['first', 'first'],
      relevance: Float64Array.of(0.4, 0.1),
      version: 'first',
      warning: expect.stringContaining('some scores are rougher than usual'),
    })
  })

  test('when judging what the re-ranker read never ends: with the scores of the model', async () => {
    const judge = (stage: string) => (stage === 'small' ? stages.judge(stage) : endless())
    expect(await answerAtDeadline({ judge })).toMatchObject({
      scoredBy: ['model', 'model'],
      version: 'small',
      warning: expect.stringContaining('some scores are rougher than usual'),
    })
  })

  test('with what each model said of the parts of what it read', async () => {
    const told: PassageToHighlight[] = []
    const highlight = async (_query: string, passages: readonly PassageToHighlight[]) => {
      told.push(...passages)
      return stages.highlight()
    }
    await answerAtDeadline({ highlight })
    expect(told.map(({ similarities, answering }) => ({ similarities, answering }))).toEqual([
      { similarities: new Float32Array(2), answering: Float32Array.of(0.25) },
      { similarities: new Float32Array(2), answering: undefined },
    ])
  })

  test('when the highlights never end: scored in full, without them, and it says so', async () => {
    expect(await answerAtDeadline({ highlight: endless })).toMatchObject({
      scoredBy: ['reranker', 'model'],
      partRelevance: new Map(),
      warning: expect.stringContaining('none is highlighted'),
    })
  })

  test('and the models leave of it what judging takes', async () => {
    await answerAtDeadline({})
    const [, last] = readFor
    expect(last).toBeGreaterThan(LIMIT_MS / 2)
    expect(last).toBeLessThan(LIMIT_MS)
  })

  test('and a model that uses its time to the end leaves the re-ranker a share of it', async () => {
    await answerAtDeadline({})
    const [model = 0, reranker = 0] = readFor
    // Of three passages to be read two are the model's.
    expect(model / reranker).toBeCloseTo(2 / 3)
  })
})

describe('how many passages a model reads', () => {
  test('is kept to when a slow model serves', async () => {
    const slow = { ...tier, paceMs: { embedding: 10_000, crossEncoder: 10_000 } }
    const many = Array.from({ length: 40 }, (_, page) => ({ ...PASSAGES[0], page }) as ScoredPassage)
    const read = async () => ({
      ...judged('first'),
      relevance: new Float64Array(40),
      table: createFeatureTable(40),
    })
    const request = {
      tier: 'balanced',
      language: 'en',
      candidates: 32,
      reranked: 12,
      deadlineMs: Infinity,
    } as const
    const scoring = { query: 'revoke a key', passages: many, request, signal: new AbortController().signal }
    const judge = async () => read()
    const { scoredBy } = await scoreInStages({ ...stages, read, judge }, slow, scoring, () => undefined)
    expect(scoredBy.filter((by) => by !== 'first')).toHaveLength(4)
  })

  test('is no judgement on the others: what the limit left out is worth no less than before', async () => {
    const asked = {
      tier: 'balanced',
      language: 'en',
      candidates: 1,
      reranked: 0,
      deadlineMs: Infinity,
    } as const
    const scoring = {
      query: 'revoke a key',
      passages: PASSAGES,
      request: asked,
      signal: new AbortController().signal,
    }
    const read = async () => judged('first', 0.4, 0.3)
    const { relevance } = await scoreInStages({ ...stages, read }, tier, scoring, () => undefined)
    expect([...relevance]).toEqual([0.8, 0.3])
  })
})

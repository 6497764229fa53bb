// Whether reranking puts what answers first, and whether its scores mean what they say, in pools of any size: labelled
// questions asked of the very parts that serve /v1/rerank, beside all-MiniLM-L6-v2 alone.
import {
  expectedCalibrationError,
  type JudgedScore,
  reliabilityOf,
} from '../../src/score/calibrate/reliability.ts'
import { SIMILARITIES } from '../../src/score/models/token-similarity.ts'
import type { Transformer } from '../../src/score/models/transformer.ts'
import type { Scorer } from '../../src/score/scorer.ts'
import {
  createRerank,
  RERANK_DEADLINE_MS,
  type CutTexts,
  type Rerank,
} from '../../src/search/given/rerank.ts'
import type { LabelledQuery } from './evaluation-set.ts'
import { rankingMetrics } from './ranking-metrics.ts'
import { createRerankPools, grouped } from './rerank-pools.ts'

/** The evaluation waits for every document. */
const PATIENCE_MS = 600_000
const POOL_SIZES = [5, 50, 500]

export interface RerankEvaluation {
  scorer: Scorer
  cutTexts: CutTexts
  miniLm: Transformer
  /** Questions of each set that are asked; null for all. */
  limit: number | null
}

/** Prints nDCG@10 of each set over its own pools, and how far the first score is from the truth in pools of three sizes. */
export async function evaluateRerank(
  queries: readonly LabelledQuery[],
  { scorer, cutTexts, miniLm, limit }: RerankEvaluation,
): Promise<void> {
  const rerank = createRerank({
    score: (query, passages, request, signal) =>
      scorer.score(query, passages, { ...request, deadlineMs: Date.now() + PATIENCE_MS }, signal),
    cutTexts: (texts, count, _deadlineMs, signal) => cutTexts(texts, count, Date.now() + PATIENCE_MS, signal),
  })
  const asked = limit === null ? [...queries] : evenly(queries, limit)
  await compareOrder(asked, rerank, miniLm)
  await measureCalibration(queries, asked, rerank)
}

/** `count` questions of each set, spread over all of it. */
function evenly(queries: readonly LabelledQuery[], count: number): LabelledQuery[] {
  return [...grouped(queries, ({ set }) => set).values()].flatMap((all) =>
    all.filter(
      (_, index) =>
        Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
    ),
  )
}

/** The scores of a pool's documents, in their order. */
async function scoresOf(rerank: Rerank, query: string, documents: readonly string[]): Promise<number[]> {
  const options = { arrivedAtMs: Date.now(), patienceMs: RERANK_DEADLINE_MS }
  const { ranked } = await rerank({ query, documents }, options, AbortSignal.timeout(PATIENCE_MS))
  const scores = documents.map(() => 0)
  for (const { index, relevance } of ranked) scores[index] = relevance
  return scores
}

async function cosines(miniLm: Transformer, query: string, documents: readonly string[]): Promise<number[]> {
  const values = await miniLm.relate(
    query,
    documents.map((text) => ({ context: '', text })),
  )
  return documents.map((_text, index) => values[index * SIMILARITIES.length] ?? 0)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

async function compareOrder(
  queries: readonly LabelledQuery[],
  rerank: Rerank,
  miniLm: Transformer,
): Promise<void> {
  console.log('| set | questions | nDCG@10, rerank | nDCG@10, all-MiniLM-L6-v2 alone |\n|---|---:|---:|---:|')
  const means: { ours: number; theirs: number }[] = []
  const answerable = queries.filter(({ relevant }) => relevant.length > 0)
  for (const [set, list] of grouped(answerable, (query) => query.set)) {
    const ours: number[] = []
    const theirs: number[] = []
    for (const { query, passages, relevant } of list) {
      ours.push(rankingMetrics(await scoresOf(rerank, query, passages), relevant).ndcg10)
      theirs.push(rankingMetrics(await cosines(miniLm, query, passages), relevant).ndcg10)
    }
    means.push({ ours: mean(ours), theirs: mean(theirs) })
    console.log(`| ${set} | ${list.length} | ${mean(ours).toFixed(3)} | ${mean(theirs).toFixed(3)} |`)
  }
  const [ours, theirs] = [mean(means.map((one) => one.ours)), mean(means.map((one) => one.theirs))]
  console.log(`| mean of the sets | ${answerable.length} | ${ours.toFixed(3)} | ${theirs.toFixed(3)} |\n`)
}

/** Of the first document of each pool, since that is the one that is used. */
async function measureCalibration(
  all: readonly LabelledQuery[],
  asked: readonly LabelledQuery[],
  rerank: Rerank,
): Promise<void> {
  const poolOf = createRerankPools(all)
  console.log(
    '| documents | questions | first is right | its mean score | ECE of first | English | other languages |',
  )
  console.log('|---:|---:|---:|---:|---:|---:|---:|')
  for (const size of POOL_SIZES) {
    const first: (JudgedScore & { isEnglish: boolean })[] = []
    for (const [turn, query] of asked.entries()) {
      const pool = poolOf(query, size, turn)
      if (pool === null) continue
      const scores = await scoresOf(rerank, query.query, pool.documents)
      const best = scores.indexOf(Math.max(...scores))
      first.push({ score: scores[best] ?? 0, isRelevant: pool.relevant.has(best), isEnglish: pool.isEnglish })
    }
    console.log(lineOf(size, first))
  }
}

function lineOf(size: number, first: readonly (JudgedScore & { isEnglish: boolean })[]): string {
  const errorOf = (list: readonly JudgedScore[]): string =>
    list.length === 0 ? '–' : expectedCalibrationError(reliabilityOf(list)).toFixed(3)
  const right = mean(first.map(({ isRelevant }) => Number(isRelevant)))
  const said = mean(first.map(({ score }) => score))
  const [english, others] = [first.filter((one) => one.isEnglish), first.filter((one) => !one.isEnglish)]
  return `| ${size} | ${first.length} | ${right.toFixed(3)} | ${said.toFixed(3)} | ${errorOf(first)} | ${errorOf(english)} | ${errorOf(others)} |`
}

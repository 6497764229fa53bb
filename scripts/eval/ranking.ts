// Scores labelled queries with every method and measures each set.
import { bestPassages, SHOWN_PASSAGES } from '../../src/score/calibrate/labelled-pool.ts'
import {
  expectedCalibrationError,
  type JudgedScore,
  reliabilityOf,
} from '../../src/score/calibrate/reliability.ts'
import type { FirstStage } from '../../src/score/relevance/first-stage.ts'
import { createLexical } from '../../src/score/lexical/bm25.ts'
import { SIMILARITIES } from '../../src/score/models/token-similarity.ts'
import type { Transformer } from '../../src/score/models/transformer.ts'
import type { ScoredPassage } from '../../src/score/passage.ts'
import { comparePassages } from '../../src/score/relevance/feature-table.ts'
import type { RelevanceModel } from '../../src/score/relevance/relevance-model.ts'
import { isEnglish, isFew, type LabelledQuery } from './evaluation-set.ts'
import { type RankingMetrics, rankingMetrics } from './ranking-metrics.ts'

/** Scores the passages of one query. */
export interface Method {
  name: string
  /** Whether its scores are probabilities, so that their calibration can be measured. */
  isCalibrated: boolean
  score(query: LabelledQuery): Promise<ArrayLike<number>> | ArrayLike<number>
}

export interface MethodResult {
  name: string
  /** Mean over the answerable queries of each set. */
  bySet: ReadonlyMap<string, RankingMetrics>
  /** Scores a caller would see, by set; empty for uncalibrated methods. */
  judged: ReadonlyMap<string, JudgedScore[]>
}

/** Passages that stand alone, as those of the labelled sets do. */
export const plainPassages = (texts: readonly string[]): ScoredPassage[] =>
  texts.map((text, index) => ({
    text,
    title: '',
    headings: [],
    contentWeight: 1,
    place: index / texts.length,
    page: 0,
  }))

/** Raw BM25 (stemmed words, statistics of the pool alone), MiniLM's cosine, and the first stage without a model. */
export function baselineMethods(firstStage: FirstStage, fit: RelevanceModel, miniLm: Transformer): Method[] {
  const plainBm25 = createLexical(() => undefined, { functionWordWeight: 1 })
  return [
    {
      name: 'BM25',
      isCalibrated: false,
      score: ({ query, passages }) =>
        plainBm25.score(
          query,
          passages.map((text) => ({ text, heading: '' })),
        ).bm25Full,
    },
    {
      name: 'MiniLM cosine',
      isCalibrated: false,
      async score({ query, passages }) {
        const values = await miniLm.relate(
          query,
          passages.map((text) => ({ context: '', text })),
        )
        return passages.map((_text, index) => values[index * SIMILARITIES.length] ?? 0)
      },
    },
    {
      name: 'first stage alone',
      isCalibrated: true,
      score({ query, passages }) {
        const table = firstStage.readPool(query, plainPassages(passages), true)
        comparePassages(table, new Int32Array(passages.length))
        return fit.judge(table)
      },
    },
  ]
}

const METRICS = ['ndcg5', 'ndcg10', 'reciprocalRank', 'recall3'] as const

/** Mean of each measure. */
function meanMetrics(list: readonly RankingMetrics[]): RankingMetrics {
  const mean = (name: (typeof METRICS)[number]): number =>
    list.reduce((sum, metrics) => sum + metrics[name], 0) / Math.max(1, list.length)
  return {
    ndcg5: mean('ndcg5'),
    ndcg10: mean('ndcg10'),
    reciprocalRank: mean('reciprocalRank'),
    recall3: mean('recall3'),
  }
}

/** Runs one method over all queries. */
export async function evaluate(method: Method, queries: readonly LabelledQuery[]): Promise<MethodResult> {
  const metrics = new Map<string, RankingMetrics[]>()
  const judged = new Map<string, JudgedScore[]>()
  for (const query of queries) {
    const scores = await method.score(query)
    if (query.relevant.length > 0) {
      metrics.set(query.set, [...(metrics.get(query.set) ?? []), rankingMetrics(scores, query.relevant)])
    }
    if (!method.isCalibrated) continue
    const shown = bestPassages(scores, SHOWN_PASSAGES).map((index) => ({
      score: scores[index] ?? 0,
      isRelevant: query.relevant.includes(index),
    }))
    judged.set(query.set, [...(judged.get(query.set) ?? []), ...shown])
  }
  const bySet = new Map(Array.from(metrics, ([set, list]) => [set, meanMetrics(list)]))
  return { name: method.name, bySet, judged }
}

/** Calibration error of the shown passages of one set, or of all; null where scores are no probabilities. */
export function calibrationError(judged: ReadonlyMap<string, JudgedScore[]>, set?: string): number | null {
  const list = set === undefined ? Array.from(judged.values()).flat() : judged.get(set)
  return list === undefined || list.length === 0 ? null : expectedCalibrationError(reliabilityOf(list))
}

/** Mean over the sets of each group: English, and the other languages where there are any. */
export function macroMeans(result: MethodResult): Map<string, RankingMetrics> {
  const groups = new Map<string, RankingMetrics[]>()
  for (const [set, metrics] of result.bySet) {
    if (isFew(set)) continue
    const group = isEnglish(set) ? 'English mean' : 'other languages mean'
    groups.set(group, [...(groups.get(group) ?? []), metrics])
  }
  return new Map(Array.from(groups, ([group, list]) => [group, meanMetrics(list)]))
}

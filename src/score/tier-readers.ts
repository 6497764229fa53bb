// The models of a tier as readers of passages, and how many of them each reads on this machine.
import type { TierModels } from './models/model-registry.ts'
import { stageOf } from './relevance/judges.ts'
import { embedPassages, rankPassages, type ModelInput, type ModelReading } from './relevance/model-stage.ts'
import type { ScoredBy, ScoreRequest } from './score-answer.ts'

/** What a depth's count of passages stands for: so much time of all threads for each, about a MiniLM's without VNNI on two slow cores. */
const PASSAGE_MS = 16
/** Counts are kept in such steps, so that a little more or less of speed at the start changes nothing. */
const COUNT_STEP = 4

/**
 * How many passages of `wanted` a model reads that takes `paceMs` for each: all on a machine that is fast enough, as many
 * as take the same time on a slower one. The same for as long as the pace is, whatever else goes on.
 */
export function affordable(wanted: number, paceMs: number): number {
  if (paceMs <= PASSAGE_MS) return wanted
  const count = Math.floor((wanted * PASSAGE_MS) / paceMs / COUNT_STEP) * COUNT_STEP
  return Math.min(wanted, Math.max(COUNT_STEP, count))
}

/** A model of the tier, which reads the best passages after the stage before. */
export interface Reader {
  by: Exclude<ScoredBy, 'first'>
  stage: string
  /** Most passages it reads. */
  count: number
  read: (input: ModelInput) => Promise<ModelReading>
}

/** In the order in which they read. */
export function readersOf(
  { embedder, embedding, crossEncoder, paceMs }: TierModels,
  { candidates, reranked }: Pick<ScoreRequest, 'candidates' | 'reranked'>,
  signal: AbortSignal,
): Reader[] {
  const model: Reader = {
    by: 'model',
    stage: stageOf(embedding.id, null),
    count: affordable(candidates, paceMs.embedding),
    read: (input) => embedPassages(embedder, embedding, input, signal),
  }
  if (crossEncoder === null || reranked === 0) return [model]
  const reranker: Reader = {
    by: 'reranker',
    stage: stageOf(embedding.id, crossEncoder.id),
    count: affordable(reranked, paceMs.crossEncoder),
    read: (input) => rankPassages(embedder, crossEncoder, input, signal),
  }
  return [model, reranker]
}

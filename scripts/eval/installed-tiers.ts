// The tiers whose own models are installed, as methods of the evaluation.
import { openScorer, type ScoreRequest } from '../../src/score/scorer.ts'
import { plainPassages, type Method } from './ranking.ts'
import type { Logger } from '../../src/telemetry/log.ts'

const TIERS: readonly ScoreRequest['tier'][] = ['precise', 'balanced', 'exhaustive']
/** The evaluation waits for every passage. */
const PATIENCE_MS = 600_000

/** Opens the service's scorer; `methods` is empty where no tier has its own model. */
export async function openInstalledTiers(folders: {
  catalogPath: string
  bundledDirectory: string
  modelDirectory: string
  log: Logger
}): Promise<{ methods: Method[]; close(): Promise<void> }> {
  const scorer = await openScorer({ ...folders, device: 'cpu', threads: null })
  const wanted = new Set(scorer.describe().flatMap(({ tier, isWanted }) => (isWanted ? [tier] : [])))
  const methods = TIERS.filter((tier) => wanted.has(tier)).map((tier): Method => ({
    name: `tier ${tier}`,
    isCalibrated: true,
    async score(query) {
      const language = /^xquad_(\w+)$/u.exec(query.set)?.[1] ?? 'en'
      const passages = plainPassages(query.passages)
      const deadlineMs = Date.now() + PATIENCE_MS
      const request = { tier, language, candidates: passages.length, reranked: passages.length, deadlineMs }
      const answer = await scorer.score(query.query, passages, request, AbortSignal.timeout(PATIENCE_MS))
      return answer.relevance
    },
  }))
  return { methods, close: () => scorer.close() }
}

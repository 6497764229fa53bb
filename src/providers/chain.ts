// The order in which engines are asked, and what happens when one fails, is slow, or finds nothing.
import { fuseByRank } from './fusion.ts'
import {
  ProviderError,
  type ProviderFailure,
  type ProviderQuery,
  type SearchHit,
  type SearchProvider,
} from './provider.ts'
import {
  type AttemptLimits,
  type AttemptObservers,
  createEngineAttempt,
  type EngineAttempt,
} from './engine-attempt.ts'
import type { EngineState } from './engine-state.ts'
import { uniqueHits } from './hit-urls.ts'
import { raceSteps } from './race-steps.ts'

/** Whether the engine applied a filter itself, the pipeline applies it after, or nobody asked for it. */
type Application = 'native' | 'after' | 'none'

export interface ChainAnswer {
  /** Cleaned, unique, best first. Empty when the engines answered and found nothing. */
  hits: SearchHit[]
  /** The engine that answered, or several joined by "+". */
  provider: string
  applied: Record<'recency' | 'language' | 'includeDomains' | 'excludeDomains', Application>
  failures: { provider: string; failure: ProviderFailure }[]
}

export interface ChainOptions extends Partial<AttemptLimits>, AttemptObservers {
  /** The next step is started as a reserve when a step has not answered after this time. */
  hedgeAfterMs?: number
  /** Of engines asked together: once one has hits, the others have this long. */
  patienceMs?: number
}

export const CHAIN_DEFAULTS = {
  timeoutMs: 3_000,
  retries: 1,
  retryDelayMs: 100,
  breakAfterFailures: 3,
  breakMs: 10_000,
  breakMsMax: 300_000,
  restMs: 30_000,
  restMsMax: 3_600_000,
  slowAfterMs: 1_000,
  hedgeAfterMs: 1_200,
  patienceMs: 1_000,
} as const

/** Every engine failed. `errors` holds the reason of each, for the log; none of it is for the caller. */
export class NoProviderAnsweredError extends AggregateError {
  override readonly name = 'NoProviderAnsweredError'
}

/** True when nothing but the query was at fault: every engine refused it, so asking again is of no use. */
export const isRefusedQuery = (error: unknown): boolean =>
  error instanceof NoProviderAnsweredError &&
  error.errors.length > 0 &&
  error.errors.every((each) => each instanceof ProviderError && each.failure === 'refused')

export type ProviderChain = ReturnType<typeof createProviderChain>

interface StepAnswer {
  hits: SearchHit[]
  providers: SearchProvider[]
}

/**
 * Steps are tried in order; the engines of one step are asked at once and their lists fused by reciprocal rank.
 *
 * A step that fails or finds nothing hands over to the next; of the embedded engine only hits stand for one that
 * failed. A step that is slow gets the next one started beside it as a reserve, whose hits are used only if the slow
 * one fails or the signal ends the search; so the order stays the order of preference and a hanging engine costs the
 * time limit at most. Filters that an engine cannot apply, and asking for more hits than needed, are the caller's
 * business.
 */
export function createProviderChain(
  steps: readonly (readonly SearchProvider[])[],
  options: ChainOptions = {},
) {
  const limits = { ...CHAIN_DEFAULTS, ...options }
  const turns = steps.map((step) => step.map((provider) => createEngineAttempt(provider, limits, options)))

  /**
   * Asks the engines in their order, or the one named `only` alone.
   * @throws {NoProviderAnsweredError} when every engine failed, or none has that name.
   * @throws the signal's reason when it aborts before any engine had hits.
   */
  async function findHits(query: ProviderQuery, signal: AbortSignal, only?: string): Promise<ChainAnswer> {
    signal.throwIfAborted()
    const cancelRest = new AbortController()
    const errors: ProviderError[] = []
    const stepSignal = AbortSignal.any([signal, cancelRest.signal])
    try {
      const answer = await raceSteps(
        stepsOf(turns, only).map(
          (step) => () => takeStep(step, query, limits.patienceMs, errors, stepSignal),
        ),
        limits.hedgeAfterMs,
        signal,
      )
      if (answer === null || isSilentReserve(answer, errors))
        throw new NoProviderAnsweredError(errors, 'no search provider answered')
      return composeAnswer(answer, query, errors)
    } finally {
      cancelRest.abort()
    }
  }

  return {
    findHits,
    /** What is known of each engine, in order. */
    describe: (): EngineState[] => turns.flat().map((turn) => turn.describe()),
    /**
     * Asks every engine, or the one of that name, a plain question, which costs one request of each; what comes of it is
     * in `describe`.
     */
    async probe(name?: string): Promise<void> {
      const asked = turns.flat().filter(({ provider }) => name === undefined || provider.name === name)
      await Promise.allSettled(asked.map((turn) => turn.probe()))
    },
  }
}

/** All steps, or the one engine of that name. */
function stepsOf(turns: readonly (readonly EngineAttempt[])[], only: string | undefined) {
  if (only === undefined) return turns
  const named = turns.flat().find(({ provider }) => provider.name === only)
  return named === undefined ? [] : [[named]]
}

/** That the embedded engine knows nothing of a question says nothing about the web, which another was to be asked for. */
const isSilentReserve = (answer: StepAnswer, errors: readonly ProviderError[]): boolean =>
  errors.length > 0 &&
  answer.hits.length === 0 &&
  answer.providers.every(({ isEmbedded = false }) => isEmbedded)

/**
 * Asks a step's engines at once, and adds to `errors` why one did not answer. Null when every one failed, or was given up
 * before it could answer.
 */
async function takeStep(
  turns: readonly EngineAttempt[],
  query: ProviderQuery,
  patienceMs: number,
  errors: ProviderError[],
  signal: AbortSignal,
): Promise<StepAnswer | null> {
  const giveUp = new AbortController()
  const turnSignal = AbortSignal.any([signal, giveUp.signal])
  let timer: NodeJS.Timeout | undefined
  const lists = await Promise.all(
    turns.map(async (turn) => {
      try {
        const hits = await turn.take(query, turnSignal)
        if (hits.length > 0 && turns.length > 1) timer ??= setTimeout(() => giveUp.abort(), patienceMs)
        return hits
      } catch (error) {
        if (error instanceof ProviderError) errors.push(error)
        else if (giveUp.signal.aborted)
          errors.push(new ProviderError(turn.provider.name, 'timeout', 'slower than the others'))
        else if (!signal.aborted) throw error
        return null
      }
    }),
  ).finally(() => clearTimeout(timer))
  const answered = lists.filter((list) => list !== null)
  if (answered.length === 0) return null
  const providers = turns.map(({ provider }) => provider).filter((_, index) => lists[index] !== null)
  return { hits: turns.length > 1 ? fuseByRank(answered) : uniqueHits(answered.flat()), providers }
}

function composeAnswer(
  answer: StepAnswer,
  query: ProviderQuery,
  errors: readonly ProviderError[],
): ChainAnswer {
  const applied = (filter: keyof ChainAnswer['applied'], isAsked: boolean): Application => {
    if (!isAsked) return 'none'
    return answer.providers.every((provider) => provider.capabilities[filter]) ? 'native' : 'after'
  }
  return {
    hits: answer.hits,
    provider: answer.providers.map((provider) => provider.name).join('+'),
    applied: {
      recency: applied('recency', query.recency !== null),
      language: applied('language', true),
      includeDomains: applied('includeDomains', query.includeDomains.length > 0),
      excludeDomains: applied('excludeDomains', query.excludeDomains.length > 0),
    },
    failures: errors.map(({ provider, failure }) => ({ provider, failure })),
  }
}

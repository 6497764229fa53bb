// One engine asked once: time limit, retries with jitter, circuit breaker, and rest when the engine asked for it.
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  decorrelatedJitterGenerator,
  ExponentialBackoff,
  handleWhen,
  retry,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel'
import { withDeadline } from '../concurrency/deadline.ts'
import { detach } from '../concurrency/task-group.ts'
import { createEngineRecord, type EngineState } from './engine-state.ts'
import { ProviderError, type ProviderQuery, type SearchHit, type SearchProvider } from './provider.ts'

export interface AttemptLimits {
  /** A whole turn, retries included. */
  timeoutMs: number
  retries: number
  retryDelayMs: number
  /** After so many failed turns in a row the engine is asked a plain question, and left alone when that fails, too. */
  breakAfterFailures: number
  /** How long at first; each failed probe doubles it up to `breakMsMax`. */
  breakMs: number
  breakMsMax: number
  /** Rest after a 429 without Retry-After, and the longest rest that a Retry-After may impose. */
  restMs: number
  restMsMax: number
  /** An engine that is given up after this time counts as failed; before, it is nobody's fault. */
  slowAfterMs: number
}

export type EngineAttempt = ReturnType<typeof createEngineAttempt>

/** Transient by nature and cheap to try again. A timeout is not: it has used up the time there was. */
const isWorthRetrying = (error: Error): boolean =>
  error instanceof ProviderError &&
  (error.failure === 'unreachable' || error.failure === 'bad_answer') &&
  error.retryAfterSeconds === null

/** A query that is refused says nothing about the engine's health, and a rate limit brings its own rest. */
const countsAgainstEngine = (error: Error): boolean =>
  error instanceof ProviderError && error.failure !== 'refused' && error.failure !== 'rate_limited'

/**
 * Asked to learn whether an engine is well. It is ours and never changes: what a caller asks cannot make it fail, so it
 * alone decides whether others may still ask.
 */
const PLAIN_QUESTION: ProviderQuery = {
  text: 'weather',
  count: 1,
  needed: 1,
  recency: null,
  language: 'en',
  includeDomains: [],
  excludeDomains: [],
}

/** Asks the engine by the time limit, and remembers how that went. */
function createAsker(provider: SearchProvider, limits: AttemptLimits) {
  const record = createEngineRecord()
  const patience = createPatience(limits)
  // Counted from the start of the process: a clock that is set back must not prolong a rest.
  let restUntilMs = 0
  const failures = {
    inRow: 0,
    /** Told to those who may not ask: never that a query was refused, which is another caller's. */
    last: new ProviderError(provider.name, 'unreachable', 'left alone after failures'),
  }

  function remember(error: ProviderError): ProviderError {
    if (error.failure !== 'refused') failures.last = error
    record.noteFailure(error)
    if (countsAgainstEngine(error)) failures.inRow += 1
    const asksForRest = error.failure === 'rate_limited' || error.retryAfterSeconds !== null
    if (asksForRest) {
      const restMs = error.retryAfterSeconds === null ? limits.restMs : error.retryAfterSeconds * 1_000
      restUntilMs = performance.now() + Math.min(restMs, limits.restMsMax)
    }
    return error
  }

  /** @throws {ProviderError} always, save when `signal` aborts early: then its reason. */
  async function ask(query: ProviderQuery, signal: AbortSignal): Promise<SearchHit[]> {
    const startedAtMs = performance.now()
    const asked = { ...query, count: Math.min(query.count, provider.capabilities.maxCount) }
    // Not the caller's: the policy would take the caller's going away for a timeout. Nor none: all turns would then
    // listen to one signal of the library's, and Node warns of a leak when eleven do.
    const ownSignal = new AbortController().signal
    try {
      const hits = await patience.execute(({ signal: inner }) => {
        const either = AbortSignal.any([signal, inner])
        const limit = { what: `asking ${provider.name}`, signal: either }
        return withDeadline(limit, (ended) => provider.search(asked, ended)).catch((error: unknown) => {
          const isGivenUp = signal.aborted && performance.now() - startedAtMs >= limits.slowAfterMs
          throw isGivenUp ? tooSlow(provider.name) : error
        })
      }, ownSignal)
      failures.inRow = 0
      record.noteAnswer(performance.now() - startedAtMs)
      return hits
    } catch (error) {
      if (error instanceof ProviderError) throw remember(error)
      if (signal.aborted) throw signal.reason
      if (error instanceof TaskCancelledError) throw remember(tooSlow(provider.name))
      throw remember(new ProviderError(provider.name, 'bad_answer', 'unexpected failure', { cause: error }))
    }
  }

  const isResting = (): boolean => performance.now() < restUntilMs
  const endRest = (): void => {
    restUntilMs = 0
  }
  return { ask, failures, isResting, endRest, describe: () => record.describe() }
}

export function createEngineAttempt(provider: SearchProvider, limits: AttemptLimits) {
  const { name } = provider
  const { ask, failures, describe, isResting, endRest } = createAsker(provider, limits)
  const breaker = circuitBreaker(handleWhen(countsAgainstEngine), {
    breaker: new ConsecutiveBreaker(1),
    halfOpenAfter: new ExponentialBackoff({ initialDelay: limits.breakMs, maxDelay: limits.breakMsMax }),
  })
  let checking: Promise<void> | null = null

  const askPlainly = async (): Promise<void> => {
    await ask(PLAIN_QUESTION, new AbortController().signal)
  }

  /** Asks the plain question, once however many want to know: its failing shuts the engine off, its answer lets it back. */
  function check(): Promise<void> {
    checking ??= breaker.execute(askPlainly).finally(() => (checking = null))
    return checking
  }

  return {
    provider,
    /**
     * Asks the engine, or not when it rests or is left alone.
     * @throws {ProviderError} always, save when `signal` aborts early: then its reason.
     */
    async take(query: ProviderQuery, signal: AbortSignal): Promise<SearchHit[]> {
      if (isResting()) throw failures.last
      if (breaker.state !== CircuitState.Closed) {
        await withDeadline({ what: `asking ${name}`, signal }, check).catch((error: unknown) => {
          throw error instanceof BrokenCircuitError ? failures.last : error
        })
      }
      try {
        return await ask(query, signal)
      } catch (error) {
        if (failures.inRow >= limits.breakAfterFailures) {
          failures.inRow = 0
          detach(check(), () => undefined) // What it learns is in the record and in the breaker.
        }
        throw error
      }
    },
    /**
     * Asks the plain question whatever is known of the engine; its answer ends its rest and its being left alone.
     * @throws {ProviderError} when it does not answer.
     */
    async probe(): Promise<void> {
      await askPlainly()
      endRest()
      if (breaker.state !== CircuitState.Closed) breaker.isolate().dispose()
    },
    describe(): EngineState {
      const known = { name, ...describe() }
      if (breaker.state !== CircuitState.Closed) return { ...known, condition: 'left_alone' }
      return isResting() ? { ...known, condition: 'resting' } : known
    },
  }
}

/** The time limit of a whole turn, retries included. */
const createPatience = (limits: AttemptLimits) =>
  wrap(
    timeout(limits.timeoutMs, TimeoutStrategy.Aggressive),
    retry(handleWhen(isWorthRetrying), {
      maxAttempts: limits.retries,
      backoff: new ExponentialBackoff({
        generator: decorrelatedJitterGenerator,
        initialDelay: limits.retryDelayMs,
        maxDelay: limits.timeoutMs,
      }),
    }),
  )

const tooSlow = (provider: string): ProviderError =>
  new ProviderError(provider, 'timeout', 'no answer in time')

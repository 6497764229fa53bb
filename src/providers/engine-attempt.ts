// One engine asked once: time limit, retries with jitter, circuit breaker, and rest when the engine asked for it.
import {
  BrokenCircuitError,
  circuitBreaker,
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
import { ProviderError, type ProviderQuery, type SearchHit, type SearchProvider } from './provider.ts'

export interface AttemptLimits {
  /** A whole turn, retries included. */
  timeoutMs: number
  retries: number
  retryDelayMs: number
  /** So many failed turns in a row, and the engine is left alone for a while. */
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
  error instanceof TaskCancelledError ||
  (error instanceof ProviderError && error.failure !== 'refused' && error.failure !== 'rate_limited')

export function createEngineAttempt(provider: SearchProvider, limits: AttemptLimits) {
  // Counted from the start of the process: a clock that is set back must not prolong a rest.
  let restUntilMs = 0
  let lastError = new ProviderError(provider.name, 'unreachable', 'left alone after failures')
  const policy = wrap(
    circuitBreaker(handleWhen(countsAgainstEngine), {
      breaker: new ConsecutiveBreaker(limits.breakAfterFailures),
      halfOpenAfter: new ExponentialBackoff({ initialDelay: limits.breakMs, maxDelay: limits.breakMsMax }),
    }),
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

  function remember(error: ProviderError): ProviderError {
    lastError = error
    const asksForRest = error.failure === 'rate_limited' || error.retryAfterSeconds !== null
    if (asksForRest) {
      const restMs = error.retryAfterSeconds === null ? limits.restMs : error.retryAfterSeconds * 1_000
      restUntilMs = performance.now() + Math.min(restMs, limits.restMsMax)
    }
    return error
  }

  return {
    provider,
    /**
     * Asks the engine, or not when it rests.
     * @throws {ProviderError} always, save when `signal` aborts early: then its reason.
     */
    async take(query: ProviderQuery, signal: AbortSignal): Promise<SearchHit[]> {
      if (performance.now() < restUntilMs) throw lastError
      const startedAtMs = performance.now()
      const asked = { ...query, count: Math.min(query.count, provider.capabilities.maxCount) }
      // Not the caller's: the policy would take the caller's going away for a timeout. Nor none: all turns would then
      // listen to one signal of the library's, and Node warns of a leak when eleven do.
      const ownSignal = new AbortController().signal
      try {
        return await policy.execute(({ signal: inner }) => {
          const either = AbortSignal.any([signal, inner])
          const limit = { what: `asking ${provider.name}`, signal: either }
          return withDeadline(limit, (ended) => provider.search(asked, ended)).catch((error: unknown) => {
            const isGivenUp = signal.aborted && performance.now() - startedAtMs >= limits.slowAfterMs
            throw isGivenUp ? tooSlow(provider.name) : error
          })
        }, ownSignal)
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw lastError
        if (error instanceof ProviderError) throw remember(error)
        if (signal.aborted) throw signal.reason
        if (error instanceof TaskCancelledError) throw remember(tooSlow(provider.name))
        throw remember(new ProviderError(provider.name, 'bad_answer', 'unexpected failure', { cause: error }))
      }
    },
  }
}

const tooSlow = (provider: string): ProviderError =>
  new ProviderError(provider, 'timeout', 'no answer in time')

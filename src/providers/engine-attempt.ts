// One engine asked once: time limit, retries with jitter, circuit breaker, and rest when the engine asked for it.
import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  decorrelatedJitterGenerator,
  ExponentialBackoff,
  handleWhen,
  type IBackoff,
  type IBackoffFactory,
  retry,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel'
import { withDeadline } from '../concurrency/deadline.ts'
import { detach } from '../concurrency/task-group.ts'
import { createEngineRecord, type EngineState } from './engine-state.ts'
import {
  ProviderError,
  type ProviderFailure,
  type ProviderQuery,
  type SearchHit,
  type SearchProvider,
} from './provider.ts'

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

/** What a log and the counts are told of an engine. */
export interface AttemptObservers {
  /** Told of each failure of an engine that was asked, our plain question included. */
  onFailure?: (error: ProviderError) => void
  /** Told once when it begins: nothing asks the engine until then, unless somebody tests it. */
  onLeftAlone?: (rest: { provider: string; failure: ProviderFailure; until: Date }) => void
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
function createAsker(provider: SearchProvider, limits: AttemptLimits, observers: AttemptObservers) {
  const record = createEngineRecord()
  const patience = createPatience(limits)
  // Counted from the start of the process: a clock that is set back must not prolong a rest.
  let restUntilMs = 0
  const isResting = (): boolean => performance.now() < restUntilMs
  const failures = {
    inRow: 0,
    /** Told to those who may not ask: never that a query was refused, which is another caller's. */
    last: new ProviderError(provider.name, 'unreachable', 'earlier failures'),
  }

  function remember(error: ProviderError): ProviderError {
    if (error.failure !== 'refused') failures.last = error
    record.noteFailure(error)
    observers.onFailure?.(error)
    if (countsAgainstEngine(error)) failures.inRow += 1
    const asksForRest = error.failure === 'rate_limited' || error.retryAfterSeconds !== null
    if (asksForRest) {
      const askedForMs = error.retryAfterSeconds === null ? limits.restMs : error.retryAfterSeconds * 1_000
      const restMs = Math.min(askedForMs, limits.restMsMax)
      // Of questions that were under way together each may be told to wait: that is one rest.
      if (restMs > 0 && !isResting()) tellLeftAlone(restMs, error.failure)
      restUntilMs = performance.now() + restMs
    }
    return error
  }

  function tellLeftAlone(forMs: number, failure: ProviderFailure = failures.last.failure): void {
    observers.onLeftAlone?.({ provider: provider.name, failure, until: new Date(Date.now() + forMs) })
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

  const endRest = (): void => {
    restUntilMs = 0
  }
  const notAsked = ({ last } = failures): ProviderError => {
    const reason = last.message.slice(`${provider.name}: `.length)
    return new ProviderError(provider.name, last.failure, `not asked, left alone after "${reason}"`)
  }
  return { ask, failures, isResting, endRest, notAsked, tellLeftAlone, describe: () => record.describe() }
}

export function createEngineAttempt(
  provider: SearchProvider,
  limits: AttemptLimits,
  observers: AttemptObservers = {},
) {
  const { name } = provider
  const asker = createAsker(provider, limits, observers)
  const { ask, failures, isResting, endRest, notAsked } = asker
  const pauses = new ExponentialBackoff({ initialDelay: limits.breakMs, maxDelay: limits.breakMsMax })
  let leftAloneUntilMs = 0
  const leaveAlone = (pauseMs: number): void => {
    leftAloneUntilMs = performance.now() + pauseMs
    asker.tellLeftAlone(pauseMs)
  }
  const breaker = circuitBreaker(handleWhen(countsAgainstEngine), {
    breaker: new ConsecutiveBreaker(1),
    halfOpenAfter: telling(pauses, leaveAlone),
  })
  const isLeftAlone = (): boolean =>
    breaker.state !== CircuitState.Closed && performance.now() < leftAloneUntilMs
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
     * Asks the engine, or not when it rests or is left alone: then what is thrown tells the failure that led to it.
     * @throws {ProviderError} always, save when `signal` aborts early: then its reason.
     */
    async take(query: ProviderQuery, signal: AbortSignal): Promise<SearchHit[]> {
      if (isResting() || isLeftAlone()) throw notAsked()
      if (breaker.state !== CircuitState.Closed) await withDeadline({ what: `asking ${name}`, signal }, check)
      try {
        return await ask(query, signal)
      } catch (error) {
        if (failures.inRow >= limits.breakAfterFailures) {
          failures.inRow = 0
          // What it learns is in the record and in the breaker.
          if (!isLeftAlone()) detach(check(), () => undefined)
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
      const known = { name, ...asker.describe() }
      if (breaker.state !== CircuitState.Closed) return { ...known, condition: 'left_alone' }
      return isResting() ? { ...known, condition: 'resting' } : known
    },
  }
}

/**
 * `pauses`, of which each is told in milliseconds when it begins. Whoever is told counts them from the start of the
 * process; the breaker would by the machine's clock, which may be set back, and is told that each is over.
 */
function telling<Context>(
  pauses: IBackoffFactory<Context>,
  tell: (pauseMs: number) => void,
): IBackoffFactory<Context> {
  const watch = (pause: IBackoff<Context>): IBackoff<Context> => ({
    duration: Number.NEGATIVE_INFINITY,
    next: (context) => begin(pause.next(context)),
  })
  const begin = (pause: IBackoff<Context>): IBackoff<Context> => {
    tell(pause.duration)
    return watch(pause)
  }
  return { next: (context) => begin(pauses.next(context)) }
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

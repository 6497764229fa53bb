// How many searches run at once and how many may wait: beyond what this machine can do, an honest refusal at once is
// worth more than a slow answer for everyone.
import { overloaded } from '../errors.ts'
import { untraced, type Trace } from '../telemetry/trace.ts'
import { DEPTHS } from './depth.ts'
import type { Search } from './search.ts'

export interface AdmissionOptions {
  /** Searches that run at the same time. */
  concurrency: number
  /** Searches that wait for their turn; the next one is refused. */
  queue: number
  /** Told how long each search waited, when it starts. */
  onStart?: (waitedMs: number) => void
  /** The wait is a span of it. */
  trace?: Trace
}

/**
 * Share of a depth's deadline that a search may spend waiting; the deadline counts from its arrival, so whoever waits
 * longer would find pages and models without time to work.
 */
const WAITING_SHARE = 0.25
/** What a search is taken to need until the first has ended, so that the first rush finds a bound too. */
const FIRST_GUESS_MS = 500
/** Weight of the latest search in the running mean of how long a search takes. */
const LATEST_WEIGHT = 0.1

/** Searches at once for each core: most of a search is waiting for the engine and the sites (docs/scaling.md). */
const AT_ONCE_PER_CORE = 4
/** One thread moves the bytes of all searches, however many cores there are. */
const AT_ONCE_MAX = 64

/** How many searches run at the same time where the operator has not said. */
export const searchesAtOnce = (cores: number): number => Math.min(AT_ONCE_MAX, AT_ONCE_PER_CORE * cores)

/**
 * `search` behind a bounded queue, first come, first served. It rejects with `ApiError` overloaded (429) at once when
 * the queue is full, or when those ahead will probably keep it waiting for longer than a quarter of its deadline.
 */
export function createAdmission(search: Search, options: AdmissionOptions) {
  const { concurrency, queue, onStart, trace = untraced } = options
  const waiting: (() => void)[] = []
  let running = 0
  let meanMs: number | null = null

  /** Resolves when the caller may run. The place passes from hand to hand, so that no newcomer slips in between. */
  async function takePlace(patienceMs: number, signal: AbortSignal): Promise<void> {
    if (running < concurrency) {
      running += 1
      return
    }
    // Little's law: those ahead leave at the rate of `concurrency` searches in each mean time.
    const expectedMs = ((meanMs ?? FIRST_GUESS_MS) * (waiting.length + 1)) / concurrency
    if (waiting.length >= queue || expectedMs > patienceMs) throw overloaded(retryAfterSeconds(expectedMs))
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(signal.reason)
      }
      waiting.push(start)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  function givePlace(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  const admittedSearch: Search = async (request, context, signal) => {
    signal.throwIfAborted()
    const askedAtMs = performance.now()
    const patienceMs = DEPTHS[request.search_depth].deadlineMs * WAITING_SHARE
    await trace('wait', {}, () => takePlace(patienceMs, signal))
    const startedAtMs = performance.now()
    onStart?.(startedAtMs - askedAtMs)
    try {
      const outcome = await search(request, context, signal)
      const tookMs = performance.now() - startedAtMs
      meanMs = meanMs === null ? tookMs : meanMs + LATEST_WEIGHT * (tookMs - meanMs)
      return outcome
    } finally {
      givePlace()
    }
  }
  return { search: admittedSearch, load: () => ({ running, waiting: waiting.length }) }
}

const retryAfterSeconds = (expectedMs: number): number => Math.max(1, Math.ceil(expectedMs / 1_000))

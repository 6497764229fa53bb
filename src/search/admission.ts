// How many searches run at once and how many may wait: beyond what this machine can do, an honest refusal at once is
// worth more than a slow answer for everyone.
import { createFairQueue } from '../concurrency/turns/fair-queue.ts'
import { runForOwner } from '../concurrency/turns/task-owner.ts'
import { overloaded } from '../errors.ts'
import { untraced, type Trace } from '../telemetry/trace.ts'
import { budgetWithin } from './depth.ts'
import type { Search } from './search.ts'

interface AdmissionOptions {
  /** Searches that run at the same time. */
  concurrency: number
  /** Searches that wait for their turn; what finds no place among them is refused. */
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

/** What asks for a place. */
interface Claim {
  callerId: string
  /** What the work may take in all, waiting included. */
  deadlineMs: number
  /** Told when there is a place, or one to wait for. */
  onPlace?: (() => void) | undefined
}

/** A search that waits for its place. */
interface Waiting {
  callerId: string
  admit(): void
  refuse(error: Error): void
}

export type Admission = ReturnType<typeof createAdmission>

/**
 * A bounded queue in which callers take turns, before `search` and whatever else is work of the same machine. While
 * others wait, a caller gets no place that would give it more than half of those that run. What is admitted rejects
 * with `ApiError` overloaded (429) when the queue has no room for the caller, or when those ahead will probably keep it
 * waiting for longer than a quarter of its deadline.
 */
export function createAdmission(search: Search, options: AdmissionOptions) {
  const { concurrency, onStart, trace = untraced } = options
  const queue = createFairQueue<Waiting>(options.queue)
  const running = createTally()
  const share = Math.max(1, Math.floor(concurrency / 2))
  const duration = createRunningMean(FIRST_GUESS_MS)

  /** Resolves when the caller may run. The place passes from hand to hand, so that no newcomer slips in between. */
  async function takePlace({ callerId, deadlineMs, onPlace }: Claim, signal: AbortSignal): Promise<void> {
    if (running.total() < concurrency) {
      running.add(callerId)
      onPlace?.()
      return
    }
    // Little's law: those ahead leave at the rate of `concurrency` searches in each mean time.
    const expectedMs = (duration.meanMs() * (queue.aheadOf(callerId) + 1)) / concurrency
    const refusal = (): Error => overloaded(retryAfterSeconds(expectedMs))
    if (expectedMs > deadlineMs * WAITING_SHARE) throw refusal()
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        queue.leave(callerId, waiting)
        reject(signal.reason)
      }
      const settle = (): void => signal.removeEventListener('abort', leave)
      const waiting = createWaiting(callerId, settle, resolve, reject)
      const { entered, displaced } = queue.enter(callerId, waiting)
      displaced?.refuse(refusal())
      if (!entered) return reject(refusal())
      signal.addEventListener('abort', leave, { once: true })
      onPlace?.()
    })
  }

  function givePlace(callerId: string): void {
    running.remove(callerId)
    const next = queue.take((waitingId) => running.of(waitingId) < share)
    if (next === undefined) return
    running.add(next.callerId)
    next.admit()
  }

  /** Runs `work` when it is the caller's turn, whose tasks it hands over. */
  async function admit<T>(claim: Claim, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const askedAtMs = performance.now()
    await trace('wait', {}, () => takePlace(claim, signal))
    const startedAtMs = performance.now()
    onStart?.(startedAtMs - askedAtMs)
    try {
      const outcome = await runForOwner(claim.callerId, work)
      duration.add(performance.now() - startedAtMs)
      return outcome
    } finally {
      givePlace(claim.callerId)
    }
  }

  return {
    search: behindAdmission(search, admit),
    admit,
    load: () => ({ running: running.total(), waiting: queue.size() }),
  }
}

type Admit = <T>(claim: Claim, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/** The search, which waits for its place within its own deadline. */
function behindAdmission(search: Search, admit: Admit): Search {
  return (request, context, signal) => {
    const { callerId, patienceMs = null, onPlace } = context
    const { deadlineMs } = budgetWithin(request.search_depth, patienceMs)
    return admit({ callerId, deadlineMs, onPlace }, signal, () => search(request, context, signal))
  }
}

/** However the wait ends, `settle` comes first. */
function createWaiting(
  callerId: string,
  settle: () => void,
  resolve: () => void,
  reject: (error: Error) => void,
): Waiting {
  return {
    callerId,
    admit() {
      settle()
      resolve()
    },
    refuse(error) {
      settle()
      reject(error)
    },
  }
}

/** How long searches take of late, a guess until the first has ended. */
function createRunningMean(guessMs: number) {
  let meanMs: number | null = null
  return {
    meanMs: (): number => meanMs ?? guessMs,
    add(tookMs: number): void {
      meanMs = meanMs === null ? tookMs : meanMs + LATEST_WEIGHT * (tookMs - meanMs)
    },
  }
}

/** How many of something each caller has; callers with none are forgotten. */
function createTally() {
  const counts = new Map<string, number>()
  let total = 0
  const of = (id: string): number => counts.get(id) ?? 0
  return {
    of,
    total: () => total,
    add(id: string): void {
      counts.set(id, of(id) + 1)
      total += 1
    },
    remove(id: string): void {
      if (of(id) > 1) counts.set(id, of(id) - 1)
      else counts.delete(id)
      total -= 1
    },
  }
}

const retryAfterSeconds = (expectedMs: number): number => Math.max(1, Math.ceil(expectedMs / 1_000))

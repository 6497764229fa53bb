// Steps that are started one after the other, the next as a reserve beside one that is slow: the first in their order that
// has hits is the answer, whichever comes first.
import { EventEmitter } from 'node:events'
import { detach } from '../concurrency/task-group.ts'

interface StepHits {
  hits: readonly unknown[]
}

/**
 * Starts the steps one after the other, the next at once where the newest fails or finds nothing, and gives the answer of
 * the first, in their order, that has hits; else an empty answer; else null when all failed. Rejects with what a step throws.
 */
export async function raceSteps<Answer extends StepHits>(
  starters: readonly (() => Promise<Answer | null>)[],
  hedgeAfterMs: number,
  signal: AbortSignal,
): Promise<Answer | null> {
  const settled: (Answer | null | undefined)[] = []
  const failures: unknown[] = []
  const changes = new EventEmitter()
  /** False when every step is under way. */
  const startNext = (): boolean => {
    const starter = starters[settled.length]
    if (starter === undefined) return false
    const index = settled.push(undefined) - 1
    const follow = async (): Promise<void> => {
      settled[index] = await starter()
      changes.emit('settled')
    }
    detach(follow(), (error) => {
      failures.push(error)
      changes.emit('settled')
    })
    return true
  }
  for (;;) {
    const firstPending = settled.indexOf(undefined)
    const decided = firstPending === -1 ? settled : settled.slice(0, firstPending)
    const best = decided.find(hasHits)
    if (best !== undefined) return best
    if (failures.length > 0) throw failures[0]
    if (signal.aborted) return settled.find(hasHits) ?? throwReason(signal)
    const newest = settled.at(-1)
    const isNextDue = settled.length === 0 || (newest !== undefined && !hasHits(newest))
    if (isNextDue && startNext()) continue
    if (firstPending === -1) return settled.find(isAnswer) ?? null
    // One that has hits is reserve enough.
    const mayNeedNext = settled.length < starters.length && !settled.some(hasHits)
    const changed = await nextChange(changes, mayNeedNext ? hedgeAfterMs : null, signal)
    if (changed === 'timer') startNext()
  }
}

const isAnswer = <Answer>(answer: Answer | null | undefined): answer is Answer =>
  answer !== null && answer !== undefined

const hasHits = <Answer extends StepHits>(answer: Answer | null | undefined): answer is Answer =>
  isAnswer(answer) && answer.hits.length > 0

function throwReason(signal: AbortSignal): never {
  throw signal.reason
}

/** Waits until a step settles, the timer rings, or the signal aborts; leaves no timer or listener behind. */
function nextChange(
  changes: EventEmitter,
  timerMs: number | null,
  signal: AbortSignal,
): Promise<'settled' | 'timer' | 'aborted'> {
  return new Promise((resolve) => {
    const onSettled = (): void => end('settled')
    const onAbort = (): void => end('aborted')
    const timer = timerMs === null ? undefined : setTimeout(() => end('timer'), timerMs)
    const end = (change: 'settled' | 'timer' | 'aborted'): void => {
      clearTimeout(timer)
      changes.off('settled', onSettled)
      signal.removeEventListener('abort', onAbort)
      resolve(change)
    }
    changes.once('settled', onSettled)
    signal.addEventListener('abort', onAbort)
  })
}

// Work on many passages, told in steps: whoever does it may let others have their turn in between, or give it up.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work that stops after every few passages, and goes on when it is asked to. */
export type Steps<Result> = Generator<undefined, Result>

/** Some of these take a millisecond or two. */
const PASSAGES_PER_STEP = 64

/** What `make` makes of each item, in their order. */
export function* mapInSteps<Item, Made>(
  items: readonly Item[],
  make: (item: Item, at: number) => Made,
): Steps<Made[]> {
  const made: Made[] = []
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % PASSAGES_PER_STEP === 0) yield
    made.push(make(item, at))
  }
  return made
}

/** Does all of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

const SLICE_MS = 20

/**
 * Does all of it, and hears what else there is every 20 ms.
 * @throws the signal's reason, when nobody waits for it any more.
 */
export async function inSlices<Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result> {
  let since = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - since < SLICE_MS) continue
    await nextTurn()
    signal.throwIfAborted()
    since = performance.now()
  }
}

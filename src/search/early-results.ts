// Results that a stream is told before the answer is whole: each page by itself as soon as it is read, and whatever
// found no room then with the scores of the whole answer.
import { ApiError } from '../errors.ts'
import { composeResult, snippetsOf } from './answer.ts'
import type { GatheredPage } from './gather-page.ts'
import type { Scored, SearchContext } from './search-context.ts'

/** Passages of a page that the embedding model reads ahead: what is told early is only for the time until the answer. */
const CANDIDATES_AHEAD = 12

export type EarlyResults = ReturnType<typeof createEarlyResults>

/** `scorePages` scores one page by itself. `onResult` of the context's options is told; without it nothing is done. */
export function createEarlyResults(
  context: SearchContext,
  scorePages: (context: SearchContext, pages: readonly GatheredPage[]) => Promise<Scored>,
) {
  const { onResult } = context.options
  const told = new Set<number>()

  async function tell(page: GatheredPage, scored: Scored, signal: AbortSignal): Promise<void> {
    const snippets = snippetsOf(context, page, scored)
    const result = await composeResult({ ...context, signal }, page, snippets, 1, scored.answer.warning)
    // Told only now: a result whose links were cut off is told with the rest.
    told.add(page.position)
    onResult?.({ ...result, rank: told.size })
  }

  return {
    isWanted: onResult !== undefined,
    /** Scores a page and tells it. A queue that is full costs the page its early result, never the search. */
    async emit(page: GatheredPage, signal: AbortSignal): Promise<void> {
      try {
        // What is scored ahead takes no time of what is kept back for scoring all: the answer would have no snippet.
        const { deadlineMs, scoringReserveMs } = context.budget
        const reading = { candidates: CANDIDATES_AHEAD, reranked: 0 }
        const budget = { ...context.budget, ...reading, deadlineMs: deadlineMs - scoringReserveMs }
        const scored = await scorePages({ ...context, signal, budget }, [page])
        // Cut off by that time, it is told with the rest.
        if (Date.now() < context.options.arrivedAtMs + budget.deadlineMs) await tell(page, scored, signal)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'overloaded')) throw error
      }
    },
    /** Tells the pages that were not told yet, from the scores of all. */
    async emitRest(pages: readonly GatheredPage[], scored: Scored): Promise<void> {
      if (onResult === undefined) return
      for (const page of pages) if (!told.has(page.position)) await tell(page, scored, context.signal)
    },
  }
}

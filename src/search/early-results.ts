// Results that a stream is told before the answer is whole: each page by itself as soon as it is read, and whatever
// found no room then with the scores of the whole answer.
import { ApiError } from '../errors.ts'
import { composeResult, snippetsOf } from './answer.ts'
import type { GatheredPage } from './gather.ts'
import type { Scored, SearchContext } from './search-context.ts'

export type EarlyResults = ReturnType<typeof createEarlyResults>

/** `scorePages` scores one page by itself. `onResult` of the context's options is told; without it nothing is done. */
export function createEarlyResults(
  context: SearchContext,
  scorePages: (context: SearchContext, pages: readonly GatheredPage[]) => Promise<Scored>,
) {
  const { onResult } = context.options
  const told = new Set<number>()

  function tell(page: GatheredPage, scored: Scored): void {
    told.add(page.position)
    const snippets = snippetsOf(context, page, scored)
    onResult?.(composeResult(context, page, snippets, told.size, scored.answer.warning))
  }

  return {
    isWanted: onResult !== undefined,
    /** Scores a page and tells it. A queue that is full costs the page its early result, never the search. */
    async emit(page: GatheredPage, signal: AbortSignal): Promise<void> {
      try {
        tell(page, await scorePages({ ...context, signal }, [page]))
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'overloaded')) throw error
      }
    },
    /** Tells the pages that were not told yet, from the scores of all. */
    emitRest(pages: readonly GatheredPage[], scored: Scored): void {
      if (onResult === undefined) return
      for (const page of pages) if (!told.has(page.position)) tell(page, scored)
    },
  }
}

// Tells the metrics, and whoever asked, how each search ended.
import { ApiError } from '../../errors.ts'
import type { SearchObservation } from '../../telemetry/observations.ts'
import type { Search } from '../search.ts'

/** `search`, with one call of `observe` for every call that was made of it. */
export function observeSearch(search: Search, observe: (observation: SearchObservation) => void): Search {
  return async function observedSearch(request, context, signal) {
    const { query, search_depth: depth } = request
    const elapsedMs = (): number => Math.max(0, Date.now() - context.arrivedAtMs)
    try {
      const outcome = await search(request, context, signal)
      observe({ depth, outcome: 'answered', elapsedMs: elapsedMs(), facts: outcome.facts })
      context.onEnd?.({ query, depth, engine: outcome.facts.provider })
      return outcome
    } catch (error) {
      const reason = error instanceof ApiError ? error.code : 'failed'
      observe({ depth, outcome: signal.aborted ? 'gone' : reason, elapsedMs: elapsedMs(), facts: null })
      context.onEnd?.({ query, depth, engine: null })
      throw error
    }
  }
}

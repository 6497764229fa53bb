// What a search learns from the request that asks for it, whatever its route.
import type { ParameterizedContext } from 'koa'
import type { SearchOptions } from '../../search/search-context.ts'
import type { CallerState } from './authenticate.ts'

/** When it came, whose it is, and whether pages are to be read anew (`Cache-Control: no-cache`). */
export function searchOptionsOf(context: ParameterizedContext<CallerState>): SearchOptions {
  return {
    arrivedAtMs: context.state.arrivedAtMs,
    callerId: context.state.caller.id,
    onEnd: (end) => {
      context.state.search = end
    },
    fresh: /\bno-cache\b/iu.test(context.get('Cache-Control')),
  }
}

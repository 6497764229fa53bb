// In which order hits were lately thought worth opening, so that a later page of results goes on where the one before it
// ended: judged anew with more or less time, a hit could stand on two pages or on none.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SearchRequest } from '../../contract.ts'
import type { SearchHit } from '../../providers/provider.ts'

/** Some hundred bytes each. */
const ORDERS_MAX = 2_000
/** A reader turns the page sooner. */
const MAX_AGE_MS = 10 * 60_000

export interface RememberedOrders {
  /** The hits in the order they had when they were ordered last for the same question; null when that is not known. */
  find(request: SearchRequest, hits: readonly SearchHit[]): SearchHit[] | null
  keep(request: SearchRequest, hits: readonly SearchHit[], ordered: readonly SearchHit[]): void
}

/** In the memory of this process. */
export function createRememberedOrders(): RememberedOrders {
  const orders = new LRUCache<string, readonly number[]>({ max: ORDERS_MAX, ttl: MAX_AGE_MS })
  return {
    find(request, hits) {
      const order = orders.get(keyOf(request, hits))
      return order === undefined ? null : order.flatMap((at) => hits[at] ?? [])
    },
    keep(request, hits, ordered) {
      orders.set(
        keyOf(request, hits),
        ordered.map((hit) => hits.indexOf(hit)),
      )
    },
  }
}

function keyOf({ query, search_depth, language }: SearchRequest, hits: readonly SearchHit[]): string {
  const asked = [query, search_depth, language, ...hits.map(({ url }) => url)]
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64')
}

// Searches read from a replica of the database while it answers, and from the primary while it does not.
import type { Kysely } from 'kysely'
import { withDeadline } from '../concurrency/deadline.ts'
import type { LibraryTables, SearchIndex } from './schema.ts'

/** A replica that hangs is given up on after this long, so that the search is still answered in its time. */
const REPLICA_MS_MAX = 2_000
/** A replica that failed is left alone for this long. */
const REST_MS = 10_000

export interface ReplicatedIndexOptions {
  replicaMsMax?: number
  restMs?: number
  /** Told once when the replica stops answering, not for every search until it does again. */
  onReplicaLost?: (error: unknown) => void
}

/** `index` with its searches in `replica`. What was just written is found there as soon as it is replicated. */
export function createReplicatedIndex(
  index: SearchIndex,
  replica: Kysely<LibraryTables>,
  { replicaMsMax = REPLICA_MS_MAX, restMs = REST_MS, onReplicaLost }: ReplicatedIndexOptions,
): SearchIndex {
  let isLost = false
  let restUntilMs = 0
  return {
    ...index,
    async search(primary, query) {
      if (performance.now() < restUntilMs) return index.search(primary, query)
      try {
        const answer = await withDeadline({ what: 'the read replica', limitMs: replicaMsMax }, () =>
          index.search(replica, query),
        )
        isLost = false
        return answer
      } catch (error) {
        restUntilMs = performance.now() + restMs
        if (!isLost) onReplicaLost?.(error)
        isLost = true
        return index.search(primary, query)
      }
    },
  }
}

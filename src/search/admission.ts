// How many searches run at once and how many may wait. Apart from the pipeline, because it guards it: beyond what this
// machine can do, an honest refusal at once is worth more than a slow answer for everyone.
import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { overloaded } from '../errors.ts'
import type { Search } from './search.ts'

export interface AdmissionOptions {
  /** Searches that run at the same time. */
  concurrency: number
  /** Searches that wait for their turn; the next one is refused. */
  queue: number
}

/** `search` behind a bounded queue. Rejects with `ApiError` overloaded (429) at once when the queue is full. */
export function admit(search: Search, options: AdmissionOptions): Search {
  const gate = bulkhead(options.concurrency, options.queue)
  return async function admittedSearch(request, context, signal) {
    try {
      return await gate.execute(() => {
        signal.throwIfAborted()
        return search(request, context, signal)
      })
    } catch (error) {
      throw isBulkheadRejectedError(error) ? overloaded() : error
    }
  }
}

// Who is told what happens: Prometheus at once, and the memory of the service as soon as its store is open, which is
// after the parts that tell.
import type { Accounts } from '../accounts/accounts.ts'
import type { FinishedRequest } from '../http/request/follow-requests.ts'
import { ROUTES } from '../http/route-table.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** Requests that are kept one by one: those of the API that need a key, and searches on pages. */
const KEPT_ROUTES: ReadonlySet<string> = new Set([
  ...ROUTES.filter(({ door }) => door === 'key').map(({ path }) => path),
  '/playground/stream',
])

type SearchObservers = Pick<Metrics, 'observeSearch' | 'observeWait' | 'observeProviderFailure'>

export function createObservers(metrics: Metrics) {
  let accounts: Pick<Accounts, 'activity' | 'usage'> | null = null
  const searching: SearchObservers = {
    observeSearch(observation) {
      metrics.observeSearch(observation)
      accounts?.activity.countSearch(observation)
    },
    observeWait(waitedMs) {
      metrics.observeWait(waitedMs)
      accounts?.activity.countWait(waitedMs)
    },
    observeProviderFailure(provider, failure) {
      metrics.observeProviderFailure(provider, failure)
      accounts?.activity.countEngineFailure(provider, failure)
    },
  }
  return {
    searching,
    /** From now on what happens is remembered, too. */
    remember(opened: Pick<Accounts, 'activity' | 'usage'>): void {
      accounts = opened
    },
    /** Every request counts for the metrics, for its key when it has one, and for the memory when it is a search's. */
    onFinished(request: FinishedRequest): void {
      metrics.observeRequest(request)
      const { callerId, status, elapsedMs, snippets } = request
      if (callerId !== null) accounts?.usage.count(callerId, { status, latencyMs: elapsedMs, snippets })
      if (KEPT_ROUTES.has(request.route)) accounts?.activity.countRequest(loggedRequest(request))
    },
  }
}

const loggedRequest = ({ search, callerId, ...request }: FinishedRequest) => ({
  ...request,
  occurredAt: new Date(),
  keyId: callerId,
  depth: search?.depth ?? null,
  engine: search?.engine ?? null,
  query: search?.query ?? null,
})

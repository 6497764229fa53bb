// A request and a search as the service remembers them, for tests of the pages that tell of them.
import type { LoggedRequest } from '../../src/accounts/activity/request-log.ts'
import type { SearchObservation } from '../../src/telemetry/observations.ts'

export const REQUEST: LoggedRequest = {
  occurredAt: new Date(),
  requestId: 'req_remembered',
  method: 'POST',
  route: '/v1/search',
  status: 200,
  code: null,
  elapsedMs: 412,
  snippets: 2,
  keyId: null,
  depth: 'balanced',
  engine: 'library',
  query: 'private words',
}

export const SEARCH: SearchObservation = {
  depth: 'balanced',
  outcome: 'answered',
  elapsedMs: 412,
  facts: {
    provider: 'library',
    model: 'verbatim-minilm',
    stages: { provider: 41, pages: 288, score: 79 },
    pages: [
      { host: 'good.example', outcome: 'read', isOurFault: false, readBy: 'cache', elapsedMs: 9 },
      { host: 'slow.example', outcome: 'timeout', isOurFault: false, readBy: null, elapsedMs: 4_000 },
    ],
    dropped: {},
  },
}

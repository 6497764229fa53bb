import { expect, test } from 'vitest'
import { perplexityErrors } from '../../../src/http/compat/perplexity.ts'

test.each([
  [400, 'invalid_request'],
  [401, 'invalid_request'],
  [429, 'rate_limit_exceeded'],
  [500, 'internal_server_error'],
])('Perplexity: status %i is told as %s, so that nobody mends a request that was right', (status, type) => {
  expect(perplexityErrors.spell({ status, detail: 'No.' })).toEqual({
    status,
    body: { error: { message: 'No.', type, code: status } },
  })
})

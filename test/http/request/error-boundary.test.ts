import { expect, test } from 'vitest'
import { explainPostgres } from '../../../src/connections/postgres-error.ts'
import { toApiError } from '../../../src/http/request/error-boundary.ts'

const failing = (code: string): Error => Object.assign(new Error('it failed'), { code })

test('that a database is away is said where a store says so, and of no other connection that breaks', () => {
  const [reset, full] = [failing('ECONNRESET'), failing('53100')]
  expect(toApiError(explainPostgres(reset, 'postgres://ada@db/verbatim')).code).toBe('store_unavailable')
  expect(toApiError(reset).code).toBe('internal_error')
  // It answers, but what was asked cannot be done: trying again in a moment helps nobody.
  expect(toApiError(explainPostgres(full, 'postgres://ada@db/verbatim')).code).toBe('internal_error')
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('422', () => {
  test.each([
    ['num_results', 0, '1 to 10'],
    ['num_results', 11, '1 to 10'],
    ['num_results', -1, '1 to 10'],
    ['num_results', 1.5, 'whole number'],
    ['num_results', '5', 'whole number'],
    ['num_results', null, 'whole number'],
    ['num_results', [5], 'whole number'],
    ['max_snippets_per_result', 0, '1 to 5'],
    ['max_snippets_per_result', 6, '1 to 5'],
    ['max_snippets_per_result', 2.2, 'whole number'],
    ['max_snippets_per_result', false, 'whole number'],
    ['max_snippets_per_result', null, 'whole number'],
    ['search_depth', 'deepest', '"precise", "balanced", "exhaustive"'],
    ['search_depth', 'BALANCED', '"precise", "balanced", "exhaustive"'],
    ['search_depth', 3, '"precise", "balanced", "exhaustive"'],
    ['search_depth', null, '"precise", "balanced", "exhaustive"'],
    ['recency', 'hour', '"day", "week", "month", "year" or null'],
    ['recency', 1, '"day", "week", "month", "year" or null'],
    ['language', 'English please', 'language code'],
    ['language', 'e', 'language code'],
    ['language', 1, 'language code'],
    ['language', null, 'language code'],
    ['include_domains', 'example.com', 'array'],
    ['include_domains', null, 'array'],
    ['include_domains', ['https://example.com'], 'no scheme'],
    ['include_domains', ['example.com/docs'], 'bare domain'],
    ['include_domains', ['example.com:443'], 'bare domain'],
    ['include_domains', ['exam ple.com'], 'bare domain'],
    ['include_domains', [''], 'bare domain'],
    ['include_domains', [7], 'bare domain'],
    ['exclude_domains', 'example.com', 'array'],
    ['exclude_domains', [null], 'bare domain'],
    ['exclude_domains', ['//example.com'], 'bare domain'],
    [
      'include',
      ['secrets'],
      'include.0 must be one of "proof", "bundle", "explain", "highlights", "flags", "warning_code".',
    ],
  ])('%s: %j is refused, named, and told what is allowed', async (field, value, allowed) => {
    const response = await service.search({ query: 'q', [field]: value })
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    const problem = (await response.json()) as {
      errors: { pointer: string; message: string }[]
      detail: string
    }
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', retryable: false })
    expect(problem.errors[0]?.pointer).toMatch(new RegExp(`^/${field}(/\\d+)?$`, 'u'))
    expect(problem.errors[0]?.message).toContain(field)
    expect(problem.errors[0]?.message).toContain(allowed)
    expect(problem.detail).toContain(field)
  })

  test('a number too large to be one is refused', async () => {
    expect((await service.post('{"query":"q","num_results":1e400}')).status).toBe(422)
  })

  test('names every refused field at once', async () => {
    const response = await service.search({ query: 'q', num_results: 0, language: 7, recency: 'x' })
    const { errors } = (await response.json()) as { errors: { pointer: string }[] }
    expect(errors.map((issue) => issue.pointer).toSorted()).toEqual(['/language', '/num_results', '/recency'])
  })

  test('a refused request never reaches a search engine, and costs a point', async () => {
    const response = await service.search({ query: 'q', num_results: 0 })
    expect(Number(response.headers.get('x-ratelimit-remaining'))).toBeLessThan(
      Number(response.headers.get('x-ratelimit-limit')),
    )
    expect(service.logged.join('\n')).not.toContain('page failed')
  })
})

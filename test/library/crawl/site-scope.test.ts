import { expect, test } from 'vitest'
import { scopeOf } from '../../../src/library/crawl/site-scope.ts'

test('a host and its www. are one site, and no other host is of it', () => {
  const scope = scopeOf('https://example.com/docs')
  expect(scope.contains('https://www.example.com/docs/a')).toBe(true)
  expect(scopeOf('https://www.example.com/').contains('http://example.com/a')).toBe(true)
  expect(scope.contains('https://www2.example.com/docs/a')).toBe(false)
  expect(scope.contains('https://www.example.org/docs/a')).toBe(false)
})

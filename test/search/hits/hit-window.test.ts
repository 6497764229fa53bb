import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearchRequest, SEARCH_DEPTHS } from '../../../src/contract.ts'
import { DEPTHS } from '../../../src/search/depth.ts'
import { hitWindow, pagesToOpen } from '../../../src/search/hits/hit-window.ts'

function windowOf(fields: Record<string, unknown>) {
  const parsed = parseSearchRequest({ query: 'revoke a key', ...fields })
  if (!parsed.ok) throw new Error('the request of this test is invalid')
  const asked = { request: parsed.request, budget: DEPTHS[parsed.request.search_depth] }
  return { ...hitWindow(asked), opened: pagesToOpen(asked) }
}

test('of twenty hits every one is looked at for the first page', () => {
  expect(windowOf({})).toMatchObject({ skipped: 0, together: 20, from: 0, to: 10 })
  expect(windowOf({ num_results: 1 })).toMatchObject({ skipped: 0, together: 20, from: 0, to: 2 })
})

test('a search with a filter has more hits to choose from than one without', () => {
  expect(windowOf({ include_domains: ['example.com'] }).to).toBe(15)
  expect(windowOf({ recency: 'week' }).to).toBe(15)
})

test('pages of results share no hit, leave none out and each have enough to open', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.constantFrom(...SEARCH_DEPTHS),
      fc.boolean(),
      (num_results, search_depth, isFiltered) => {
        const filter = isFiltered ? { exclude_domains: ['example.com'] } : {}
        let next = 0
        for (let page = 1; page <= 10; page++) {
          const asked = windowOf({ num_results, search_depth, page, ...filter })
          expect(asked.skipped + asked.from).toBe(next)
          expect(asked.to).toBeLessThanOrEqual(asked.together)
          expect(asked.to - asked.from).toBeGreaterThanOrEqual(asked.opened)
          next = asked.skipped + asked.to
        }
      },
    ),
  )
})

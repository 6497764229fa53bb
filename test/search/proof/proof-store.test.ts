import { describe, expect, test } from 'vitest'
import { contentSha256, createProofStore } from '../../../src/search/proof/proof-store.ts'

const PAGE = {
  url: 'http://a.test/',
  title: null,
  text: 'A key can be revoked.',
  fetchedAt: '2026-01-05T08:00:00Z',
}
const MINUTE_MS = 60_000

describe('kept pages', () => {
  test('are found by the digest of their text for as long as is set, and no longer', async () => {
    const pages = createProofStore({ maxBytes: 1_000, maxAgeMs: 1_000 })
    const digest = pages.keep(PAGE)
    expect(digest).toBe(contentSha256(PAGE.text))
    expect(pages.find(digest)).toEqual(PAGE)
    await expect.poll(() => pages.find(digest), { timeout: 10_000 }).toBeNull()
  })

  test('make room for newer ones, the least lately used first', () => {
    const pages = createProofStore({ maxBytes: 100, maxAgeMs: MINUTE_MS })
    const first = pages.keep(PAGE)
    const second = pages.keep({ ...PAGE, text: 'Another text of that length.' })
    expect(pages.find(second)).not.toBeNull()
    pages.keep({ ...PAGE, text: 'The third.' })
    expect([pages.find(first), pages.find(second)].filter((page) => page !== null)).toHaveLength(1)
  })

  test.each([
    { maxBytes: 0, maxAgeMs: MINUTE_MS },
    { maxBytes: 1_000, maxAgeMs: 0 },
  ])('are none where %j is set, and digests are told all the same', (options) => {
    const pages = createProofStore(options)
    expect(pages.find(pages.keep(PAGE))).toBeNull()
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentSha256, createMemoryProofStore } from '../../../src/search/proof/proof-store.ts'
import { createSurroundings } from '../../../src/search/proof/surroundings.ts'

const proofStore = createMemoryProofStore({ maxBytes: 1_000_000, maxAgeMs: 60_000 })
const find = createSurroundings({ proofStore })

/** What stands around `quote` in `text`. */
async function around(text: string, quote: string) {
  await proofStore.keep({ url: 'https://example.com/', title: null, text, fetchedAt: '2026-11-23T00:00:00Z' })
  const start = text.indexOf(quote)
  return find(contentSha256(text), { start, end: start + quote.length })
}

test('a passage has one sentence on each side, and none where the text ends', async () => {
  const text = 'It began early. Dr. Smith came first. Nobody else did.\n\nThe end.'
  expect(await around(text, 'Dr. Smith came first.')).toEqual({
    before: 'It began early.',
    text: 'Dr. Smith came first.',
    after: 'Nobody else did.',
  })
  expect(await around(text, text)).toEqual({ before: '', text, after: '' })
})

test('of a sentence that is too long its nearer end is shown, from a whole word on, and the cut with it', async () => {
  const long = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')
  const { before, after } = await around(`${long} — QUOTE — ${long}`, 'QUOTE')
  expect(before).toMatch(/^…word\d+ .* word299 —$/u)
  expect(after).toMatch(/^— word0 .* word\d+…$/u)
  expect(before.length + after.length).toBeLessThan(1_300)
})

test('what stands around a passage is a part of the page, before it and after it, at any place of any text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2_000 }),
      fc.nat(),
      async (text, at) => {
        const start = at % text.length
        const quote = text.slice(start, start + 20)
        await proofStore.keep({ url: 'https://example.com/', title: null, text, fetchedAt: '' })
        const { before, after } = await find(contentSha256(text), { start, end: start + quote.length })
        expect(text.slice(0, start)).toContain(before.replace(/^…/u, ''))
        expect(text.slice(start + quote.length)).toContain(after.replace(/…$/u, ''))
      },
    ),
  )
})

test('a text that is not kept is 404, a place that is none of it 422', async () => {
  await around('Some text.', 'text')
  await expect(find('0'.repeat(64), { start: 0, end: 1 })).rejects.toMatchObject({ status: 404 })
  for (const span of [
    { start: 3, end: 3 },
    { start: 0, end: 11 },
  ])
    await expect(find(contentSha256('Some text.'), span)).rejects.toMatchObject({ status: 422 })
})

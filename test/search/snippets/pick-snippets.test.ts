import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScoredPassage } from '../../../src/search/rank.ts'
import { pickSnippets } from '../../../src/search/snippets/pick-snippets.ts'

const passage = (text: string, relevance: number, start = 0): ScoredPassage => ({
  start,
  end: start + text.length,
  text,
  headings: [],
  opensSection: false,
  relevance,
  scoredBy: 'first',
  parts: null,
})

const anyPassage = fc
  .record({
    text: fc.lorem({ maxCount: 12 }),
    relevance: fc.double({ min: 0, max: 1, noNaN: true }),
    start: fc.nat(5_000),
  })
  .map(({ text, relevance, start }) => passage(text, relevance, start))

describe('the snippets of a result', () => {
  test('are at or above the threshold, descending, within the count, never overlapping', () => {
    fc.assert(
      fc.property(
        fc.array(anyPassage, { maxLength: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 5 }),
        (passages, threshold, count) => {
          const picked = pickSnippets(passages, { threshold, count })
          expect(picked.length).toBeLessThanOrEqual(count)
          for (const [index, one] of picked.entries()) {
            expect(one.relevance).toBeGreaterThanOrEqual(threshold)
            for (const other of picked.slice(index + 1)) {
              expect(one.relevance).toBeGreaterThanOrEqual(other.relevance)
              expect(one.start < other.end && other.start < one.end).toBe(false)
            }
          }
        },
      ),
    )
  })

  test('never say the same twice, whatever their case, punctuation and order of arrival', () => {
    const texts = [
      'A revoked key is refused at once, on every replica, within a second of its revocation.',
      'A REVOKED key is refused at once — on every replica — within a second of its revocation!',
      'Rate limits are counted per key and told in the headers of every answer.',
    ]
    const picked = pickSnippets(
      texts.map((text, index) => passage(text, 0.9 - index / 10, index * 1_000)),
      { threshold: 0, count: 5 },
    )
    expect(picked.map((one) => one.text)).toEqual([texts[0], texts[2]])
  })

  test('of a page of thousands of passages that say the same cost no more than those of hundreds', () => {
    const row = Array.from({ length: 600 }, (_, at) => String.fromCodePoint(0x4e00 + 7 * at)).join('')
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        passage(`${row}${index}`, 0.9 - index / 10_000, index * 2_000),
      )
    const cost = (count: number): number => {
      const passages = rows(count)
      const before = process.cpuUsage()
      for (let turn = 0; turn < 3; turn += 1)
        expect(pickSnippets(passages, { threshold: 0, count: 5 })).toHaveLength(1)
      return process.cpuUsage(before).user
    }
    cost(300)
    const [few, many] = [300, 4_800].map((count) => Math.min(cost(count), cost(count), cost(count)))
    expect((many ?? 0) / (few ?? 1)).toBeLessThan(8)
  })

  const WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
  const BEGINNING = WORDS.slice(0, 5).join(' ')
  test.each([
    ['seven of ten triples of words', WORDS.join(' '), [...WORDS.slice(0, 9), 'a', 'b', 'c'].join(' ')],
    ['the whole of a longer one', WORDS.join(' '), BEGINNING],
    ['what a longer one goes on from', BEGINNING, WORDS.join(' ')],
    ['no more than two words', 'Yes, always.', 'YES always'],
    [
      'nearly every sign, unspaced',
      '東京都は日本の首都であり人口は約一千四百万人である',
      '東京都は日本の首都であり人口は約一千五百万人である',
    ],
  ])('say the same when they share %s', (_what, first, second) => {
    const both = [passage(first, 0.9), passage(second, 0.8, 1_000)]
    expect(pickSnippets(both, { threshold: 0, count: 5 })).toEqual([both[0]])
  })

  test.each([
    ['six of ten triples of words', WORDS.join(' '), [...WORDS.slice(0, 8), 'a', 'b', 'c', 'd'].join(' ')],
    ['their words in another order', WORDS.join(' '), WORDS.toReversed().join(' ')],
    ['their letters alone', 'abc def ghi jkl', 'abcdefghijkl'],
    ['their letters, few of them, parted elsewhere', 'ab c', 'a bc'],
    ['a word of twelve letters', 'abcdefghijkl mnopqrstuvwx', 'abcdefghijkl mnopqrstuvwy'],
  ])('say two things when they share %s', (_what, first, second) => {
    const both = [passage(first, 0.9), passage(second, 0.8, 1_000)]
    expect(pickSnippets(both, { threshold: 0, count: 5 })).toEqual(both)
  })

  test('never share a character', () => {
    const [best, next] = [passage('One thing and', 0.9, 0), passage('and another', 0.8, 12)]
    expect(pickSnippets([best, next], { threshold: 0, count: 5 })).toEqual([best])
  })

  test('may stand side by side, come in the order of the text when they are alike, and reach down to the threshold', () => {
    const [left, middle, right] = [
      passage('One thing', 0.5, 0),
      passage('another', 0.5, 9),
      passage('a third', 0.5, 16),
    ]
    const picked = pickSnippets([right, left, middle], { threshold: 0.5, count: 5 })
    expect(picked).toEqual([left, middle, right])
    const best = passage('what is best', 0.9, 16)
    expect(pickSnippets([left, middle, best], { threshold: 0.5, count: 5 })).toEqual([best, left, middle])
  })

  test('of unspaced scripts are compared by characters', () => {
    const picked = pickSnippets(
      [
        passage('東京都は日本の首都であり、人口は約一千四百万人である。', 0.9, 0),
        passage('大阪府は西日本の経済と文化の中心地として知られている。', 0.8, 1_000),
        passage('東京都は日本の首都であり、人口は約一千四百万人である。', 0.7, 2_000),
      ],
      { threshold: 0, count: 5 },
    )
    expect(picked.map((one) => one.start)).toEqual([0, 1_000])
  })
})

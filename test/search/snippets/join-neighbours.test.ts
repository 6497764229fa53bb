import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinNeighbours } from '../../../src/search/snippets/join-neighbours.ts'
import type { ScoredPassage } from '../../../src/search/rank.ts'

/** A page of paragraphs, and its passages: one for each, with its score. */
function pageOf(...paragraphs: [text: string, relevance: number][]) {
  const text = paragraphs.map(([paragraph]) => paragraph).join('\n\n')
  let start = 0
  const passages = paragraphs.map(([paragraph, relevance]): ScoredPassage => {
    const passage = {
      start,
      end: start + paragraph.length,
      text: paragraph,
      headings: [`Above ${paragraph.slice(0, 20)}`],
      opensSection: false,
      relevance,
      scoredBy: 'reranker' as const,
      parts: [{ start: 0, end: paragraph.length, relevance }],
    }
    start += paragraph.length + 2
    return passage
  })
  return { text, passages }
}

const joinedOf = (
  { text, passages }: ReturnType<typeof pageOf>,
  { threshold = 0.02, likeliestElsewhere = 0 } = {},
) => joinNeighbours(passages, { text, threshold, likeliestElsewhere })

const KEYS = 'Keys are revoked in the dashboard.'
const REPLICAS = 'Every replica refuses one within a second.'
const HOURS = 'The library is open from nine to five.'

describe('neighbours that both seem to answer', () => {
  test('are one snippet, word for word as the page has them', () => {
    const page = pageOf([HOURS, 0.01], [KEYS, 0.6], [REPLICAS, 0.5], [HOURS, 0.01])
    expect(joinedOf(page)).toEqual([
      {
        start: HOURS.length + 2,
        end: HOURS.length + 2 + KEYS.length + 2 + REPLICAS.length,
        text: `${KEYS}\n\n${REPLICAS}`,
        headings: [`Above ${KEYS.slice(0, 20)}`],
        opensSection: false,
        relevance: 1 - 0.4 * 0.5,
        scoredBy: 'reranker',
        parts: [
          { start: 0, end: KEYS.length, relevance: 0.6 },
          { start: KEYS.length + 2, end: KEYS.length + 2 + REPLICAS.length, relevance: 0.5 },
        ],
      },
    ])
  })

  test('are joined to the likelier one whichever comes first, and begin under the headings of the first', () => {
    const [joined] = joinedOf(pageOf([KEYS, 0.3], [REPLICAS, 0.6]))
    expect(joined).toMatchObject({ start: 0, headings: [`Above ${KEYS.slice(0, 20)}`] })
  })

  test.each([
    ['one of them is far less likely', pageOf([KEYS, 0.8], [REPLICAS, 0.11])],
    ['another passage stands between them', pageOf([KEYS, 0.8], [HOURS, 0.01], [REPLICAS, 0.8])],
    ['they would be longer than 1,000 characters', pageOf(['a'.repeat(500), 0.8], ['b'.repeat(499), 0.8])],
  ])('stay two where %s', (_why, page) => {
    for (const { text } of joinedOf(page)) expect(text).not.toContain('\n\n')
  })

  test('stay two where another passage of the answer is far likelier than the neighbour, on this page or another', () => {
    const [two, whole] = [[KEYS, REPLICAS], [`${KEYS}\n\n${REPLICAS}`]]
    const textsOf = (page: ReturnType<typeof pageOf>, likeliestElsewhere: number) =>
      joinedOf(page, { likeliestElsewhere })
        .map(({ text }) => text)
        .filter((text) => text !== HOURS)
    const alone = pageOf([KEYS, 0.3], [REPLICAS, 0.1])
    expect([0.4, 0.6].map((elsewhere) => textsOf(alone, elsewhere))).toEqual([whole, two])
    const beside = (relevance: number) =>
      pageOf([KEYS, 0.3], [REPLICAS, 0.1], ['—', 0.001], [HOURS, relevance])
    expect([0.4, 0.6].map((relevance) => textsOf(beside(relevance), 0))).toEqual([whole, two])
  })

  test('are as long as 1,000 characters together', () => {
    expect(joinedOf(pageOf(['a'.repeat(500), 0.8], ['b'.repeat(498), 0.8]))).toHaveLength(1)
  })

  test('stay two where the second opens a section, and are one where the first does', () => {
    const { text, passages } = pageOf([KEYS, 0.8], [REPLICAS, 0.8])
    const [first, second] = passages
    if (first === undefined || second === undefined) throw new Error('a page of two passages has two')
    const opened = joinNeighbours([first, { ...second, opensSection: true }], {
      text,
      threshold: 0,
      likeliestElsewhere: 0,
    })
    expect(opened).toHaveLength(2)
    const opening = joinNeighbours([{ ...first, opensSection: true }, second], {
      text,
      threshold: 0,
      likeliestElsewhere: 0,
    })
    expect(opening).toMatchObject([{ opensSection: true }])
  })

  test('stay two where text that is no passage stands between them', () => {
    const { passages } = pageOf([KEYS, 0.8], [REPLICAS, 0.8])
    const text = `${KEYS}—\n${REPLICAS}`
    expect(joinNeighbours(passages, { text, threshold: 0, likeliestElsewhere: 0 })).toHaveLength(2)
  })

  test('stay two where one is told part by part and the other is not', () => {
    const { text, passages } = pageOf([KEYS, 0.8], [REPLICAS, 0.8])
    const [known, unknown] = passages
    if (known === undefined || unknown === undefined) throw new Error('a page of two passages has two')
    expect(
      joinNeighbours([known, { ...unknown, parts: null }], { text, threshold: 0, likeliestElsewhere: 0 }),
    ).toHaveLength(2)
  })

  test('never bring in what is below the threshold', () => {
    expect(joinedOf(pageOf([KEYS, 0.8], [REPLICAS, 0.5]), { threshold: 0.6 })).toMatchObject([
      { text: KEYS, relevance: 0.8 },
    ])
  })

  test('lose and repeat nothing, are slices of the page, descend, and are never judged worse than the best of them', () => {
    const paragraph = fc.tuple(
      fc.string({ minLength: 1, maxLength: 400, unit: fc.constantFrom('a', 'b', 'é', '漢') }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    fc.assert(
      fc.property(
        fc.array(paragraph, { maxLength: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (paragraphs, threshold) => {
          const page = pageOf(...paragraphs)
          const joined = joinedOf(page, { threshold })
          const kept = page.passages.filter(({ relevance }) => relevance >= threshold)
          const inside = ({ start, end }: ScoredPassage) =>
            kept.filter((one) => one.start >= start && one.end <= end)
          expect(joined.flatMap(inside)).toHaveLength(kept.length)
          for (const [index, one] of joined.entries()) {
            expect(one.text).toBe(page.text.slice(one.start, one.end))
            expect(one.relevance).toBeLessThanOrEqual(joined[index - 1]?.relevance ?? 1)
            for (const part of inside(one))
              expect(one.relevance).toBeGreaterThanOrEqual(part.relevance - 1e-12)
          }
        },
      ),
    )
  })
})

import { expect, it } from 'vitest'
import { fewPassageQueries, isFew, type LabelledQuery } from '../../scripts/eval/evaluation-set.ts'

const queries: LabelledQuery[] = Array.from({ length: 15 }, (_, index) => ({
  id: `${index}`,
  set: 'wiki_page',
  query: `question ${index}`,
  passages: Array.from({ length: 9 }, (__, passage) => `passage ${passage}`),
  relevant: [4, 8],
}))

it('asks every third question of one to five passages, with the answer and without it', () => {
  const few = fewPassageQueries(queries)
  expect(few.map(({ passages }) => passages.length)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
  for (const [index, { set, passages, relevant }] of few.entries()) {
    expect(isFew(set)).toBe(true)
    expect(relevant).toEqual(index % 2 === 0 ? [0] : [])
    expect(passages.includes('passage 4')).toBe(index % 2 === 0)
    // The other labelled passage answers as well: it never stands in for one that does not.
    expect(passages).not.toContain('passage 8')
  }
})

it('takes the neighbours of the answer, which are about the same subject', () => {
  const [, , , without] = fewPassageQueries(queries)
  expect(without?.passages).toEqual(['passage 3', 'passage 5'])
})

it('makes nothing of questions that no passage answers', () => {
  const [query] = queries
  expect(query).toBeDefined()
  expect(fewPassageQueries([{ ...query!, relevant: [] }])).toEqual([])
})

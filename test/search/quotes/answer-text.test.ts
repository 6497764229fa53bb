import { expect, test } from 'vitest'
import { cutFromEnd, readableAnswer } from '../../../src/search/quotes/answer-text.ts'

test.each([
  ['a ```\n“b”\n``` c `“d”` e', 'a    \n   \n    c       e'],
  ['a ~~~ “b”\nnobody closes it', `a        \n${' '.repeat(16)}`],
  ['a <!-- “b” --> c <!-- “d”', 'a              c <!-- “d”'],
  ['a ``` <b ``` `c` d> e', 'a                d> e'],
  ['<q>a</q> <b title="“x”">c</b>', '  “a”                   c    '],
])('of %j only what a reader sees is left, at its place', (answer, readable) => {
  expect(readableAnswer(answer)).toBe(readable)
})

test('marks are cut off the end alone, with the spaces around them', () => {
  expect(cutFromEnd('[1] a [2] b [3] \n[4] ', /\[\d\]/gu)).toBe('[1] a [2] b')
  expect(cutFromEnd('[1] [2]', /\[\d\]/gu)).toBe('')
})

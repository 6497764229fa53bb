import { expect, test } from 'vitest'
import { readText } from '../fixtures.ts'

const CODE = 'if a:\n    b()\nelse:  c()'
const MESSAGE = 'See you at nine.\nBring the tickets.'

test.each([
  ['by a rule', `<style>.code{white-space:pre}</style><div class="code">${CODE}</div>`, CODE],
  [
    'in pieces',
    '<div style="white-space:pre">one <b>two</b>\n<i>  </i><b>three</b></div>',
    'one two\n  three',
  ],
  ['by an attribute', `<div style="white-space: pre-wrap">${MESSAGE}</div>`, MESSAGE],
  ['by the property of its own', `<p style="white-space-collapse: preserve">${MESSAGE}</p>`, MESSAGE],
  ['by a name of Tailwind', `<div class="mt-2 whitespace-pre-line">${MESSAGE}</div>`, MESSAGE],
  [
    'for what is inside',
    '<style>.a{white-space:pre-wrap}</style><div class="a"><span>one\n  two</span> <b>three</b>\nfour</div>',
    'one\ntwo three\nfour',
  ],
  [
    'but for its spaces, where lines are wrapped',
    '<div style="white-space:pre-wrap">\n      one\n      <i>two</i>\n      three\n</div>',
    'one\ntwo\nthree',
  ],
])('white space that the page keeps %s is kept', async (_, html, text) => {
  expect(await readText(html)).toBe(text)
})

test.each([
  [
    'an element inside undoes it',
    '<div style="white-space:pre"><p style="white-space:normal">one\ntwo</p></div>',
  ],
  ['it holds only where nobody looks', '<style>@media print{p{white-space:pre}}</style><p>one\ntwo</p>'],
  [
    'it may hold for other elements',
    '<style>[class*=code]{white-space:pre}</style><p class="x">one\ntwo</p>',
  ],
  ['a line is only not to be broken', '<style>p{white-space:nowrap}</style><p>one\ntwo</p>'],
])('it is folded as ever where %s', async (_, html) => {
  expect(await readText(html)).toBe('one two')
})

import { expect, test } from 'vitest'
import { readText } from '../fixtures.ts'

test.each([
  ['<h2 id="a">First Section<a class="headerlink" href="#a" title="Link here">¶</a></h2>', 'First Section'],
  ['<h3><a href="/guide/#b"><span> # </span></a>Second Section</h3>', 'Second Section'],
  [
    '<dl><dt><code>open(file)</code><a href="#open">§</a></dt><dd>Opens it.</dd></dl>',
    'open(file)\nOpens it.',
  ],
  ['<h2>Third <a href="#c">🔗</a></h2>', 'Third'],
  ['<h2>Fourth <a href="/find/?name=d">🔗</a></h2>', 'Fourth'],
])('the sign of a link from a heading or a term to itself is none of its words: %s', async (html, text) => {
  expect(await readText(html)).toBe(text)
})

test.each([
  ['<h2>C <a href="/sharp">#</a></h2>', 'C #'],
  ['<h2>Issue #<a href="#7">7</a></h2>', 'Issue #7'],
  ['<p>See <a href="#s">§</a> 5</p>', 'See § 5'],
])('any other sign in it or in a sentence stays: %s', async (html, text) => {
  expect(await readText(html)).toBe(text)
})

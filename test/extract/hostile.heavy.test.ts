// Megabytes of what pages may hold: each is read within the time of its test.
import { describe, expect, test } from 'vitest'
import { assessRendering } from '../../src/extract/classify/rendering-need.ts'
import { cutPassages } from '../../src/extract/passages/cut-passages.ts'
import { read } from './fixtures.ts'

const MEGABYTE = 1_000_000
const repeat = (text: string, characters: number) => text.repeat(Math.ceil(characters / text.length))
const each = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join('')

/** Inputs on which quadratic code takes minutes: the test's own time limit is the guarantee. */
const PAGES: readonly (readonly [name: string, html: string])[] = [
  ['ten megabytes of <div>', repeat('<div>', 10 * MEGABYTE)],
  ['ten megabytes of <b> with text', repeat('<b>x ', 10 * MEGABYTE)],
  ['ten megabytes of closing tags', repeat('</div>', 10 * MEGABYTE)],
  ['ten megabytes of <', repeat('<', 10 * MEGABYTE)],
  ['ten megabytes of unclosed comments', repeat('<!-- ', 10 * MEGABYTE)],
  ['ten megabytes of CDATA', repeat('<![CDATA[', 10 * MEGABYTE)],
  ['ten megabytes of CDATA in a comment', `<!-- ${repeat('<![CDATA[>', 10 * MEGABYTE)} -->text`],
  ['ten megabytes of CDATA in a title', `<title>${repeat('<![CDATA[', 10 * MEGABYTE)}</title>text`],
  ['ten megabytes of entities', repeat('&amp;&#x41;&notit;', 10 * MEGABYTE)],
  ['ten megabytes of one word', repeat('a', 10 * MEGABYTE)],
  ['ten megabytes of spaces', `<p>${repeat(' ', 10 * MEGABYTE)}x`],
  ['five megabytes of no-break spaces', `<p>x${repeat('\u00a0', 5 * MEGABYTE)}x`],
  ['a million line breaks', `<p>x${repeat('<br>', 4 * MEGABYTE)}x`],
  ['an attribute of ten megabytes', `<p class="${repeat('nav-', 10 * MEGABYTE)}">text</p>`],
  ['a style of five megabytes', `<p style="${repeat('display  :', 5 * MEGABYTE)}">text</p>`],
  [
    'a hundred thousand attributes',
    `<p ${Array.from({ length: 100_000 }, (_, n) => `a${n}=1`).join(' ')}>text</p>`,
  ],
  ['a million empty cells', `<table><tr>${repeat('<td>', 4 * MEGABYTE)}x`],
  ['a hundred thousand blocks', repeat('<p>some text of a paragraph</p>', 3 * MEGABYTE)],
  ['a hundred thousand formulas in one another', repeat('<math><mfrac><mi>x</mi>', 5 * MEGABYTE)],
  ['nested lists', repeat('<ul><li>item ', 5 * MEGABYTE)],
  ['digits and dots, as if they were dates', repeat('<p>1.1.1.1.20 20 ', 5 * MEGABYTE)],
  ['deep JSON-LD', `<script type="application/ld+json">${'['.repeat(500_000)}</script>text`],
  ['a title of five megabytes', `<title>${repeat('word - ', 5 * MEGABYTE)}</title>text`],
  ['a preformatted text of new lines', `<pre>${'\n'.repeat(5 * MEGABYTE)}x`],
  [
    'an element of a hundred thousand classes that rules speak of',
    `<style>${each(100_000, (at) => `.c${at}{display:none}`)}</style><p class="${each(100_000, (at) => `c${at} `)}">text</p>`,
  ],
  [
    'thousands of rules that look around elements deep inside one another',
    `<style>${each(5_000, (at) => `.n${at} .none .x{display:none}#k${at}{display:block}`)}</style>
     ${each(5_000, (at) => `<div class=n${at}>`)}${each(1_000, (at) => `<p id=k${at}><i class=x>text</i></p>`)}`,
  ],
  [
    'thousands of rules that no element of their class is meant by',
    `<style>${each(50_000, (at) => `.x.q${at}{display:none}#k${at}{display:block}`)}</style>
     ${each(50_000, (at) => `<p id=k${at}><i class=x>text</i></p>`)}`,
  ],
  [
    'a rule that says the names of what hides over and over',
    `<style>.x{overflow:${repeat('left', MEGABYTE)}${repeat('width', MEGABYTE)}}</style><p class=x>text`,
  ],
  [
    'thousands of rules that stand in others, with no semicolon among them',
    `<style>.${repeat('a', 1.8 * MEGABYTE)}{}${repeat('.a{.b{}}', 0.15 * MEGABYTE)}</style><p class=b>text`,
  ],
  [
    'a selector of a megabyte of white space',
    `<style>.x${repeat(' ', MEGABYTE)}.y{display:none}</style><p class=x>text`,
  ],
  [
    'thousands of selectors whose brackets end with the sheet',
    `<style>${each(19_000, (at) => `.a${at}[b{left:0}`)}]{left:0}</style><p class=x>text`,
  ],
  ['null characters', repeat('<p>\0\0 a', 3 * MEGABYTE)],
]

describe('pathological pages are read within a test’s time', () => {
  test.each(PAGES)('%s', { timeout: 30_000 }, async (_, html) => {
    const page = await read(html)
    for (const { start, end, text } of cutPassages(page, { overlap: true, limit: 1_000 }))
      expect(page.text.slice(start, end)).toBe(text)
    const need = await assessRendering(html, 'https://example.org/', new AbortController().signal)
    expect(['enough', 'thin', 'framed', 'sent_on']).toContain(need.verdict)
  })

  test.each([
    ['application/json', repeat('\\"', 3 * MEGABYTE)],
    ['application/json', '['.repeat(3 * MEGABYTE)],
    ['application/json', repeat('{"a":', 3 * MEGABYTE)],
    ['application/rss+xml', `<rss>${repeat('<item>', 3 * MEGABYTE)}`],
    ['application/xml', repeat('<a>', 3 * MEGABYTE)],
    ['text/markdown', repeat('> '.repeat(50) + '\n', 3 * MEGABYTE)],
    ['text/plain', repeat('a\n', 3 * MEGABYTE)],
    ['text/plain', ' '.repeat(3 * MEGABYTE)],
  ])('%s', { timeout: 30_000 }, async (mediaType, content) => {
    const page = await read(content, { mediaType })
    expect(page.text.length).toBeLessThanOrEqual(content.length)
  })
})

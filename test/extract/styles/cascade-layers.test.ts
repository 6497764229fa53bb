import { expect, test } from 'vitest'
import { createLayers, layerNamed, MOST_LAYERS } from '../../../src/extract/styles/cascade-layers.ts'
import { read } from '../fixtures.ts'

/** What is `unseen` by each sheet, and what is not: `.x` is `#i`, too, and stands in a `.box`. */
const body = (attribute = ''): string =>
  `<main class="box"><p>Words.</p><p class="x y" id="i"${attribute}>Seen.</p></main>`

const shown = [
  ['what stands in none', '@layer a { .box #i.x { display: none } } p { display: block }'],
  ['the later one', '@layer a { #i { display: none } } @layer b { p { display: block } }'],
  [
    'the one that a list names later',
    '@layer a, b; @layer b { p { display: block } } @layer a { #i { display: none } }',
  ],
  [
    'the one that is imported later',
    '@import "/a.css" layer(a); @import url(/b.css) layer(b) screen; @layer b { p { display: block } } @layer a { #i { display: none } }',
  ],
  ['what stands in it beside its own', '@layer a { p { display: block } @layer b { #i { display: none } } }'],
  [
    'the later one of those in one layer',
    '@layer a.one, a.two; @layer a { @layer two { p { display: block } } @layer one { #i { display: none } } }',
  ],
  [
    'the first one by what is important',
    '@layer a { p { display: block !important } } @layer b { #i { display: none !important } }',
  ],
  [
    'any of them by what is important, before what stands in none',
    '@layer a { p { display: block !important } } #i { display: none !important }',
  ],
  ['a later one without a name', '@layer { #i { display: none } } @layer { p { display: block } }'],
  [
    'the one that is met first, whatever a list says of it afterwards',
    '@layer a { #i { display: none } } @layer b { p { display: block } } @layer b, a;',
  ],
  [
    'the one that a sheet for other media does not name first',
    '@media print { @layer b, a; } @layer a { #i { display: none } } @layer b { p { display: block } }',
  ],
  [
    'one whose name stands beside a comment',
    '@layer /* 1 */ a, b; @layer b /* 2 */ { p { display: block } } @layer a { #i { display: none } }',
  ],
] as const

const hidden = [
  ['what is hidden in the later one', '@layer a { #i { display: block } } @layer b { .x { display: none } }'],
  ['what is hidden outside of them', '@layer a { #i { display: block } } .x { display: none }'],
  [
    'what an earlier one hides by what is important',
    '@layer a { .x { display: none !important } } @layer b { #i { display: block !important } }',
  ],
] as const

test.each(shown)('of layers counts before selectors are weighed: %s', async (_which, style) => {
  expect((await read(`<style>${style}</style>${body()}`)).text).toBe('Words.\n\nSeen.')
})

test.each(hidden)('layers show nothing that is not seen: %s', async (_which, style) => {
  expect((await read(`<style>${style}</style>${body()}`)).text).toBe('Words.')
})

test('layers of several sheets are those of one page', async () => {
  const sheets =
    '<style>@layer a, b;</style><style>@layer b { p { display: block } }</style><style>@layer a { #i { display: none } }</style>'
  expect((await read(`${sheets}${body()}`)).text).toBe('Words.\n\nSeen.')
})

test('a style attribute counts after layers in what is important alone, and before them when it is itself', async () => {
  const style = '<style>@layer a { .x { display: VALUE !important } } #i { display: none !important }</style>'
  const plain = await read(`${style.replace('VALUE', 'block')}${body(' style="display: none"')}`)
  expect(plain.text).toBe('Words.\n\nSeen.')
  const important = await read(
    `${style.replace('VALUE', 'none')}${body(' style="display: block !important"')}`,
  )
  expect(important.text).toBe('Words.\n\nSeen.')
})

test('a page has no more layers than are told apart, however its sheets name them', () => {
  const page = createLayers()
  const names = Array.from({ length: MOST_LAYERS + 500 }, (_, index) => `a${index % 50}.b${index}`)
  for (const name of names) layerNamed(page, name)
  const sizes = Array.from(page.inside.values(), ({ inside }) => inside.size)
  expect(sizes.reduce((sum, size) => sum + size, page.inside.size)).toBe(MOST_LAYERS)
})

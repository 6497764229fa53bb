import { describe, expect, test } from 'vitest'
import { read, readFixture } from '../../fixtures.ts'

/** The lines of a page's text that begin with one of the words. */
const linesWith = (text: string, word: RegExp): string[] => text.match(word) ?? []

describe('what a person cannot see', async () => {
  const source = readFixture('hidden-text/source.html')
  const { text } = await read(source)

  test('is not text, whether attributes, inline styles or rules of the page hide it', () => {
    expect(linesWith(source, /UNSEEN/g)).toHaveLength(18)
    expect(linesWith(text, /UNSEEN.*/g)).toEqual([])
  })

  test('is told from what only seems hidden: other media, states, motions, gradients and weightier rules', () => {
    expect(linesWith(text, /SEEN.*/g)).toEqual(linesWith(source, /(?<!UN)SEEN[^<]*/g))
  })

  test.each([
    ['until no other page frames it', '<style>html { display: none }</style>'],
    ['by the name of its body', '<style>#top { display: none; font-size: 0 }</style>'],
    ['until its styles are there', '<style>body { opacity: 0; visibility: hidden }</style>'],
  ])('is not the whole page, which hides itself %s', async (_, head) => {
    const page = await read(`${head}<body id="top" class="flex"><p>Words.</p><p hidden>Unseen.</p></body>`)
    expect(page.text).toBe('Words.')
  })

  test('is what waits in a popover, unless a style shows it', async () => {
    const { text: left } = await read(
      '<style>.shown { display: block }</style><p>Words <button popovertarget="p">i</button></p><div id="p" popover><p>Unseen.</p></div><div popover="manual" class="shown">Seen.</div>',
    )
    expect(left).not.toContain('Unseen')
    expect(left).toContain('Seen.')
  })

  test('is what an area without a surface leaves of it', async () => {
    const clipped = (points: string) => `<p style="clip-path: polygon(${points})">Words of ${points}.</p>`
    const { text: shown } = await read(`${clipped('0 0, 0 0, 0px 0%')}${clipped('0 0, 100% 0, 0 100%')}`)
    expect(shown).toBe('Words of 0 0, 100% 0, 0 100%.')
  })

  test('is clipped where it has a place of its own, and nowhere else', async () => {
    const style = '<style>.cut { clip: rect(0 0 0 0) } .apart { position: absolute }</style>'
    const body =
      '<p class="cut">Seen.</p><p class="cut apart">Unseen.</p><p class="apart" style="clip: rect(1px,1px,1px,1px)">Unseen.</p><p class="cut" style="position: sticky">Stays.</p>'
    expect((await read(`${style}${body}`)).text).toBe('Seen.\n\nStays.')
  })

  test('counts as seen where a style sheet that is not read may show it', async () => {
    const white = '<style>.light { color: white }</style><p class="light">Light words on a dark picture.</p>'
    expect((await read(white)).text).toBe('')
    const { text: undecided } = await read(`<link rel="stylesheet" href="/site.css">${white}`)
    expect(undecided).toBe('Light words on a dark picture.')
  })
})

describe('what stands in a host beside its shadow root', () => {
  const host = (inner: string, name = 'x-card') =>
    read(
      `<p>Words.</p><${name}><template shadowrootmode="open"><p>Shadow.</p>${inner}</template>Light <p>Light.</p> words</${name}><p>After.</p>`,
    )

  test('is seen where that has a slot for it or can be none, and not where it has none', async () => {
    expect((await host('')).text).toBe('Words.\n\nShadow.\n\nAfter.')
    const nested = '<div><template shadowrootmode="open"><slot></slot></template>Inner.</div>'
    expect((await host(nested)).text).toBe('Words.\n\nShadow.\n\nInner.\n\nAfter.')
    expect((await host('<slot></slot>')).text).toContain('Light.')
    expect((await host('<noscript><slot></slot></noscript>')).text).toContain('Light.')
    expect((await host('', 'ul')).text).toContain('Light.')
  })

  test('is judged by the first of several roots', async () => {
    const root = (inner: string) => `<template shadowrootmode="open">${inner}</template>`
    const { text } = await read(`<div>${root('<slot></slot>')}${root('')}<p>Light.</p></div>`)
    expect(text).toContain('Light.')
  })
})

describe('what stands in an object for those who cannot see it', () => {
  const flash = 'application/x-shockwave-flash'
  test.each([
    ['<object>', true],
    ['<object data="" classid="clsid:D27CDB6E">', true],
    [`<object type="${flash}" data="/player">`, true],
    ['<object data="/intro.swf?v=2"><param name="quality" value="high">', true],
    ['<object data="/plan.pdf" type="application/pdf">', false],
    ['<object type="text/html">', false],
    ['<object data="/map.png">', false],
  ])('is read where a browser shows it: %s', async (tag, isShown) => {
    const { text } = await read(`<p>Words.</p>${tag}<p>Instead.</p></object><p>After.</p>`)
    expect(text).toBe(isShown ? 'Words.\n\nInstead.\n\nAfter.' : 'Words.\n\nAfter.')
  })

  test('is read of a map of areas and of an applet, and of no video, canvas or frame', async () => {
    const { text } = await read(
      '<map name="m"><p>Areas.</p></map><applet><p>Applet.</p></applet><video><p>No.</p></video><audio>No.</audio><canvas>No.</canvas><iframe><p>No.</p></iframe><p>After.</p>',
    )
    expect(text).toBe('Areas.\n\nApplet.\n\nAfter.')
  })
})

describe('styles that a builder scopes with :where() and :is()', () => {
  const scoped = (style: string, body: string) => read(`<style>${style}</style><main>${body}</main>`)
  const sentence = '<p>Built with <a href="/t">a tool</a> of <code>ours</code>.</p>'

  test('make boxes of those in their scope alone', async () => {
    const style = ':where(.scope-1)[role=list]{display:flex} .row:is(.scope-1){display:flex}'
    const inScope = '<p class="row scope-1"><b>One</b><b>Two</b></p>'
    const { text } = await scoped(style, `${sentence}<p class="row"><b>Th</b><b>ree</b></p>${inScope}`)
    expect(text).toBe('Built with a tool of ours.\n\nThree\n\nOne\nTwo')
  })

  test('hide what is in their scope alone', async () => {
    const style = '.note:where(.scope-1){display:none}'
    const { text } = await scoped(style, '<p class="note">Seen.</p><p class="note scope-1">Unseen.</p>')
    expect(text).toBe('Seen.')
  })

  test('weigh nothing in :where(), and what the names weigh in :is()', async () => {
    const style = '.note{display:block} p:where(.a.b){display:none} p:is(.c.d){display:none}'
    const { text } = await scoped(style, '<p class="note a b">Seen.</p><p class="note c d">Unseen.</p>')
    expect(text).toBe('Seen.')
  })
})

describe('paragraphs that run on in their line', () => {
  const style = '<style>li p { display: inline }</style>'

  test('are read as one line with the words before them', async () => {
    const { text } = await read(`${style}<ul><li><b>3/4</b> c. <p>flour</p></li><li><p>1 egg</p></li></ul>`)
    expect(text).toBe('3/4 c. flour\n1 egg')
  })

  test('are boxes all the same in a line of boxes', async () => {
    const boxes = '<li style="display:flex"><p>One</p><p>Two</p></li>'
    expect((await read(`${style}<ul>${boxes}</ul>`)).text).toBe('One\n\nTwo')
  })
})

describe('rules that are narrowed by what is not looked at alone', () => {
  const rule = '<style>.off{display:none} SELECTOR{display:flex}</style>'

  test.each(['[class*=card]', 'b[data-wide]', ':is(.card, .row)', '.row:not(.x) [role=list]'])(
    'break no line of elements that they do not mean: %s',
    async (selector) => {
      const item = '<li class="row"><b>2</b> <b>large eggs</b></li>'
      const { text } = await read(`${rule.replace('SELECTOR', selector)}<ul>${item}</ul>`)
      expect(text).toBe('2 large eggs')
    },
  )

  test.each(['h2 + p', 'p:not(.x)', '.text.x:first-child p', '[data-note] p'])(
    'join no paragraphs: %s',
    async (selector) => {
      const style = `<style>${selector} { display: inline }</style>`
      const { text } = await read(`${style}<div class="text x"><p>One.</p><p>Two.</p></div>`)
      expect(text).toBe('One.\n\nTwo.')
    },
  )

  test('may show what another rule hides', async () => {
    const { text } = await read(
      `${rule.replace('SELECTOR', '[data-open]')}<p class="off" data-open>Seen.</p>`,
    )
    expect(text).toBe('Seen.')
  })

  test('make boxes where a class narrows them, too', async () => {
    const { text } = await read(
      `${rule.replace('SELECTOR', '.row[data-wide]')}<p class="row" data-wide><b>One</b><b>Two</b></p>`,
    )
    expect(text).toBe('One\nTwo')
  })
})

describe('classes whose names hold signs that CSS has to escape', () => {
  const styled = (style: string, body: string) => read(`<style>${style}</style><main>${body}</main>`)

  test('show on a wide screen what is hidden on a narrow one, and the other way round', async () => {
    const style = String.raw`.hidden{display:none} @media (min-width:48rem){ .md\:block{display:block} .md\:hidden{display:none} }`
    const wide = '<div class="hidden md:block"><p>Seen where there is room.</p></div>'
    const { text } = await styled(style, `${wide}<div class="md:hidden"><p>Unseen.</p></div>`)
    expect(text).toBe('Seen where there is room.')
  })

  test('hold, too, where their media stand inside of them, but not those inside of other rules', async () => {
    const style = String.raw`.hidden{display:none}
      .md\:block { color: black; @media (width >= 48rem) { display: block } }
      .print\:block { @media print { display: block } }
      .hover\:block { &:hover { @media (hover: hover) { display: block } } }
      .after { display: block; &:focus { display: none } }`
    const classes = ['md:block', 'print:block', 'hover:block']
    const body = classes.map((name) => `<div class="hidden ${name}"><p>Words of ${name}.</p></div>`)
    const { text } = await styled(style, `${body.join('')}<p class="after">The end.</p>`)
    expect(text).toBe('Words of md:block.\n\nThe end.')
    const linked = await read(`<link rel="stylesheet" href="/a.css"><style>${style}</style>${body.join('')}`)
    expect(linked.text).toBe('Words of md:block.')
  })

  test.each([
    ['2xl:hidden', String.raw`.\32xl\:hidden`],
    ['10x', String.raw`.\31 0x`],
    ['w-1/2', String.raw`.w-1\/2`],
    ['a,b', String.raw`p.a\,b`],
    ['top-[3px]', String.raw`.top-\[3px\]`],
    ['größe', String.raw`.gr\f6\DF e`],
    ['md:hover:x', String.raw`.md\:hover\:x`],
  ])('select the elements that are meant: %s', async (name, selector) => {
    const { text } = await styled(`${selector}{display:none}`, `<p class="${name}">Unseen.</p><p>Seen.</p>`)
    expect(text).toBe('Seen.')
  })
})

describe('parts that a person opens', async () => {
  const source = readFixture('openable-parts/source.html')
  const { text } = await read(source)

  test.each([
    ['tab_content', true],
    ['review_tab-content', true],
    ['accordion_body', true],
    ['cookie_tab_content', false],
    ['login_popup_content', false],
  ])('are known by names that part their words by underscores: %s', async (name, isText) => {
    const page = await read(`<p>Words.</p><section class="${name}" style="display: none">Folded.</section>`)
    expect(page.text.includes('Folded.')).toBe(isText)
  })

  test('are text: tab panels, accordions, answers, details, slides', () => {
    expect(linesWith(text, /OPEN[^\n]*/g)).toEqual(linesWith(source, /OPEN[^<]*/g))
  })

  test('are text when a name that hides by convention tells that it opens, which a label for readers does not', async () => {
    const page = await read(
      '<div class="accordion-content is-visually-hidden"><ol><li>Soak the peas.</li></ol></div><div class="accordion"><span class="visually-hidden">Toggle</span></div>',
    )
    expect(page.text).toBe('Soak the peas.')
  })

  test('are told from menus, windows, drawers and cookie notices, which stay out', () => {
    expect(linesWith(text, /CLOSED[^\n]*/g)).toEqual([])
  })
})

describe('a page that holds its text back', async () => {
  const { text } = await read(readFixture('noscript-forum/source.html'))

  test('is read from <noscript> when that holds more than what stands beside it', () => {
    expect(text).toContain('I have descaled it twice with vinegar')
    expect(text).toContain('look whether the disc snaps back')
  })

  test('is not told to turn scripts on', () => {
    expect(text).not.toContain('JavaScript')
  })

  test('keeps a <noscript> out that says again what the page says', async () => {
    const words = 'A sentence that stands on the page as well as in its noscript. '.repeat(6)
    const page = await read(
      `<div><p>${words}</p><noscript><p>${words} again</p></noscript><p>${words}</p></div>`,
    )
    expect(page.text).not.toContain('again')
  })

  test('shows what it fades in by script once nothing else is there to be read', async () => {
    const words = 'A paragraph of an article that its script fades in. '.repeat(8)
    const faded = `<div style="opacity:0"><p>${words}</p></div>`
    expect((await read(`<script src="/a.js"></script>${faded}`)).text).toContain('fades in')
    expect((await read(faded)).text).toBe('')
  })
})

test('parts of a page that React streams after the rest are read where a person reads them', async () => {
  const { text } = await read(readFixture('streamed-page/source.html'))
  const lines = text.split(/\n+/)
  expect(lines.indexOf('From May to September the baths open at seven.')).toBe(1)
  expect(lines.indexOf('From October to April they open at nine.')).toBe(2)
  expect(lines.at(-1)).toBe('Baths of the town')
})

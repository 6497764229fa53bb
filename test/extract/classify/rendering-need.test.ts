import { describe, expect, test } from 'vitest'
import { assessRendering } from '../../../src/extract/classify/rendering-need.ts'
import { fixtureNames, readFixture } from '../fixtures.ts'

const URL = 'https://example.org/page'
const PROSE = `<p>${'Every page holds some words that a person may read. '.repeat(8)}</p>`
const LONG_PROSE = PROSE.repeat(4)
const SCRIPT = '<script src="/app.js"></script>'
const HEAVY_SCRIPT = `<script>${'x=1;'.repeat(50_000)}</script>`

const need = (html: string) => assessRendering(html, URL, AbortSignal.timeout(60_000))

describe('a browser is needed', () => {
  test.each([
    ['an empty mount element', `<div id="root"></div>${SCRIPT}`, 'empty-mount'],
    [
      'an empty mount element beside a footer',
      `<div id="app"><span>Loading</span></div>${PROSE}${SCRIPT}`,
      'empty-mount',
    ],
    [
      'a noscript that asks for script',
      `<noscript>Please enable JavaScript.</noscript>${PROSE}${SCRIPT}`,
      'asks-for-script',
    ],
    [
      'a noscript of links and of hidden prose',
      `<noscript>${'<a href="/x">Somewhere</a>'.repeat(200)}<div hidden>${LONG_PROSE}</div></noscript>${SCRIPT}`,
      'little-text',
    ],
    [
      'nothing but links and script',
      `<nav>${'<a href="/x">Somewhere</a>'.repeat(50)}</nav>${SCRIPT}`,
      'little-text',
    ],
    [
      'a splash of a page that fetches its scripts ahead',
      '<link rel="preload" href="/app.js" as="script"><div class="dots"></div>',
      'little-text',
    ],
    ['a challenge', `<title>Just a moment...</title><p>Please wait.</p>${SCRIPT}`, 'challenge'],
    ['text that is hidden by attribute', `<div hidden>${LONG_PROSE}</div>${SCRIPT}`, 'little-text'],
    [
      'text that is hidden by its own style',
      `<div style="display:none">${LONG_PROSE}</div>${SCRIPT}`,
      'little-text',
    ],
    [
      'text that is hidden by the page’s styles',
      `<style>.app .later { display: none }</style><div class="app"><div class="later">${LONG_PROSE}</div></div>${SCRIPT}`,
      'little-text',
    ],
    ['little text in much script', PROSE + HEAVY_SCRIPT, 'script-heavy'],
    [
      'nothing but headlines that link',
      `${'<h3><a href="/x">Swimmer blows up after a beach is shut</a></h3>'.repeat(40)}${SCRIPT}`,
      'little-text',
    ],
    [
      'nothing but the head and foot of a page',
      `<header>${LONG_PROSE}</header><footer>${LONG_PROSE}</footer>${SCRIPT}`,
      'little-text',
    ],
  ])('%s', async (_, html, reason) => {
    expect(await need(html)).toEqual({ verdict: 'thin', reason })
  })

  test('and why, where the text stands on another page: in a frame, or where a refresh leads', async () => {
    const framed = '<iframe src="/content.html"></iframe>'
    const sent = '<meta http-equiv="refresh" content="0; url=/there">'
    expect(await need(framed)).toEqual({ verdict: 'framed', reason: 'frames' })
    expect(await need(sent)).toEqual({ verdict: 'sent_on', reason: 'meta-refresh' })
  })
})

describe('the markup is enough', () => {
  test.each([
    ['prose beside script', LONG_PROSE + SCRIPT],
    ['little text without any script', '<p>Hello.</p>'],
    ['an empty page', ''],
    ['a mount element that was rendered by the server', `<div id="root">${LONG_PROSE}</div>${SCRIPT}`],
    ['200 characters’ worth of Chinese', `<p>${'今天的天气很好我们一起去公园散步吧'.repeat(6)}</p>${SCRIPT}`],
    ['a refresh of the page itself', `<meta http-equiv="refresh" content="300">${LONG_PROSE}`],
    ['prose behind a CDATA section outside of scripts', `<head><![CDATA[ ></head>${LONG_PROSE}${SCRIPT}`],
    [
      'a page that hides itself whole until no other page frames it',
      `<style>html { display: none }</style>${LONG_PROSE}${SCRIPT}`,
    ],
    ['a slow refresh', `<meta http-equiv="refresh" content="120; url=/there">${LONG_PROSE}`],
    [
      'a page that stands whole in its noscript',
      `<div id="root"></div><noscript>${LONG_PROSE}</noscript>${SCRIPT}`,
    ],
    ['JSON in a script is no script', '<p>Hello.</p><script type="application/json">{}</script>'],
    [
      'what was streamed behind the place where it belongs',
      `<main><template id="B:0"></template></main><div hidden id="S:0">${LONG_PROSE}</div>${SCRIPT}`,
    ],
    [
      'what fades in by script',
      `<main style="opacity:0">${LONG_PROSE}</main><iframe src="/a"></iframe>${SCRIPT}`,
    ],
    [
      'an article of which a part opens',
      `${PROSE}<button aria-controls="more">More</button><div id="more" style="display:none">${LONG_PROSE}</div>${HEAVY_SCRIPT}`,
    ],
    ['cards that are links as a whole', `<a href="/x">${PROSE}</a>`.repeat(4) + SCRIPT],
    ['heads of articles', `<article><header>${LONG_PROSE}</header></article>${SCRIPT}`],
    [
      'a refresh for those without scripts',
      `<noscript><meta http-equiv="refresh" content="0; url=/there"></noscript>${LONG_PROSE}${SCRIPT}`,
    ],
  ])('%s', async (_, html) => {
    expect(await need(html)).toEqual({ verdict: 'enough', reason: null })
  })

  test.each(fixtureNames())('the saved page "%s"', async (name) => {
    expect((await need(readFixture(`${name}/source.html`))).verdict).toBe('enough')
  })
})

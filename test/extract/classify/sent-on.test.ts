import { describe, expect, test } from 'vitest'
import { whereSentOn } from '../../../src/extract/classify/sent-on.ts'

const URL = 'https://example.org/old/page?x=1'
const refresh = (content: string) => `<meta http-equiv="Refresh" content="${content}">`

describe('a page that is there only to send its readers on leads there', () => {
  test.each([
    ['a refresh that is due at once', refresh('0; url=/there'), 'https://example.org/there'],
    [
      'quoted, and with spaces',
      refresh("0 ;  URL = 'next page.html'"),
      'https://example.org/old/next%20page.html',
    ],
    [
      'at once, though it counts its visitors',
      `${refresh('0;url=/there')}<script>count()</script>`,
      'https://example.org/there',
    ],
    ['without url=', refresh('0;/there'), 'https://example.org/there'],
    ['to another site', refresh('5;url=http://other.example/'), 'http://other.example/'],
    [
      'from its base',
      `<base href="https://base.example/a/">${refresh('0;url=b')}`,
      'https://base.example/a/b',
    ],
    ['the first refresh of several', refresh('0;url=/a') + refresh('0;url=/b'), 'https://example.org/a'],
    [
      'a frameset that shows one page of another address',
      '<frameset rows="100%,*"><frame src="http://real.example/home"><frame src="about:blank"></frameset>',
      'http://real.example/home',
    ],
  ])('%s', (_, html, target) => {
    expect(whereSentOn(html, URL)).toBe(target)
  })
})

describe('a page that is one itself leads nowhere', () => {
  test.each([
    ['a page without any', '<p>Words.</p>'],
    ['a refresh of the page itself', refresh('0')],
    ['a refresh to a place on the page', refresh('0;url=#place')],
    ['a refresh for those who wait', refresh('30;url=/there')],
    [
      'a challenge, whose scripts look into the browser first',
      `${refresh("5; URL='/?verify=1'")}<script src="/check"></script>`,
    ],
    ['a refresh for those without scripts', `<noscript>${refresh('0;url=/there')}</noscript>`],
    ['a refresh in a comment', `<!-- ${refresh('0;url=/there')} -->`],
    ['a refresh in a script', `<script>"${refresh('0;url=/there').replaceAll('"', "'")}"</script>`],
    ['another meta', '<meta http-equiv="content-type" content="0;url=/there">'],
    ['a refresh to no address', refresh('0;url=http://[')],
    ['several frames', '<frameset><frame src="/a"><frame src="/b"></frameset>'],
    ['a frame of no web page', '<frameset><frame src="javascript:void 0"></frameset>'],
    ['a frame without a frameset', '<iframe src="/a"></iframe>'],
    [
      'a frameset in what is shown without frames',
      '<noframes><frameset><frame src="/a"></frameset></noframes>',
    ],
  ])('%s', (_, html) => {
    expect(whereSentOn(html, URL)).toBeNull()
  })

  test('and is looked at no further than its beginning: a long page costs the serving thread no more than a short one', () => {
    const behind = (characters: number) => whereSentOn(' '.repeat(characters) + refresh('0;url=/there'), URL)
    expect(behind(30_000)).toBe('https://example.org/there')
    expect(behind(1_000_000)).toBeNull()
  })
})

import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { decodeText, readTags } from '../../../src/extract/html/tag-stream.ts'

interface SeenTag {
  name: string
  class: string | undefined
  id: string | undefined
}

/** What a page's tags and text are when it is read in pieces of `pieceCharacters`. */
async function read(
  html: string,
  pieceCharacters: number,
): Promise<{ tags: SeenTag[]; text: string; ends: string[] }> {
  const tags: SeenTag[] = []
  const ends: string[] = []
  let text = ''
  await readTags(
    html,
    {
      open: (name, attributes) => tags.push({ name, class: attributes.class, id: attributes.id }),
      text: (markup) => (text += decodeText(markup)),
      close: (name) => ends.push(name),
    },
    { pieceCharacters, isEnough: () => false, pause: async () => {} },
  )
  return { tags, text, ends }
}

/** The same by htmlparser2 alone, which decodes references itself. */
function readByParser(html: string): { tags: SeenTag[]; text: string; ends: string[] } {
  const tags: SeenTag[] = []
  const ends: string[] = []
  let text = ''
  const parser = new Parser({
    onopentag: (name, attributes) => tags.push({ name, class: attributes['class'], id: attributes['id'] }),
    ontext: (part) => (text += part),
    onclosetag: (name) => ends.push(name),
  })
  parser.end(html)
  return { tags, text, ends }
}

const markup = fc
  .array(
    fc.constantFrom(
      '<p class="a">',
      '</p>',
      '<div id=x class="b &amp; c">',
      '</div>',
      '<form class="outer">',
      '<form class="inner">',
      '</form>',
      '<br>',
      '<li>',
      '<td>',
      '&amp;',
      '&eacute',
      '&#x41;',
      '& ',
      'caf&eacute;',
      'plain text',
      '<!-- note -->',
      '<b>',
      '</b>',
      '<a href="?a=1&copy=2" id="y">',
      '<img src=x id=z>',
      '&CounterClockwiseContourIntegral;',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

describe('tags and text of a page', () => {
  it('are those of the parser with its own decoding, however small the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(markup, fc.integer({ min: 41, max: 200 }), async (html, pieceCharacters) => {
        expect(await read(html, pieceCharacters)).toEqual(readByParser(html))
      }),
    )
  })

  it('a form within a form is ignored together with its attributes', async () => {
    const { tags } = await read('<form id="a"><div><form class="hidden" id="b"><p>text', 1_000)
    expect(tags).toEqual([
      { name: 'form', class: undefined, id: 'a' },
      { name: 'div', class: undefined, id: undefined },
      { name: 'p', class: undefined, id: undefined },
    ])
  })

  it.each([
    ['<svg><path d="x"><p class=a>words</p>', ['path', 'svg', 'p']],
    ['<math><mrow><br><b>words</b>', ['mrow', 'math', 'br', 'b']],
    ['<svg><g><svg><img>words', ['svg', 'g', 'svg', 'img']],
    ['<svg><foreignObject><p>words</p></foreignObject></svg>', ['p', 'foreignObject', 'svg']],
    ['<svg><foreignObject><svg><p>words</p></svg>', ['svg', 'p', 'foreignObject', 'svg']],
    ['<math><mtext><b>words</b></mtext></math>', ['b', 'mtext', 'math']],
    ['<svg><a><text>words</text></a></svg>', ['text', 'a', 'svg']],
  ])('a picture or formula that was not closed ends where HTML begins: %s', async (html, ends) => {
    expect((await read(html, 1_000)).ends).toEqual(ends)
  })

  it('of two attributes with one name the first counts', async () => {
    const { tags } = await read('<p class="first" class="second">', 1_000)
    expect(tags).toEqual([{ name: 'p', class: 'first', id: undefined }])
  })
})
